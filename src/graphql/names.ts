import { allModels, memo } from '../engine/catalog.ts'
import type { AnyModel, Graphic } from '../declare/model.ts'

/** What a model says of its part of the schema. */
export const graphicOf = (m: AnyModel): Graphic => m.graphql || {}

/** The type of a model's objects: `DeviceType`, `DeviceTypeType`. */
export const typeName = (m: AnyModel): string => graphicOf(m).type ?? `${m.objectName}Type`
/** The input that filters a model's objects. */
export const filterName = (m: AnyModel): string => graphicOf(m).filter ?? `${m.objectName}Filter`
/** The member of `Query` that gives one object of a model; its list has `_list` after that. */
export const rootName = memo((m: AnyModel): string =>
  (graphicOf(m).root || m.label).toLowerCase().replace(/[ -]/g, '_'),
)

/** Whether the schema has a model: those with an endpoint do that do not say otherwise, and those that say so. */
export const isShown = (m: AnyModel): boolean => (m.internal ? Boolean(m.graphql) : m.graphql !== false)
export const shownModels = (): readonly AnyModel[] => allModels.filter(isShown)
let byType: ReadonlyMap<string, AnyModel> | undefined
/** The model whose objects have a type. */
export function modelOfType(name: string): AnyModel | undefined {
  byType ??= new Map(shownModels().map((m) => [typeName(m), m]))
  return byType.get(name)
}
