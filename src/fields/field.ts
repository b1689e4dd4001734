import type { GenericSchema } from 'valibot'
import type { Filter } from '../filters/filter.ts'
import type { FlatContext, ResolveContext, SqlContext, Text, TextContext } from './context.ts'
import type { Control } from './control.ts'
import type { OptionFacts } from './facts.ts'
import type { Graph } from './graph.ts'

/** Types a field carries: `cols` are its columns keyed by the suffix added to the field name. */
export interface Types {
  cols: object
  in: unknown
  optional: boolean
}

/** A value SQLite stores. */
export type Stored = string | number | bigint | Buffer | null

/**
 * One database column. `index` asks for an index of its own, `beside` names columns that follow in it; foreign keys
 * have one anyway.
 */
export interface Column {
  type: 'text' | 'integer' | 'real' | 'blob'
  null?: boolean
  default?: Stored
  index?: boolean
  beside?: readonly string[]
  references?: string
}

/** One member of a JSON object: its key and the SQL expression of its value. */
export type Pair = readonly [key: string, sql: string]

/**
 * Members of a nested object where they differ from the target's nested form; an object gives a member its own shape.
 */
export type Shape = readonly (string | Readonly<Record<string, Shape>>)[]

/** A stored row with column names as in the database. */
export type Row = Record<string, Stored>

/** Refused input: the texts go under the field's name in the answer, or under `key` when that is another. */
export class FieldError extends Error {
  readonly detail: unknown
  readonly key: string | undefined
  constructor(detail: unknown, key?: string) {
    super(typeof detail === 'string' ? detail : JSON.stringify(detail))
    this.detail = typeof detail === 'string' ? [detail] : detail
    this.key = key
  }
}

