import { type ActionTools, type Pair, Refused } from '../declare/behaviour.ts'
import type { Relation, Step } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'

export type Shown = Record<string, unknown>

/** Where the related objects of a template's variables come from. */
export type RelatedObjects = Pick<ActionTools, 'find' | 'render' | 'model' | 'step' | 'pairs'>

/** Most objects that come with a template's variables, and how many relations lie between. */
const MaxObjects = 20_000
const MaxDepth = 3

/** Names that a template asks of something: `device.interfaces` gives `interfaces`. */
export const namesIn = (source: string): ReadonlySet<string> =>
  new Set([...source.matchAll(/\.\s*([A-Za-z_]\w*)/g)].map(([, name]) => name!))

/** The relation of a name. Tags are none: an object's own members have them. */
export function relationOf(from: Pick<RelatedObjects, 'step'>, m: AnyModel, name: string): Relation | undefined {
  const step = from.step(m, name)
  return step && step.way !== 'column' && !m.fields[name]?.sharedLinks ? step : undefined
}

/**
 * Puts into objects of a model what the names lead to: the whole of what they refer to, and lists of what refers to
 * them.
 */
export function addRelated(
  from: RelatedObjects,
  m: AnyModel,
  objects: readonly Shown[],
  names: ReadonlySet<string>,
): void {
  let left = MaxObjects
  const add = (model: AnyModel, shown: readonly Shown[], above: ReadonlySet<string>, depth: number): void => {
    if (shown.length === 0) return
    const known = new Set([...above, ...shown.map(({ id }) => `${model.name}:${id as number}`)])
    for (const name of names) {
      const step = relationOf(from, model, name)
      if (!step) continue
      const pairs = from
        .pairs(
          model,
          step,
          shown.map(({ id }) => id as number),
        )
        .filter(({ target }) => step.way !== 'to' || !known.has(`${step.model.name}:${target}`))
      const ids = [...new Set(pairs.map(({ target }) => target))]
      left -= ids.length
      if (left < 0) throw new Refused(400, { detail: `The template asks for more than ${MaxObjects} related objects.` })
      const found = ids.length ? shownOf(from, step.model.name, ids) : []
      if (depth < MaxDepth) add(step.model, found, known, depth + 1)
      place(name, step, shown, pairs, found)
    }
  }
  add(m, objects, new Set(), 1)
}

function place(
  name: string,
  step: Step,
  shown: readonly Shown[],
  pairs: readonly Pair[],
  found: readonly Shown[],
): void {
  const targets = new Map<number, Set<number>>()
  for (const { owner, target } of pairs) targets.set(owner, (targets.get(owner) ?? new Set()).add(target))
  for (const object of shown) {
    const own = found.filter(({ id }) => targets.get(object.id as number)?.has(id as number))
    if (step.way !== 'to') object[name] = own
    else if (own[0]) object[name] = own[0]
  }
}

/** Those of some objects that the acting user may view, as their endpoint shows them, in its order. */
function shownOf(from: RelatedObjects, model: string, ids: readonly number[]): Shown[] {
  if (from.model(model).internal) return []
  return from
    .render(model, from.find(model, new URLSearchParams(ids.map((id): [string, string] => ['id', String(id)]))))
    .map((text) => JSON.parse(text) as Shown)
}
