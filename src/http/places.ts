import { allModels } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Place } from './request.ts'

/** A model's endpoint: what its list, its objects and its actions take. */
export interface Endpoint {
  readonly model: AnyModel
  readonly list: Place
  readonly detail: Place
  readonly actions: ReadonlyMap<string, Place>
}

/** The Allow header of methods, to which OPTIONS always belongs. */
export const allowing = (...methods: readonly string[]): string => [...methods, 'OPTIONS'].join(', ')

function endpointOf(model: AnyModel): Endpoint {
  const methods = model.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const actions = Object.entries(model.behaviour.actions ?? {}).map(([name, { get, post }]): [string, Place] => [
    name,
    { model, allow: allowing(...(get ? ['GET'] : []), ...(post ? ['POST'] : []), ...(get ? ['HEAD'] : [])) },
  ])
  return {
    model,
    list: { model, allow: allowing(...methods, 'HEAD') },
    detail: { model, allow: allowing(...methods.filter((method) => method !== 'POST'), 'HEAD') },
    actions: new Map(actions),
  }
}

const pathsOf = (m: AnyModel): string[] => [m.path, ...(m.alias ? [m.alias] : [])]

/** Endpoints of the models by their path below /api/, such as `dcim/sites`. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  allModels
    .filter((m) => !m.internal)
    .map(endpointOf)
    .flatMap((each) => pathsOf(each.model).map((path): [string, Endpoint] => [path, each])),
)

/** The applications that models belong to, each with the names of its endpoints. */
export const apps: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [...new Set([...endpoints.values()].filter(({ model }) => !model.own).map(({ model }) => model.path))],
  (path) => path.split('/')[0]!,
)

/** The model that a path below /api/ names, if any. */
export const modelAt = (path: string): AnyModel | undefined => endpoints.get(path)?.model

const byPage = new Map(allModels.map((m) => [m.displayUrl || m.path, m]))
/** The model whose pages lie below a path without /api/ (`core/changelog`), if any. */
export function modelOfPage(path: string): AnyModel | undefined {
  const model = byPage.get(path) ?? modelAt(path)
  return model?.internal ? undefined : model
}
