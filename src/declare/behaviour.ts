import type { Row } from '../fields/field.ts'
import type { ModelName } from '../models/index.ts'
import type { Relation, Step } from '../engine/catalog.ts'
import type { AnyModel, RowNamed } from './model.ts'
import type { Rows } from './rows.ts'

/** Texts refused, by field; `__all__` for the object as a whole. */
export type Errors = Record<string, unknown>

/** What the rules of a model may use while one of its rows is written; all of it inside the write's transaction. */
export interface WriteTools extends Rows {
  /** The text by which people know a row. */
  display: (model: string, id: number) => string
  /**
   * Creates, changes or deletes an object of any model as the API would, with its change record. Values are as in a
   * body.
   */
  create: (model: string, body: object) => number
  update: (model: string, id: number, body: object) => void
  remove: (model: string, id: number) => void
  /** Stores a row made of columns and records it, without the checks of a body; answers its id. */
  insert<N extends ModelName>(model: N, columns: Partial<RowNamed<N>>): number
  insert(model: AnyModel, columns: Row): number
  /** Changes columns of a row and records the change, without the checks of a body. */
  patch<N extends ModelName>(model: N, id: number, columns: Partial<RowNamed<N>>): void
  patch(model: AnyModel, id: number, columns: Row): void
  /**
   * Says how many rows the next statement changes, where they may be many: what others would wait for is done
   * elsewhere, from the beginning.
   */
  expects: (rows: number) => void
  /** The constraints of the acting user's grants of an action on a model; null for none. */
  constraints: (action: string, model: string) => readonly unknown[]
  /** Whether the acting user may do this to all objects of a model that some constraints allow. */
  holds: (action: string, model: string, constraints: unknown) => boolean
  /** Why constraints on a model go beyond the bounds, if they do. */
  excessOf: (constraints: unknown, model: string) => string | undefined
  /** Whether the acting user may do this to one stored row. */
  mayOn: (action: string, model: string, id: number) => boolean
  /** Whether the acting user may do this to objects of a model at all. */
  may: (action: string, model: string) => boolean
  readonly user: { id: number | null; name: string; superuser: boolean }
  readonly config: Settings
  readonly now: string
  readonly model: (name: string) => AnyModel
  /** Every declared model. */
  readonly models: readonly AnyModel[]
}

/** Settings that rules ask for. */
interface Settings {
  enforceGlobalUnique: boolean
  preferIpv4: boolean
  [name: string]: unknown
}

export interface WriteEvent<R> {
  /** The row as it will be stored (rules may change it) or was stored. */
  row: R
  /** The row before the change; undefined on create. */
  before: R | undefined
  /** Refused texts so far; a rule adds its own. */
  errors: Errors
  /** The body's fields that were given, after checks: many-to-many ids among them. */
  given: Record<string, unknown>
  /** The body as it came. */
  body: Record<string, unknown>
  tools: WriteTools
  /**
   * Records what the row is so far, so that what a rule changes next has a record of its own; of a new row before the
   * rule adds anything to it.
   */
  recordSoFar: () => void
  /** People entered it in a form, which says all that there is, where a body of the API says what changes. */
  isEntered?: boolean | undefined
}

/** Rules of one model. Order in one write: prepare → validate → rows → links → saved → change record. */
export interface Behaviour<R = Row> {
  /** Fills columns from others before the rules are checked. */
  prepare?(event: WriteEvent<R>): void
  /** Cross-field rules. */
  validate?(event: WriteEvent<R>): void
  /** After the row and its links are stored. */
  saved?(event: WriteEvent<R>): void
  /** After a row that was deleted came back as it was: works out what others keep of it. */
  returned?(event: { row: R; tools: WriteTools }): void
  /**
   * In place of `saved`, after rows were put to states that they had, or that another server has, or went: works out
   * what others keep of all of them. May come again for the same rows.
   */
  settled?(event: { rows: readonly { before: R | null; after: R | null }[]; tools: WriteTools }): void
  /** Before the row goes; its references are still there. Throw `Refused` to keep it. */
  deleting?(event: { row: R; tools: WriteTools }): void
  deleted?(event: { row: R; tools: WriteTools }): void
  /** Columns of import tables besides the fields. */
  importColumns?: ImportColumns
  /** Extra endpoints below an object: `/api/<path>/<id>/<name>/`, or below the list when `list` is set. */
  actions?: Record<string, Action>
  /** Changes a body before it is checked (passwords, files). */
  accept?(body: Record<string, unknown>, event: { before: R | undefined; tools: WriteTools }): Record<string, unknown>
  /** Adds to a freshly written object's JSON what is shown once only. */
  showOnce?(event: WriteEvent<R>): Record<string, unknown>
}

