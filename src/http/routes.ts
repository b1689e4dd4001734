import { type Context, Hono } from 'hono'
import { modelNamed } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import { onAction } from './actions.ts'
import type { admission } from './admission.ts'
import { type LookingBack, lookingBack } from './moment.ts'
import { emptyList, queues, scripts } from './background.ts'
import { readRequestBody } from './body.ts'
import { revertChanges } from './history.ts'
import { cloneKit, fetchClone, pullKit, pushKit } from './kits.ts'
import { streamChanges } from './watching.ts'
import { allowing, apps, type Endpoint, endpoints } from './places.ts'
import { type Answer, badMethod, type Call, described, type Env, jsonAnswer, noSuchPage } from './request.ts'
import { onDetail, onList } from './resource.ts'
import { answering, commonHeaders, send } from './send.ts'
import { type Single, singles } from './singles.ts'

type Family = (call: Call, rest: readonly string[]) => Answer | undefined | Promise<Answer | undefined>

/** Endpoints of several paths that no model stands behind; undefined leaves the path to the models. */
const families: Readonly<Record<string, Family>> = {
  'core/background-queues': queues,
  'core/background-tasks': emptyList(['delete', 'enqueue', 'requeue', 'stop']),
  'core/background-workers': emptyList(),
  'extras/scripts': (call, rest) =>
    scripts(
      call,
      rest,
      () => readRequestBody(call),
      (action) => may(call.actor, action, modelNamed(action === 'run' ? 'extras.script' : 'extras.scriptmodule')),
    ),
}
/** Listed in the root of their application, though they are two levels below it. */
const Deep = ['extras/scripts/upload']
const Reading = { allow: allowing('GET', 'HEAD') }

/** Everything below /api/, to be mounted there. */
export function apiRoutes(admit: ReturnType<typeof admission>, past?: LookingBack): Hono<Env> {
  const api = new Hono<Env>()
  if (past) api.use('*', lookingBack(admit, past))
  api.get('/schema/:viewer{swagger-ui|redoc}/:file{[\\w.-]+}', answering(swaggerFile))

  api.all('/', admit(Reading), answering(root))
  for (const [path, single] of Object.entries(singles)) {
    const place = { allow: allowing(...single.methods), isOpen: single.isOpen === true }
    api.all(`/${path}/`, admit(place), answering(standing(single)))
  }
  for (const [path, family] of Object.entries(families)) {
    const place = endpoints.get(path)?.list ?? {}
    const handle = async (c: Context<Env>, next: () => Promise<void>) => {
      const { name, action } = c.req.param() as { name?: string; action?: string }
      const rest = [name, action].filter((each) => each !== undefined)
      const answer = await family(c.get('call'), rest)
      return answer ? send(c, answer) : next()
    }
    for (const below of ['', ':name/', ':name/:action/']) api.all(`/${path}/${below}`, admit(place), handle)
  }
  for (const path of ['core/object-changes', 'extras/object-changes']) {
    api.all(`/${path}/revert/`, admit({ allow: allowing('POST') }), answering(revertChanges))
    api.all(`/${path}/stream/`, admit({ allow: allowing('GET') }), streamChanges)
  }
  for (const [action, method, work] of [
    ['pull', 'POST', pullKit],
    ['push', 'POST', pushKit],
    ['clone', 'GET', cloneKit],
  ] as const)
    api.all(
      `/core/kits/:id{[0-9]{1,15}}/${action}/`,
      admit({ allow: allowing(method) }),
      answering((call, c) => work(call, idOf(c))),
    )
  api.get('/core/kits/:id{[0-9]{1,15}}/clone/:file{[0-9]+-[0-9a-f]{24}[.]clone}/', admit({}), fetchClone)
  api.all(
    '/:app/',
    admit((c) => (apps.has(c.req.param('app')!) ? Reading : undefined)),
    answering(appRoot),
  )
  api.all(
    '/:app/:model/',
    admit((c) => endpointOf(c)?.list),
    answering((call, c) => onList(call, modelOf(c))),
  )
  api.all(
    '/:app/:model/:id{[0-9]{1,15}}/',
    admit((c) => endpointOf(c)?.detail),
    answering((call, c) => onDetail(call, modelOf(c), idOf(c))),
  )
  api.all(
    '/:app/:model/:action/',
    admit(actionPlace),
    answering((call, c) => onAction(call, modelOf(c), undefined, actionOf(c))),
  )
  api.all(
    '/:app/:model/:id{[0-9]{1,15}}/:action/',
    admit(actionPlace),
    answering((call, c) => onAction(call, modelOf(c), idOf(c), actionOf(c))),
  )
  api.on(['GET', 'OPTIONS'], '/*', commonHeaders, withSlash)
  api.all('/*', admit({}), answering(nowhere))
  return api
}

const endpointOf = (c: Context<Env>): Endpoint | undefined =>
  endpoints.get(`${c.req.param('app')}/${c.req.param('model')}`)

function modelOf(c: Context<Env>): Endpoint['model'] {
  const model = c.get('place')?.model
  if (!model) throw noSuchPage()
  return model
}

const idOf = (c: Context<Env>): number => Number(c.req.param('id'))
const actionOf = (c: Context<Env>): string => c.req.param('action')!
const actionPlace = (c: Context<Env>) => endpointOf(c)?.actions.get(actionOf(c))

const nowhere = (): never => {
  throw noSuchPage()
}

/** A missing slash is a redirect for reads. */
const withSlash = (c: Context<Env>, next: () => Promise<void>): Response | Promise<void> => {
  const { path, query, config } = c.get('call')
  return path.endsWith('/') ? next() : c.redirect(`${config.basePath}${path}/${query.size ? `?${query}` : ''}`)
}

const swaggerFile = async (_: Call, c: Context<Env>): Promise<Answer> =>
  (await import('./schema.ts')).swaggerFile(c.req.param('file')!)

const standing = (single: Single) => (call: Call) => {
  if (call.method === 'OPTIONS') return described(single.name, single.description)
  if (!single.methods.includes(call.method)) throw badMethod(call.method)
  return single.run(call)
}

function demandRead(call: Call): void {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(call.method)) throw badMethod(call.method)
}

const links = (call: Call, below: string, names: readonly string[]): Answer =>
  jsonAnswer(
    200,
    Object.fromEntries([...new Set(names)].sort().map((name) => [name, `${call.base}/api/${below}${name}/`])),
  )

function root(call: Call): Answer {
  demandRead(call)
  return links(call, '', [...apps.keys(), 'plugins', 'status'])
}

function appRoot(call: Call, c: Context<Env>): Answer {
  const app = c.req.param('app')!
  const below = (paths: readonly string[]) =>
    paths.filter((path) => path.startsWith(`${app}/`)).map((path) => path.slice(app.length + 1))
  const models = apps.get(app)
  if (!models) throw noSuchPage()
  demandRead(call)
  const alone = below(Object.keys(singles).filter((path) => singles[path]!.listed !== false)).filter(
    (path) => !path.includes('/'),
  )
  return links(call, `${app}/`, [...below(models), ...alone, ...below([...Object.keys(families), ...Deep])])
}