/** A field of a model: one flat object, each member of which answers one layer's question; absent where it has none. */
export interface Field<T extends Types = Types> {
  readonly kind: string
  readonly options: Common
  /** Required on create. */
  readonly required: boolean
  readonly readOnly: boolean
  /** Database columns by name. */
  readonly columns: (name: string) => Record<string, Column>
  /** Model a `<name>_id` column points at. */
  readonly target?: Target
  /** Model a many to many field links to, through a table of its own. */
  readonly links?: Target
  /** Links to rows through a table that all models share; its column `type` names the model of the row `from`. */
  readonly sharedLinks?: { model: string; table: string; type: string; from: string; to: string }
  /** The value is a JSON object in this column, whose members are those that users define. */
  readonly userDefined?: string
  /** The value is a file below this folder of the uploads. */
  readonly upload?: { folder: string }
  /** A count of other rows, worked out when it is read. */
  readonly counts?: boolean
  /** Rows of another model that a body may name, to point their reference `by` at this object. */
  readonly moves?: { model: string; by: string }
  /** Generic reference: the two columns are `<as>_type` and `<as>_id`. */
  readonly generic?: Generic
  /** A stored count of rows of another model, kept by the writer. */
  readonly counter?: { model: string; by: string }
  /** Where rows of another model refer to this one, the sum of their column `of`, kept by that model's rules. */
  readonly sum?: Sum
  /** Input keys when they are not just the field's own name. */
  readonly keys?: (name: string) => string[]
  /** Those of the keys that a create request must have, where not all. */
  readonly requiredKeys?: (name: string) => string[]
  /** Checks the form of one input value (valibot); absent for read-only fields. */
  readonly input?: () => GenericSchema<unknown, unknown>
  /** What a create request that leaves the field out is told, where it is required and the usual text does not fit. */
  readonly missing?: string
  /** `input` judges null itself; else null is refused unless the field is nullable. */
  readonly judgesNull?: boolean
  /** The texts about the form of an input, as the answer says them. */
  readonly refusal?: (texts: unknown) => unknown
  /** What `write` takes for a new row of which nothing is said, where the field has no default. */
  readonly unsaid?: unknown
  /** Columns that are worked out from another of the field's own: what they have to be in a row. */
  readonly derived?: (row: Row, name: string) => Row
  /** A stored value as rules of the configuration judge it, where that is another. */
  readonly judged?: (stored: Stored | undefined) => unknown
  /** Second step for values that name other rows. Throws `FieldError`. */
  readonly resolve?: (value: unknown, context: ResolveContext, name: string) => unknown
  /**
   * Checked and resolved value to column values. `digits`: what a body says of a number that JavaScript reads
   * otherwise.
   */
  readonly write?: (value: unknown, name: string, digits?: string) => Record<string, Stored>
  /**
   * What a JSON body says of what a text says of input key `key`; an empty text says null or nothing chosen.
   * Throws `FieldError`; the value itself is judged by `input`. Absent where no text can say it (files).
   */
  readonly fromText?: (text: Text, context: TextContext, key: string) => unknown
  /** A value as the API shows it under an input key, as a text that `fromText` reads back. */
  readonly toText?: (shown: unknown, context: TextContext, key: string) => string
  /** What a text among data, in JSON or YAML, says to a body, where that is not `fromText`, which reads cells. */
  readonly fromWord?: (word: string) => unknown
  /** A value as the API shows it, as a table of JSON or YAML holds it; `fromWord` reads it back where it is a text. */
  readonly toWord?: (shown: unknown) => unknown
  /**
   * A value as the API shows it, as people type it in a form, where `toText` says it otherwise; `fromText` reads it
   * too.
   */
  readonly typed?: (shown: unknown) => string
  /** A value as the API of another server shows it, as `write` takes it; undefined leaves the default. */
  readonly fromShown?: (shown: unknown) => unknown
  /** Parts of the value that a lookup may name before its comparison (`created__year__gt`): SQL of each. */
  readonly parts?: Readonly<Record<string, (sql: string) => string>>
  /** Lookups may name keys within the value, which is JSON. */
  readonly keyed?: boolean
  /** Members that the field adds to the JSON of row alias `t`. */
  readonly output: (t: string, name: string, sql: SqlContext) => Pair[]
  /**
   * Columns of the field in a table of plain values, as reports read it; default: what it is compared by, or its own
   * column.
   */
  readonly flat?: (t: string, name: string, sql: FlatContext) => readonly Pair[]
  /** The column that change records show as it is, where that is not the one of the field's name. */
  readonly shownColumn?: (name: string) => string
  /**
   * Value in change records, from the stored row, where that is another than the column's; `undefined` leaves the field
   * out.
   */
  readonly snapshot?: (row: Row, name: string) => Record<string, unknown>
  /** Covers the secrets in the two values of a change record. */
  readonly conceal?: (before: unknown, after: unknown) => readonly [unknown, unknown]
  /**
   * SQL that selects one JSON value for change records, from an expression of the row's id and its model, where the
   * value lies in other tables.
   */
  readonly recorded?: (id: string, model: string) => string
  /** A body says it as a list, each item of which a form may say by itself. */
  readonly isList?: true
  /** The items of such a list are objects that have ids in it. */
  readonly namesObjects?: true
  /** The value is stored as a JSON list whose order says nothing: a merge compares what was added and taken. */
  readonly isSet?: true
  /** What GraphQL shows of the value and compares; absent where neither. */
  readonly graphql?: Graph
  /** Filters of GraphQL do not look at it. */
  readonly uncompared?: true
  /** Rows of another model whose reference `by` is this object. */
  readonly reverse?: { readonly model: string; readonly by: string }
  /** The value is a list of objects of these models, or one object of a model, that the SQL of `output` finds. */
  readonly objects?: { readonly models: readonly string[]; readonly name: string }
  readonly object?: { readonly model: string; readonly id: (t: string, sql: SqlContext) => string }
  /** Objects of several models by way of rows of `through`: SQL of which of those rows are this object's. */
  readonly listed?: {
    readonly models: readonly string[]
    readonly through: string
    readonly generic: string
    readonly order: string
    readonly mine: (a: string, id: string) => string
  }
  /** Query parameters the field brings without being asked, keyed by parameter name. */
  readonly filters?: (name: string) => Record<string, Filter>
  /** SQL to compare and order by; absent when the field cannot be ordered by. */
  readonly compare?: (t: string, name: string, sql?: SqlContext) => string
  /** Text or JSON value from outside to what `compare` is compared with; `undefined` when it cannot match. */
  readonly parse?: (raw: unknown) => Stored | undefined
  /** How a form asks for the value; absent where it is not entered. */
  readonly control?: (name: string) => Control
  /** How pages show the value where its JSON does not tell. */
  readonly look?:
    | 'markdown'
    | 'code'
    | 'color'
    | 'moment'
    | 'image'
    | 'link'
    | 'mail'
    | 'secret'
    | 'types'
    | 'percent'
    | 'earlier'
  /** Items of a list as people read them, where these are others: runs of numbers, pairs as one word. */
  readonly inWords?: (items: readonly unknown[]) => readonly unknown[]
  /** What people read for each value, where its JSON is the value alone. */
  readonly labels?: ReadonlyMap<unknown, string>
  /** The value is the number of objects of this model whose reference `by` is the object: pages lead to them. */
  readonly tally?: { readonly model: string; readonly by: string }
  /** OPTIONS facts of each member; `shape`: as shown in a nested object that asks for these members of it. */
  readonly describe: (name: string, shape?: Shape) => Record<string, OptionFacts>
  /** JSON schema of each member as read, keyed by member; `write` when the written form differs. `shape` as above. */
  readonly schema: (name: string, shape?: Shape) => Record<string, Member>
  readonly '~types'?: T
}

