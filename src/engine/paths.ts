import type { SqlContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'
import { allModels, modelNamed, type Step, stepOf } from './catalog.ts'
import type { AnyModel } from '../declare/model.ts'

/** What following a path needs: fresh aliases, and a note of every table it touches. */
export interface PathContext {
  alias: () => string
  uses: (table: string) => void
  /** Condition on the rows `t` that a path crosses, where only some of them may be compared. */
  crossing?: ((crossed: Crossing, t: string) => string | undefined) | undefined
}

/**
 * A relation that a path follows: the model it leads to, what is compared there, and whether answers show that object.
 */
interface Crossing {
  model: AnyModel
  next: string
  isShown: boolean
}

/** What the SQL that a field is compared by may ask for: nothing but tables and aliases. */
export const comparing = (owner: AnyModel, { alias, uses }: PathContext): SqlContext => ({
  owner,
  isNested: false,
  forced: undefined,
  models: allModels,
  model: modelNamed,
  typesWith: () => new Set(),
  nested: () => 'null',
  object: () => 'null',
  ordered: (_target, alias) => ({ joins: '', terms: `${alias}.id` }),
  customFields: () => 'null',
  alias,
  uses,
})

/** Segments of `a.b` or `a__b`. */
export const segmentsOf = (path: string): string[] => path.split(/\.|__/)

/**
 * SQL condition on row alias `t` of a model: `leaf` applied at the end of a relation path, to the expression there and,
 * where that is a field, to the alias of its row and the model there.
 * Each relation is one `in (select ...)`, so that a row matches once however many related rows do.
 */
export function along(
  m: AnyModel,
  t: string,
  path: readonly string[],
  leaf: (expression: string, step: Step | undefined, t?: string, of?: AnyModel) => string,
  c: PathContext,
): string {
  const [head, ...rest] = path as [string, ...string[]]
  c.uses(m.table)
  if (head === 'id' || head === 'pk') return leaf(`${t}.id`, undefined)
  const step = stepOf(m, head)
  if (!step) return leaf(`${t}.${q(head)}`, undefined)
  if (step.way === 'column')
    return leaf(
      step.field.compare ? step.field.compare(t, step.name, comparing(m, c)) : `${t}.${q(step.name)}`,
      step,
      t,
      m,
    )
  const last = rest.length === 0 || (rest.length === 1 && (rest[0] === 'id' || rest[0] === 'pk'))
  const isShown = step.way === 'to' || (step.way === 'link' && Object.hasOwn(m.fields, head))
  const inner = (a: string) => {
    const crossing = c.crossing?.({ model: step.model, next: rest[0] ?? 'id', isShown }, a)
    const compared = last ? leaf(`${a}.id`, step) : along(step.model, a, rest, leaf, c)
    return crossing ? `(${crossing} and ${compared})` : compared
  }
  const typed = (a: string) => (step.type ? `${a}.${q(step.type.column)} = '${step.type.value}' and ` : '')
  if (step.way === 'to') {
    if (last)
      return step.type ? `(${typed(t)}${leaf(`${t}.${q(step.column)}`, step)})` : leaf(`${t}.${q(step.column)}`, step)
    const a = c.alias()
    const found = inner(a)
    if (found === 'false') return found
    return `(${typed(t)}${t}.${q(step.column)} in (select ${a}.id from ${q(step.model.table)} ${a} where ${found}))`
  }
  const a = c.alias()
  if (step.way === 'back') {
    c.uses(step.model.table)
    return `${t}.id in (select ${a}.${q(step.column)} from ${q(step.model.table)} ${a} where ${typed(a)}${inner(a)})`
  }
  c.uses(step.table)
  if (last && (isShown || !c.crossing))
    return `${t}.id in (select ${a}.${step.from} from ${q(step.table)} ${a}
      where ${typed(a)}${leaf(`${a}.${step.to}`, step)})`
  const b = c.alias()
  return `${t}.id in (select ${a}.${step.from} from ${q(step.table)} ${a}
    join ${q(step.model.table)} ${b} on ${b}.id = ${a}.${step.to} where ${typed(a)}${inner(b)})`
}
