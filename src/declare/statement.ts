import type { AnyModel } from './model.ts'

/**
 * SQL that rules run, with the type of its rows. Only `sql` makes one, so that every statement of the rules is known.
 */
export interface Statement<T = unknown> {
  readonly text: string
  readonly '~row'?: T
}

const known = new Map<string, Statement>()

/**
 * A statement over several lines, values as `?`. What is put in are names (tables, columns) and parts of statements
 * that the code knows when it is loaded, never values: `sql` is called at the top level of a module, where the tests
 * find and prepare every one.
 */
export function sql<T = unknown>(strings: TemplateStringsArray, ...names: readonly string[]): Statement<T> {
  const text = String.raw({ raw: strings }, ...names) // not as it stands in the script, where a build has escapes
  const statement = { text }
  known.set(text, statement)
  return statement
}

/** One statement for each of some names: `forEach(['A', 'Z'], (side) => sql`…${side}…`)['A']`. */
export const forEach = <const K extends string, S>(names: readonly K[], make: (name: K) => S): Readonly<Record<K, S>> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, S>

/** Every statement of the modules that are loaded, and those that are made for each of some models. */
export const statements = (models: readonly AnyModel[]): readonly Statement[] => [
  ...known.values(),
  ...makers.flatMap(({ of, takes }) => models.filter(takes).map(of)),
]

const makers: { of: (m: AnyModel) => Statement; takes: (m: AnyModel) => boolean }[] = []

/** A statement for each model that `takes` holds for, made when it is first asked for. */
export function sqlOf<T = unknown>(
  make: (m: AnyModel) => string,
  takes = (_: AnyModel) => true,
): (m: AnyModel) => Statement<T> {
  const made = new Map<AnyModel, Statement<T>>()
  const of = (m: AnyModel): Statement<T> => {
    const statement = made.get(m) ?? { text: make(m) }
    made.set(m, statement)
    return statement
  }
  makers.push({ of, takes })
  return of
}