/** JSON schema of one member: as read and, if it can be written, as written. */
export interface Member {
  read?: object
  write?: object
}

export interface Sum {
  model: string
  by: string
  of: string
}
export interface Target {
  model: string
  onDelete: OnDelete
  related?: string | undefined
  unique?: boolean | undefined
  via?: string | undefined
  /** Fields that mean nothing without the reference, and are emptied with it. */
  beside?: readonly string[] | undefined
  /** Fields whose values are those of the object that it names, while it names one. */
  gives?: readonly string[] | undefined
  /** It is the row that refers here by `by` and holds these values, as that model's rules keep it. */
  points?: Points | undefined
  /** The value of another field without which a write leaves no members: of what a port does not carry. */
  heldBy?: { field: string; value: string } | undefined
}
export interface Points {
  by: string
  when: Row
}
export interface Generic {
  models: readonly string[] | `feature:${string}`
  as?: string | undefined
  related?: string | undefined
  onDelete: 'cascade' | 'keep'
  viewed?: boolean | undefined
}
export type OnDelete = 'cascade' | 'set null' | 'protect' | 'restrict'

/** Options shared by every field factory. */
export interface Common {
  /** Label shown to people where it is not the name with spaces. */
  label?: string
  help?: string
  nullable?: boolean
  blank?: boolean
  required?: boolean
  unique?: boolean
  readOnly?: boolean
  /** The model's `prepare` works it out from other fields of the row: nobody decides on it. */
  prepared?: boolean
  /** The field that it is worked out from when that is written, and with which it changes: an image, of its size. */
  of?: string
  /** Stored, but never in an answer nor taken from a body. */
  hidden?: boolean
  /** Pages show it and people enter it there, or in what they import, though no body of the API says it. */
  entered?: boolean
  /** A reference that fills it: people leave it empty where they choose one. */
  filledBy?: string
  /** GraphQL shows it though it is hidden; of a reference the id alone. */
  graphed?: boolean
  /** No constraint or reference may compare it, and EXEMPT_VIEW_PERMISSIONS does not open a model that shows it. */
  secret?: boolean
  /** Taken from a body, never shown. */
  writeOnly?: boolean
  /** Serializer default: applied on create and on PUT when the field is left out. */
  apiDefault?: Stored | readonly []
  /** False: the field brings no query parameter of its own. */
  filter?: boolean
  /** Indexed on its own. */
  index?: boolean
  /** What a number is measured in: the member that says it (`weight_unit`), or always the same (`mm`). */
  unit?: string
}

/** True when a create request may leave the field out. */
export type Omittable<O> = O extends { required: true }
  ? false
  : O extends { nullable: true } | { blank: true } | { default: unknown } | { hidden: true } | { onDelete: 'set null' }
    ? true
    : false
export type Nullable<O, V> = O extends { nullable: true } | { onDelete: 'set null' } ? V | null : V

export const linkTable = (owner: string, field: string): string => `${owner}_${field}`

/** True when the options make the field required on create. */
export const isRequired = (o: Common & { default?: unknown }): boolean =>
  o.required ??
  !(o.nullable || o.blank || o.hidden || o.readOnly || o.default !== undefined || o.apiDefault !== undefined)
