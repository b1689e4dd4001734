import type { Field, Shape, Types } from '../fields/field.ts'
import type { SqlContext } from '../fields/context.ts'
import type { Filter } from '../filters/filter.ts'
import type { ModelName, Models } from '../models/index.ts'
import type { Behaviour } from './behaviour.ts'
import type { Pages } from '../engine/pages.ts'

type Fields = Record<string, Field<any>>

/** Fields that together are unique; `lower` compares one without case. */
export interface Unique {
  fields: readonly (string | { lower: string })[]
  /** Only of rows that have nothing in some fields, and something in others. */
  when?: { isNull?: readonly string[]; isSet?: readonly string[] }
  /** The text of the refusal, and the key it stands under, where not the usual ones. */
  message?: string
  key?: string
}
/** The field of one part of a unique rule. */
export const fieldOfPart = (part: string | { lower: string }): string => (typeof part === 'object' ? part.lower : part)

/** What `?q=` looks at: paths searched for the text, and what else counts when the value is a number or an address. */
interface Search {
  text: readonly string[]
  /** Paths that begin with the text, and paths that are the text. */
  starts?: readonly string[]
  equal?: readonly string[]
  /** Paths compared for equality when the value is a whole number. */
  integer?: readonly string[]
  /** Another condition of the value, or undefined when it has none. */
  also?: Filter['compile']
}

/** What a model says of its part of the GraphQL schema where that does not follow. */
export interface Graphic {
  /** Name of the type and of the filter, where not those of the object with `Type` and `Filter`. */
  type?: string
  filter?: string
  /** Name in `Query`, where it is not the label; false: it is not there. */
  root?: string | false
  members?: string
  filters?: string
  /** Filters that it takes and the REST API does not. */
  parameters?: Record<string, Filter>
}

interface Options<F extends Fields> {
  /** Path under /api/, for instance `dcim/sites`. */
  path: string
  /** Another path under /api/ that answers the same. */
  alias?: string
  /** Names for people: `site`, `sites`. */
  label: string
  plural: string
  /** Name in "No X matches the given query." */
  objectName: string
  /** Members of `?brief=1`. */
  brief: readonly string[]
  /** Members when embedded in another object; default the brief ones. */
  nested?: Shape
  /** Display text: a field, or SQL for row alias `t`. */
  display: (keyof F & string) | ((t: string, sql: SqlContext) => string)
  /** Default order; `-` reverses; a reference sorts by its target's order. */
  order: readonly string[]
  unique?: readonly Unique[]
  /**
   * Fields by which another database finds the same row, where the unique ones do not say it; `name?` counts where the
   * others name several.
   */
  key?: readonly string[]
  /** Query parameters besides those that the fields bring; `null` takes one away. */
  filters?: Record<string, Filter | null>
  /** The filter of a parameter whose name depends on what is stored, if it is one. */
  openFilter?: (name: string) => { filter: Filter; lookup: string } | undefined
  search?: Search
  features?: readonly string[]
  /** Indexes beside those that references, orders and unique rules bring, by their columns. */
  indexes?: readonly (readonly string[])[]
  /**
   * An inventory may have very many of them: lists in the order of their last change have an index, and rows are
   * counted beforehand by these columns, whose values many rows share.
   */
  large?: readonly string[]
  /** Absent from a read-only endpoint's answer to OPTIONS; default all verbs. */
  methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** False: writes leave no change records. */
  changeLogged?: boolean
  /** False: the journal keeps no earlier states of its rows, so that they are not in the past and not brought back. */
  past?: false
  /**
   * Path of its page (`core/changelog`) where that is not `path`; false: answers have no display_url, as there is no
   * page of each object, but with `pages.ofEach`.
   */
  displayUrl?: false | `${string}/${string}`
  /** Members that lead a full answer, in this order, where those are not id, url, display_url and display. */
  leading?: readonly string[]
  /**
   * Parent reference of a tree: lists are depth first, siblings by a text field or else as they were made; `_depth` is
   * kept, roots have no parent.
   */
  tree?: { parent: string; by?: string }
  /** Field whose object change records name as related; of several, the first that has one. */
  relatedObject?: string | readonly string[]
  /** Bulk create runs one by one and answers the first error alone. */
  sequential?: boolean
  /** No endpoint: rows exist for other models' sake. `own`: clients know no object type of this name either. */
  internal?: boolean | 'own'
  /**
   * Not of the reference: clients that count endpoints find it neither in the root of its application nor in the
   * OpenAPI document.
   */
  own?: true
  /** Whether its object type is public; default where it has an endpoint. */
  public?: boolean
  /** Every user may view it, whatever their permissions. */
  open?: boolean
  /** A row whose `shared` is false is there for its `user` and for superusers alone. */
  personal?: boolean
  /** Bodies of the objects that a fresh server holds. */
  initial?: readonly Create<F>[]
  /** What GraphQL has of it besides what follows from the fields, as words of src/graphql/words.ts; false: nothing. */
  graphql?: false | Graphic
  /** What pages show of it. */
  pages?: Pages
  /** Verbs beyond view, add, change, delete. */
  permissions?: readonly string[]
}

