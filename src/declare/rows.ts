import type { Row, Stored } from '../fields/field.ts'
import type { ModelName, Models } from '../models/index.ts'
import type { AnyModel, RowNamed } from './model.ts'
import type { Statement } from './statement.ts'

/**
 * What a column is compared with, other than being the same: not a value, one of a list, or within bounds (both
 * included).
 */
type Test<T> =
  | { readonly not: T | null }
  | { readonly in: readonly T[] }
  | { readonly from: T; readonly to?: T }
  | { readonly to: T }

/** Columns and what they are, all of them together; `null` finds rows without a value. */
export type Where<R> = { readonly [C in keyof R]?: R[C] | Test<NonNullable<R[C]>> }

/** Columns that are read, where not all of them, and those that rows are ordered by. */
interface ReadOptions<R, C extends keyof R> {
  only?: readonly C[]
  order?: readonly (keyof R)[]
}

/**
 * Rows of models by their columns: names of models and columns are known to the compiler. A model of any name is given
 * as such.
 */
export interface Rows {
  /** A row by its id. */
  row<N extends ModelName>(model: N, id: number): RowNamed<N> | undefined
  row(model: AnyModel, id: number): Row | undefined
  /** Rows whose columns are as said. */
  rows<N extends ModelName, C extends keyof RowNamed<N> = keyof RowNamed<N>>(
    model: N,
    where: Where<RowNamed<N>>,
    reading?: ReadOptions<RowNamed<N>, C>,
  ): Pick<RowNamed<N>, C>[]
  rows(model: AnyModel, where: Where<Row>, reading?: ReadOptions<Row, string>): Row[]
  /** The first of them. */
  first<N extends ModelName, C extends keyof RowNamed<N> = keyof RowNamed<N>>(
    model: N,
    where: Where<RowNamed<N>>,
    reading?: ReadOptions<RowNamed<N>, C>,
  ): Pick<RowNamed<N>, C> | undefined
  first(model: AnyModel, where: Where<Row>, reading?: ReadOptions<Row, string>): Row | undefined
  /** Whether there is one. */
  has<N extends ModelName>(model: N, where: Where<RowNamed<N>>): boolean
  has(model: AnyModel, where: Where<Row>): boolean
  /** How many there are. */
  count<N extends ModelName>(model: N, where: Where<RowNamed<N>>): number
  count(model: AnyModel, where: Where<Row>): number
  /** Ids of the rows that a many-to-many field of some rows links to, each once. */
  linked<N extends ModelName>(model: N, field: keyof Models[N]['fields'] & string, ids: readonly number[]): number[]
  /** Changes columns of rows without checks or change records (caches, sort keys). */
  set<N extends ModelName>(model: N, where: Where<RowNamed<N>>, columns: Partial<RowNamed<N>>): void
  set(model: AnyModel, where: Where<Row>, columns: Row): void
  /** Deletes rows without looking at what refers to them, and without change records; answers how many. */
  drop<N extends ModelName>(model: N, where: Where<RowNamed<N>>): number
  drop(model: AnyModel, where: Where<Row>): number

  /** First row of a statement; all of them; a statement that changes rows, and how many it changed. */
  get: <T>(statement: Statement<T>, ...values: Stored[]) => T | undefined
  all: <T>(statement: Statement<T>, ...values: Stored[]) => T[]
  run: (statement: Statement, ...values: Stored[]) => number
}