/** Columns of tables to import that are no members of a body, as the reference's own import forms have them. */
export interface ImportColumns {
  /** What a column says: an object of a model (read as its id), a text, or yes or no. Earlier ones are read first. */
  columns: Readonly<Record<string, string>>
  /** Columns that say where another column's object belongs, by that column and the reference that must agree. */
  narrows?: Readonly<Record<string, readonly (readonly [column: string, by: string])[]>>
  /** Members of a body from the columns that a line fills. Throws `FieldError`, whose key is the column. */
  read: (
    given: Readonly<Record<string, unknown>>,
    find: (model: string, attributes: object) => number,
    body: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
  /** Changes to other objects once the line's own is written. */
  written?: (id: number, given: Readonly<Record<string, unknown>>, tools: WriteTools) => void
}

/** A request to an action: its object, query and body; the answer's status and JSON. */
export interface ActionRequest {
  id: number
  query: URLSearchParams
  body: unknown
  base: string
  tools: ActionTools /** Plain text is asked for rather than JSON. */
  wantsText: boolean
}
/** A row's id and that of a row it leads to. */
export interface Pair {
  owner: number
  target: number
}
export interface ActionTools extends WriteTools {
  /** JSON of objects as their endpoint shows them. */
  render: (model: string, ids: readonly number[], view?: 'full' | 'brief' | 'nested') => string[]
  /** Ids of the objects that a list query finds, among those the acting user may view. */
  find: (model: string, query: URLSearchParams) => readonly number[]
  /** Where a field or a reverse relation of a model leads. */
  step: (m: AnyModel, segment: string) => Step | undefined
  /** Which of some rows of a model lead to which others by one relation. */
  pairs: (m: AnyModel, relation: Relation, ids: readonly number[]) => Pair[]
  /** Refuses with 403 when the user may not do this to a model. */
  demand: (action: string, model: string) => void
  /** Page size asked for by `limit`, within the configured limits. */
  limit: (query: URLSearchParams) => number
}
export interface ActionAnswer {
  status: number
  json?: unknown /** Finished JSON text instead. */
  text?: string
  type?: string
}
export interface Action {
  get?: {
    /** What the user must be allowed to do: to this object, or to objects of the model `of` instead. */
    permission: string
    of?: ModelName
    run: (request: ActionRequest) => ActionAnswer
    /**
     * JSON schema of the answer, in which `~object` (`~uncounted`: without counts) and `~nested` name models, and those
     * of the query parameters.
     */
    schema?: object
    query?: Record<string, object>
    /** Queries of this action that answer drawings, for the page of an object as its endpoint shows it. */
    drawings?: (shown: Record<string, unknown>) => readonly string[]
  }
  /** An answer that takes longer is promised; by then the transaction is over. */
  post?: {
    permission: string
    of?: ModelName
    /** Who may not do this to an object is told 404 as if it were not there, also who may do it to none. */
    unseen?: boolean
    run: (request: ActionRequest) => ActionAnswer | Promise<ActionAnswer>
    body?: object
    schema?: object
    /** Status of the answer, 200 by default, and types of text that it may come in besides JSON. */
    status?: number
    types?: readonly string[]
  }
}

/** A refusal with its own status and body, whatever it interrupts. */
export class Refused extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(typeof body === 'object' && body && 'detail' in body ? String(body.detail) : `refused with ${status}`)
    this.status = status
    this.body = body
  }
}
/** 400: a row that follows another would be the same as a third in what must tell them apart. */
export class SameAsOther extends Refused {
  constructor(errors: Errors) {
    super(400, errors)
  }
}
/** 400 with texts under fields. */
export const invalid = (errors: Errors): Refused => new Refused(400, errors)