interface Model<N extends string, F extends Fields> extends Options<F> {
  readonly name: N
  readonly app: string
  readonly table: string
  readonly fields: F
  readonly behaviour: Behaviour<any>
}
export interface AnyModel extends Model<string, any> {}

/** Declares a model. Everything else (table, checks, SQL, filters, OpenAPI, pages) is derived from the result. */
export function model<const N extends string, F extends Fields>(name: N, fields: F, options: Options<F>): Model<N, F> {
  const [app] = name.split('.') as [string]
  return {
    ...options,
    name,
    app,
    table: name.replace('.', '_'),
    fields: Object.assign(Object.create(null), fields), // what people ask for may be called `constructor`
    behaviour: {},
  }
}

/** Adds rules of one model, below its declaration; throws when another set has the same one. */
export function behaviour<N extends string, F extends Fields>(target: Model<N, F>, rules: Behaviour<Row<F>>): void {
  const { actions, ...hooks } = rules
  const twice = Object.keys(hooks).find((name) => name in target.behaviour)
  if (twice) throw new Error(`${target.name} has two rules named ${twice}`)
  Object.assign(target.behaviour, hooks, actions ? { actions: { ...target.behaviour.actions, ...actions } } : {})
}

/** Name of an app for people: `DCIM`, `Extras`. */
export const appLabel = (app: string): string =>
  ['dcim', 'ipam', 'vpn'].includes(app) ? app.toUpperCase() : app.charAt(0).toUpperCase() + app.slice(1)

// Types derived from a declaration

type TypesOf<D> = D extends Field<infer T extends Types> ? T : never
type ColumnOf<K extends string, C> = {
  [S in keyof C & string]: { key: S extends `~${infer Own}` ? Own : `${K}${S}`; value: C[S] }
}[keyof C & string]
type ColumnsOf<F extends Fields> = { [K in keyof F & string]: ColumnOf<K, TypesOf<F[K]>['cols']> }[keyof F & string]
type OptionalKeys<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['optional'] extends true ? K : never }[keyof F]
type ReadOnlyKeys<F extends Fields> = { [K in keyof F]: [TypesOf<F[K]>['in']] extends [never] ? K : never }[keyof F]

/** The stored row, with column names as in the database. */
type Row<F extends Fields> = { id: number } & { [C in ColumnsOf<F> as C['key']]: C['value'] }
/** Body of a POST. */
type Create<F extends Fields> = { [K in Exclude<keyof F, OptionalKeys<F>>]: TypesOf<F[K]>['in'] } & {
  [K in Exclude<OptionalKeys<F>, ReadOnlyKeys<F>>]?: TypesOf<F[K]>['in']
}

type RowOf<M> = M extends Model<string, infer F> ? Row<F> : never
/** The stored row of a model by its name; looked up lazily, so that models may refer to each other in any order. */
export type RowNamed<N extends ModelName> = RowOf<Models[N]>
