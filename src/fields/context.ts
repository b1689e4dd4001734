import type { AnyModel } from '../declare/model.ts'
import type { Upload } from '../lib/upload.ts'
import type { Row, Shape } from './field.ts'

/** What SQL generation may ask of its surroundings; keeps fields free of imports from the registry. */
export interface SqlContext {
  /** Every declared model. */
  models: readonly AnyModel[]
  /** The declared model of a name. */
  model: (name: string) => AnyModel
  /** JSON object of a related row: its nested form, or the members named in `shape`. */
  nested: (target: AnyModel, alias: string, shape?: Shape) => string
  /**
   * JSON object of the row of a model that an expression of row alias `t` gives the id of, as `nested`; null where
   * there is none.
   */
  object: (target: AnyModel, t: string, id: string, shape?: Shape) => string
  /** ORDER BY terms that put rows of a model as its own list has them, and the joins these need. */
  ordered: (target: AnyModel, alias: string) => { joins: string; terms: string }
  /** Declared model names that have a feature, or all for `all`. */
  typesWith: (feature: string) => ReadonlySet<string>
  /** Members asked of the nested object instead of its usual ones, where an outer shape says so. */
  forced: Shape | undefined
  /** The model whose row alias `t` is. */
  owner: AnyModel
  /** True inside the nested form of another object, where plain counts are left out. */
  isNested: boolean
  /** SQL that is true where few rows are asked for at a time; absent where all may be. */
  few?: string
  /** Custom field columns of the owner as JSON pairs. */
  customFields: (t: string) => string
  /** A new table alias. */
  alias: () => string
  /**
   * Declares that the result depends on a table; `by`: only on those of its rows whose column is the id of row alias
   * `t`.
   */
  uses: (table: string, by?: { t: string; column: string }) => void
}

/** What the columns of reports may ask for besides. */
export interface FlatContext extends SqlContext {
  /**
   * SQL of the display of the row of a model that an expression gives the id of; undefined where that is not one text.
   */
  display: (target: AnyModel, id: string) => string | undefined
}

/** What resolving an input value may ask: rows by id or by attributes, the acting user's view. */
export interface ResolveContext {
  /** Id of the row named by an id or an attribute object; throws `FieldError`. */
  related: (model: string, value: unknown, options?: { unrestricted?: boolean }) => number
  /** Ids of rows named by ids only (many-to-many lists); throws `FieldError`. */
  relatedIds: (model: string, value: readonly unknown[]) => number[]
  /** True when a row of the model has this id. */
  exists: (model: string, id: number) => boolean
  /** Every declared model name that has a feature, or all for `all`. */
  typesWith: (feature: string) => ReadonlySet<string>
  /** Keeps an uploaded file below the uploads folder; answers its path there. */
  keep: (folder: string, upload: Upload) => string
  /** The model being written and the stored row before the change, if any. */
  model: AnyModel
  before: Row | undefined
}

/** A cell of a table, or what a form sent: several texts where several were chosen. */
export type Text = string | readonly string[]

/** How texts name other objects: by id in forms, by their natural keys in files. */
export interface TextContext {
  /** What a body says for the object that a text, or an item of a JSON list, names. Throws `FieldError`. */
  refer: (model: string, named: unknown) => unknown
  /** What an object, as the API shows it, is called in a text. */
  name: (model: string, shown: unknown) => unknown
}
