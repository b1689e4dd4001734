import { conditionOf } from '../http/lists.ts'
import { modelAt } from '../http/places.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { extraOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Field } from '../fields/field.ts'
import type { Visit } from './visit.ts'

/** An object that a path leads through: the path to it, and its model. */
interface Crossed {
  path: string
  model: AnyModel
}
/** Rows of one model as pages read them, by the paths of their columns. */
type Values = Record<string, unknown>

/**
 * The objects of which a path tells more than answers show of what they refer to (its brief members), and the model at
 * its end.
 */
function followed(m: AnyModel, path: string): { crossed: Crossed[]; end: AnyModel; name: string } {
  const names = path.split('.')
  const crossed: Crossed[] = []
  let end = m
  for (const [i, name] of names.slice(0, -1).entries()) {
    const { target, object } = (extraOf(end)[name] ?? end.fields[name]) as Pick<Field, 'target' | 'object'>
    end = modelNamed((target ?? object)!.model)
    if (!end.brief.includes(names[i + 1]!)) crossed.push({ path: names.slice(0, i + 1).join('.'), model: end })
  }
  return { crossed, end, name: names.at(-1)! }
}

/** Paths that `coverUnseen` has to know the values of, besides those that are shown. */
export const neededFor = (m: AnyModel, paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => followed(m, path).crossed.map((each) => each.path))),
]

/**
 * Takes out of rows what paths tell of objects that the user may not view, and objects that only pages list of those
 * that refer to the row's.
 */
export function coverUnseen(visit: Visit, m: AnyModel, rows: readonly Values[], paths: readonly string[]): void {
  if (visit.actor.superuser || rows.length === 0) return
  const asked = new Map<AnyModel, Set<number>>()
  const ask = ({ model, id }: Named) => asked.set(model, (asked.get(model) ?? new Set()).add(id))
  const all = paths.map((path) => ({ path, ...followed(m, path) }))
  for (const { path, crossed, end, name } of all)
    for (const row of rows) {
      for (const { path: at, model } of crossed) if (idOf(row[at]) !== undefined) ask({ model, id: idOf(row[at])! })
      if (extraOf(end)[name]) for (const each of [row[path]].flat()) if (named(each)) ask(named(each)!)
    }
  const seen = new Map([...asked].map(([model, ids]) => [model, seenAmong(visit, model, ids)]))
  const isSeen = ({ model, id }: Named) => seen.get(model)?.has(id) === true
  const isOpen = (value: unknown) => {
    const found = named(value)
    return !found || isSeen(found)
  }
  for (const { path, crossed, end, name } of all)
    for (const row of rows) {
      const isCovered = crossed.some(({ path: at, model }) => !isSeen({ model, id: idOf(row[at]) ?? 0 }))
      if (isCovered) row[path] = null
      else if (extraOf(end)[name])
        row[path] = Array.isArray(row[path])
          ? row[path].filter(isOpen)
          : isOpen(row[path])
            ? row[path]
            : rest(row[path])
    }
}

/** What stays of a value without the object that it leads to: a name that was told with it. */
const rest = (value: unknown): { display: unknown } | null => {
  const { display, object } = value as { display?: unknown; object?: unknown }
  return object && display !== undefined ? { display } : null
}

interface Named {
  model: AnyModel
  id: number
}
const idOf = (value: unknown): number | undefined => (value as { id?: number } | null | undefined)?.id

/** The object that a value is, or leads to, by its address; undefined for other values. */
function named(value: unknown): Named | undefined {
  const { url: own, object } = (typeof value === 'object' && value !== null ? value : {}) as {
    url?: unknown
    object?: { url?: unknown } | null
  }
  const url = own ?? object?.url
  const [, path, id] = (typeof url === 'string' && /\/api\/([^/]+\/[^/]+)\/(\d+)\/$/.exec(url)) || []
  const model = path && modelAt(path)
  return model ? { model, id: Number(id) } : undefined
}

/** Which of some objects the user may view, asked at once. */
function seenAmong(visit: Visit, m: AnyModel, ids: ReadonlySet<number>): ReadonlySet<number> {
  if (!may(visit.actor, 'view', m)) return new Set()
  if (!visit.store.reader.asksOfRows(visit.actor, 'view', m)) return ids
  const asked = new URLSearchParams([...ids].map((id): [string, string] => ['id', String(id)]))
  return new Set(visit.store.reader.page(m, conditionOf(visit, m, asked), undefined, ids.size, 0).ids)
}
