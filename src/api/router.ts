import { allModels, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import { may } from '../registry/actor.ts'
import { onAction } from './actions.ts'
import { nothing, queues, scripts } from './background.ts'
import { readRequestBody } from './body.ts'
import { type Answer, badMethod, type Call, described, jsonAnswer, noSuchPage } from './request.ts'
import { onDetail, onList } from './resource.ts'
import { singles } from './singles.ts'

const byPath = new Map(allModels.filter((m) => !m.internal).map((m) => [m.path, m]))
byPath.set('extras/object-changes', byPath.get('core/object-changes')!)

/** Roots of the applications, by name. */
const apps = new Map<string, AnyModel[]>()
for (const m of byPath.values()) {
  const app = m.path.split('/')[0]!
  apps.set(app, [...(apps.get(app) ?? []), m])
}

/** Endpoints of several paths that no model stands behind; undefined leaves the path to the models. */
const families: Readonly<
  Record<string, (call: Call, rest: readonly string[]) => Answer | undefined | Promise<Answer | undefined>>
> = {
  'core/background-queues': queues,
  'core/background-tasks': nothing(['delete', 'enqueue', 'requeue', 'stop']),
  'core/background-workers': nothing(),
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

/** A member by a name from outside, which may be one that every object has (`constructor`). */
const own = <T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  members && Object.hasOwn(members, name) ? members[name] : undefined

/** The model that a path below /api/ names, if any. */
export const modelAt = (path: string): AnyModel | undefined => byPath.get(path)

const byPage = new Map(allModels.map((m) => [m.displayUrl || m.path, m]))
/** The model whose pages lie below a path without /api/ (`core/changelog`), if any. */
export const modelOfPage = (path: string): AnyModel | undefined => byPage.get(path) ?? byPath.get(path)

/** The methods, besides OPTIONS, that a path below /api/ takes; undefined for a path that nothing answers. */
export function methodsAt(path: string): readonly string[] | undefined {
  const parts = path.split('/').filter(Boolean)
  const single = own(singles, parts.join('/'))
  if (single) return single.methods
  if (parts.length <= 1) return parts.length === 0 || apps.has(parts[0]!) ? ['GET', 'HEAD'] : undefined
  const m = byPath.get(`${parts[0]}/${parts[1]}`)
  if (!m || parts.length > 4) return undefined
  const action = own(m.behaviour.actions, parts.at(-1)!)
  if (parts.length > 2 && action)
    return [...(action.get ? ['GET'] : []), ...(action.post ? ['POST'] : []), ...(action.get ? ['HEAD'] : [])]
  if (parts.length === 4) return undefined
  return [
    ...(m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).filter(
      (method) => parts.length === 2 || method !== 'POST',
    ),
    'HEAD',
  ]
}

/** Sends a request below /api/ to what answers it. */
export async function route(call: Call): Promise<Answer> {
  const parts = call.path.slice('/api/'.length).split('/').filter(Boolean)
  const single = own(singles, parts.join('/'))
  if (single) {
    if (call.method === 'OPTIONS') return described(single.name, single.description)
    if (!single.methods.includes(call.method)) throw badMethod(call.method)
    return single.run(call)
  }
  if (parts.length <= 1) return root(call, parts[0])
  const family = own(families, `${parts[0]}/${parts[1]}`)
  const answer = family && (await family(call, parts.slice(2)))
  if (answer) return answer
  const m = byPath.get(`${parts[0]}/${parts[1]}`)
  if (!m) throw noSuchPage()
  if (parts.length === 2) return onList(call, m)
  const id = parts[2]!
  if (parts.length === 3 && own(m.behaviour.actions, id)) return onAction(call, m, undefined, id)
  if (!/^\d{1,15}$/.test(id)) throw noSuchPage()
  if (parts.length === 3) return onDetail(call, m, Number(id))
  if (parts.length === 4 && own(m.behaviour.actions, parts[3]!)) return onAction(call, m, Number(id), parts[3]!)
  throw noSuchPage()
}

function root(call: Call, app: string | undefined): Answer {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(call.method)) throw badMethod(call.method)
  const at = (path: string) => `${call.base}/api/${path}/`
  if (app === undefined) {
    return jsonAnswer(
      200,
      Object.fromEntries([...apps.keys(), 'plugins', 'status'].sort().map((name) => [name, at(name)])),
    )
  }
  const members = apps.get(app)
  if (!members) throw noSuchPage()
  const alone = Object.keys(singles)
    .filter((path) => singles[path]!.listed !== false)
    .map((path) => path.split('/'))
    .filter(([of, , deeper]) => of === app && deeper === undefined)
    .map(([, name]) => name)
    .filter((name) => name !== undefined)
  const others = [...Object.keys(families), ...Deep]
    .filter((path) => path.startsWith(`${app}/`))
    .map((path) => path.slice(app.length + 1))
  const listed = [...members.map((m) => m.path.split('/')[1]!), ...alone, ...others]
  return jsonAnswer(200, Object.fromEntries([...new Set(listed)].sort().map((name) => [name, at(`${app}/${name}`)])))
}
