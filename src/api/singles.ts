import { hostname } from 'node:os'
import { modelNamed } from '../registry/catalog.ts'
import { sortKeysByLength } from '../tools/json.ts'
import { Version } from '../version.ts'
import { readRequestBody } from './body.ts'
import { connectedDevice } from './connected-device.ts'
import { dashboard } from './dashboard.ts'
import { provision } from './provision.ts'
import { type Answer, ApiError, badMethod, type Call, forbidden, jsonAnswer } from './request.ts'
import { transact } from './resource.ts'

type Handler = (call: Call) => Answer | Promise<Answer>

const reads = (handler: Handler): Handler => (call) => {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(call.method)) throw badMethod(call.method)
  return handler(call)
}

/** Endpoints that stand alone, by their path below /api/. */
export const singles: Readonly<Record<string, Handler>> = {
  status: reads(() => jsonAnswer(200, {
    'django-version': null, hostname: hostname(), installed_apps: {}, 'netbox-version': Version, 'netbox-full-version': Version, plugins: {}, 'python-version': null,
    'rq-workers-running': 0,
  })),
  'authentication-check': reads((call) => {
    if (call.actor.userId === null) throw forbidden('Authentication credentials were not provided.')
    const [user] = call.store.reader.rows(modelNamed('users.user'), [call.actor.userId], {}, call.base)
    return { status: 200, body: user!, headers: { 'content-type': 'application/json' } }
  }),
  plugins: reads((call) => jsonAnswer(200, { 'installed-plugins': `${call.base}/api/plugins/installed-plugins/` })),
  'plugins/installed-plugins': reads(() => jsonAnswer(200, [])),
  'users/tokens/provision': provision,
  'dcim/connected-device': connectedDevice,
  'users/config': preferences,
  'extras/dashboard': dashboard,
  schema: async (call) => (await import('./schema.ts')).schema(call),
  'schema/swagger-ui': async (call) => (await import('./schema.ts')).swagger(call),
  'schema/redoc': async (call) => (await import('./schema.ts')).swagger(call),
}

async function preferences(call: Call): Promise<Answer> {
  if (call.actor.userId === null) throw forbidden('Authentication credentials were not provided.')
  const stored = () => JSON.parse(call.store.db.get<{ data: string }>('select data from users_userconfig where user_id = +?', call.actor.userId)?.data ?? '{}') as Record<string, unknown>
  if (call.method === 'GET' || call.method === 'HEAD') return jsonAnswer(200, stored())
  if (call.method === 'OPTIONS') return jsonAnswer(200, { name: 'User Config', description: 'Shows and changes the own preferences.', renders: ['application/json', 'text/html'], parses: ['application/json', 'multipart/form-data'] })
  if (call.method !== 'PATCH') throw badMethod(call.method)
  const body = await readRequestBody(call)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400, { non_field_errors: ['Expected an object.'] })
  const merged = await transact(call, () => {
    const data = sortKeysByLength(merge(stored(), body as Record<string, unknown>))
    call.store.db.run('insert into users_userconfig (user_id, data) values (?, ?) on conflict (user_id) do update set data = excluded.data', call.actor.userId, JSON.stringify(data))
    return data
  })
  return jsonAnswer(200, merged)
}

function merge(into: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> {
  const isObject = (x: unknown): x is Record<string, unknown> => typeof x === 'object' && x !== null && !Array.isArray(x)
  const merged = { ...into }
  for (const [key, value] of Object.entries(from)) merged[key] = isObject(merged[key]) && isObject(value) ? merge(merged[key], value) : value
  return merged
}
