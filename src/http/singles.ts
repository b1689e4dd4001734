import { isObject } from '../lib/json.ts'
import { hostname } from 'node:os'
import { modelNamed } from '../engine/catalog.ts'
import { Version } from '../lib/version.ts'
import { readRequestBody } from './body.ts'
import { connectedDevice } from './connected-device.ts'
import { dashboard } from './dashboard.ts'
import { keepPreferences, preferencesOf } from './preferences.ts'
import { provision } from './provision.ts'
import { type Answer, ApiError, type Call, forbidden, jsonAnswer } from './request.ts'

/** An endpoint that stands alone: the methods it takes besides OPTIONS, what OPTIONS says of it, and what it does. */
export interface Single {
  readonly methods: readonly string[]
  readonly name: string
  readonly description: string
  /** False: the root of its application does not name it. */
  readonly listed?: boolean
  /** True: it answers those without credentials too. */
  readonly isOpen?: boolean
  readonly run: (call: Call) => Answer | Promise<Answer>
}

const read = (name: string, description: string, run: Single['run'], isOpen = false): Single => ({
  methods: ['GET', 'HEAD'],
  name,
  description,
  isOpen,
  run,
})
const document = async () => import('./schema.ts') // made when it is first asked for

/** Endpoints that stand alone, by their path below /api/. */
export const singles: Readonly<Record<string, Single>> = {
  status: read('Status', 'Versions, and what is installed.', () =>
    jsonAnswer(200, {
      'django-version': null,
      hostname: hostname(),
      installed_apps: {},
      'netbox-version': Version,
      'netbox-full-version': Version,
      plugins: {},
      'python-version': null,
      'rq-workers-running': 0,
    }),
  ),
  'authentication-check': read('Authentication Check', 'Shows who is asking.', (call) => {
    if (call.actor.userId === null) throw forbidden('Authentication credentials were not provided.')
    const [user] = call.store.reader.rows(modelNamed('users.user'), [call.actor.userId], {}, call.base)
    return { status: 200, body: user!, headers: { 'content-type': 'application/json' } }
  }),
  plugins: read('Plugins', '', (call) =>
    jsonAnswer(200, { 'installed-plugins': `${call.base}/api/plugins/installed-plugins/` }),
  ),
  'plugins/installed-plugins': read('Installed Plugins', '', () => jsonAnswer(200, [])),
  'users/tokens/provision': {
    methods: ['POST'],
    name: 'Token Provision',
    description: 'Makes a token for a username and a password.',
    isOpen: true,
    run: provision,
  },
  'dcim/connected-device': read(
    'Connected Device Locator',
    'Finds the device that is connected to an interface.',
    connectedDevice,
  ),
  'users/config': {
    methods: ['GET', 'PATCH', 'HEAD'],
    name: 'User Config',
    description: 'Shows and changes the own preferences.',
    run: preferences,
  },
  query: {
    methods: ['GET', 'POST', 'HEAD'],
    name: 'Query',
    description: 'Answers a question in SQL over what the caller may view; GET tells of the tables.',
    listed: false,
    run: async (call) => (await import('./query.ts')).query(call),
  },
  'extras/dashboard': {
    methods: ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
    name: 'Dashboard',
    description: 'Shows and changes the own dashboard.',
    listed: false,
    run: dashboard,
  },
  schema: read('Schema', 'The OpenAPI document of this API.', async (call) => (await document()).schema(call), true),
  'schema/swagger-ui': read('Schema', '', async () => (await document()).swagger(), true),
  'schema/redoc': read('Schema', '', async () => (await document()).swagger(), true),
}

async function preferences(call: Call): Promise<Answer> {
  if (call.actor.userId === null) throw forbidden('Authentication credentials were not provided.')
  if (call.method === 'GET' || call.method === 'HEAD') return jsonAnswer(200, preferencesOf(call))
  const body = await readRequestBody(call)
  if (!isObject(body)) throw new ApiError(400, { non_field_errors: ['Expected an object.'] })
  return jsonAnswer(200, await keepPreferences(call, body as Record<string, unknown>))
}
