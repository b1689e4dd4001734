import { isSafeName } from '../lib/image.ts'
import { isObject } from '../lib/json.ts'
import * as v from 'valibot'
import { fieldsOf, genericPrefix, genericTargets, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { ResolveContext } from '../fields/context.ts'
import { FieldError, type Field, type Row, type Stored } from '../fields/field.ts'
import { parseDateTime } from '../lib/datetime.ts'
import { parseExact } from '../lib/exact-json.ts'
import { q } from '../lib/sql.ts'
import { Upload } from '../lib/upload.ts'
import type { Connection } from '../store/database.ts'
import { type Journaled, journaled } from '../store/journal.ts'
import { resolver } from '../store/references.ts'
import { isTagged } from '../store/tags.ts'
import { fileFields } from '../store/uploads.ts'
import type { Writing } from '../store/write.ts'
import { type Bundle, BundleError, MostEarlier, type RowLine } from './bundle.ts'
import { same } from './changes.ts'
import { shared } from './collisions.ts'
import { accountTables, type Coming, exchanged, isLink } from './coming.ts'

/** The largest id: the index of the search has 38 bits for one. */
const LastId = 2 ** 38 - 1
const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

interface ColumnFacts {
  name: string
  type: string
  notnull: 0 | 1
}

/**
 * Throws `BundleError` unless the rows, change records and files of a bundle have the form in which Cabinet writes
 * them: whoever has the key of a kit can sign anything.
 */
export const demandForm = (db: Connection, bundle: Bundle): void => new Form(db, bundle).demand()

class Form {
  readonly #db: Connection
  readonly #bundle: Bundle
  readonly #facts = new Map<string, ReadonlyMap<string, ColumnFacts>>()

  constructor(db: Connection, bundle: Bundle) {
    this.#db = db
    this.#bundle = bundle
  }

  demand(): void {
    const { header, rows, records, files } = this.#bundle
    const seen = new Set<string>()
    const named = new Set<string>()
    for (const line of rows) {
      const place = typeof line.t === 'string' ? this.#placeOf(line.t) : undefined
      if (!place) {
        const isKnown = typeof line.t === 'string' && journaled().has(line.t)
        throw isKnown ? new BundleError(`${line.t} does not go from a ${header.from} to the other side.`) : damaged()
      }
      const what = `${place.m.label} ${line.i}`
      if (!isId(line.i) || line.i > LastId || seen.has(`${line.t}:${line.i}`)) throw damaged('an id')
      seen.add(`${line.t}:${line.i}`)
      this.#row(place, line, what)
      if (line.r && !isLink(place)) for (const name of fileFields(place.m)) named.add(String(line.r[name]))
    }
    for (const path of files.keys()) if (!named.has(path)) throw damaged('a file that no row names')
    for (const record of records) if (!v.is(Record, record)) throw damaged('a change record')
  }

  #placeOf(table: string): Journaled | undefined {
    return exchanged().get(table) ?? (this.#bundle.header.from === 'source' ? accountTables().get(table) : undefined)
  }

  #row(place: Journaled, { i, r, b, e = [], n = {} }: RowLine, what: string): void {
    if (r !== null) {
      if (!isRecord(r) || r.id !== i) throw damaged(what)
      this.#state(place, r as Row, what, true)
    }
    if (!Array.isArray(e) || e.length > MostEarlier) throw damaged(what)
    for (const state of e) {
      if (!isRecord(state)) throw damaged(what)
      this.#state(place, state as Row, what, false)
    }
    if (!isRecord(n) || !Object.values(n).every(isText)) throw damaged(what)
    if (b === undefined) return
    if (!isRecord(b)) throw damaged(what)
    for (const [push, state] of Object.entries(b)) {
      if (!/^\d{1,15}$/.test(push) || (state !== null && !isRecord(state))) throw damaged(what)
      if (state !== null) this.#state(place, state as Row, what, false)
    }
  }

  /** A row; `isNow`: as it is, so that it has all columns and no other. Earlier ones may be of an older version. */
  #state(place: Journaled, row: Row, what: string, isNow: boolean): void {
    const facts = this.#factsOf(place.table)
    for (const [name, value] of Object.entries(row)) {
      const fact = facts.get(name)
      const fits = fact ? isOfType(value, fact, isNow) : !isNow && (value === null || typeof value !== 'object')
      if (!fits) throw damaged(`${name} of ${what}`)
    }
    if (isNow) for (const name of facts.keys()) if (!(name in row)) throw damaged(`${what} without ${name}`)
    const sharing = shared().get(place.table)
    if (sharing && !isTaggable(row[sharing.type])) throw damaged(`a reference of ${what}`)
    if (isLink(place)) return
    for (const [name, field] of fieldsOf(place.m)) {
      if (field.generic) {
        const type = row[`${genericPrefix(field, name)}_type`]
        if (type !== null && type !== undefined) demandType(type, genericTargets(field.generic), what)
      }
      if (field.upload && row[name] && !isUploadPath(field, row[name])) throw damaged(`the path of a file of ${what}`)
      if (field.judged || field.userDefined) demandJson(field, row[field.userDefined ?? name], `${name} of ${what}`)
    }
  }

  #factsOf(table: string): ReadonlyMap<string, ColumnFacts> {
    const known = this.#facts.get(table)
    if (known) return known
    const all = this.#db.all<ColumnFacts>('select name, type, "notnull" from pragma_table_info(?)', table)
    const facts = new Map(all.map((each) => [each.name, { ...each, type: each.type.toLowerCase() }]))
    this.#facts.set(table, facts)
    return facts
  }
}

const damaged = (what = 'what it holds'): BundleError =>
  new BundleError(`The bundle is damaged: ${what.slice(0, 200)} is not as Cabinet writes it.`)

const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value)

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')

function isOfType(value: unknown, { type, notnull, name }: ColumnFacts, isNow: boolean): boolean {
  if (value === null) return !isNow || (notnull === 0 && name !== 'id')
  if (type === 'text') return isText(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'real') return Number.isFinite(value)
  return isRecord(value) && typeof value.hex === 'string' && /^(?:[\da-f]{2})*$/i.test(value.hex)
}

function demandType(type: unknown, allowed: ReadonlySet<string>, what: string): void {
  if (typeof type !== 'string' || !allowed.has(type)) throw damaged(`a reference of ${what}`)
}
/** Whether what a tag was put on can be: config contexts too, whose tags that they are for were once noted so. */
const isTaggable = (type: unknown): boolean => {
  const m = typeof type === 'string' && Object.hasOwn(models, type) ? models[type]! : undefined
  return m !== undefined && (isTagged(m) || m.fields.tags !== undefined)
}

/** Whether a path is where the field keeps its files: one name in its folder. */
const isUploadPath = ({ upload }: Field, path: Stored | undefined): boolean => {
  const { folder } = upload!
  return typeof path === 'string' && path.startsWith(`${folder}/`) && isSafeName(path.slice(folder.length + 1))
}

/** What a text holds as JSON; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

function demandJson({ userDefined }: Field, stored: Stored | undefined, what: string): void {
  if (typeof stored !== 'string') return
  const value = parsed(stored)
  if (value === undefined || (userDefined && !isRecord(value))) throw damaged(what)
}

const textOf = (most: number) =>
  v.pipe(
    v.string(),
    v.maxLength(most),
    v.check((text) => isText(text)),
  )
const snapshot = v.nullable(
  v.pipe(
    v.string(),
    v.check((text) => isText(text)),
    v.check((text) => isRecord(parsed(text))),
  ),
)
const Id = v.pipe(
  v.number(),
  v.check((value) => isId(value)),
)
const Record = v.object({
  time: v.pipe(
    v.string(),
    v.check((text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && parseDateTime(text) !== undefined),
  ),
  user_id: v.optional(v.nullable(Id)),
  user_name: textOf(300),
  request_id: v.pipe(v.string(), v.regex(/^[\w-]{0,64}$/)),
  action: v.picklist(['create', 'update', 'delete']),
  changed_object_type: textOf(100),
  changed_object_id: Id,
  message: textOf(2000),
  prechange_data: snapshot,
  postchange_data: snapshot,
})

/**
 * Throws `BundleError` for values that an ordinary write would refuse by themselves, and files that are none of their
 * field, or of others here. Values that stand here already, or that the kit did not change, are not judged. `suffix`:
 * what a merge adds to names that give way, whatever their field says.
 */
export function demandValues(
  w: Writing,
  rows: readonly Coming[],
  files: ReadonlyMap<string, Buffer>,
  suffix: string,
): void {
  for (const { place, id, base, row } of rows) {
    if (!row || isLink(place)) continue
    const { m } = place
    const is = w.row(m, id)
    const context = resolver(w, m, is)
    for (const [name, field] of fieldsOf(m)) {
      if (is && (same(row[name] ?? null, is[name] ?? null) || (base && same(row[name] ?? null, base[name] ?? null))))
        continue
      const refusal = field.upload
        ? ofFile(w, m, { id, name, path: row[name] }, files, context)
        : ofValue(field, name, withoutSuffix(row[name], suffix), context)
      if (refusal === undefined) continue
      const text = Array.isArray(refusal)
        ? refusal.join(' ')
        : typeof refusal === 'string'
          ? refusal
          : JSON.stringify(refusal)
      const object = String(row.name || (typeof m.display === 'string' && row[m.display]) || id)
      throw new BundleError(`${m.label} ${object.slice(0, 100)} (${id}) cannot be taken: ${name}: ${text}`)
    }
  }
}

const withoutSuffix = (value: Stored | undefined, suffix: string): Stored | undefined => {
  const added = ` (${suffix})`
  return typeof value === 'string' && value.endsWith(added) ? value.slice(0, -added.length) : value
}

/** What is wrong with a stored value as the input of a field. */
function ofValue(field: Field, name: string, stored: Stored | undefined, context: ResolveContext): unknown {
  if (!field.input || field.target || field.generic || field.userDefined || !(name in field.columns(name))) return
  if (stored === null || stored === undefined) return // whether there may be none, the column says
  const isKept = field.readOnly || field.options.hidden
  if (isKept && stored === field.columns(name)[name]!.default) return
  const read = v.safeParse(field.input(), field.judged ? field.judged(stored) : stored)
  return read.success ? refusalOf(() => field.resolve?.(read.output, context, name)) : read.issues[0].message
}

function ofFile(
  w: Writing,
  m: AnyModel,
  { id, name, path }: { id: number; name: string; path: Stored | undefined },
  files: ReadonlyMap<string, Buffer>,
  context: ResolveContext,
): unknown {
  if (!path) return undefined
  const bytes = files.get(String(path))
  const field = m.fields[name] as Field
  if (bytes) return refusalOf(() => field.resolve!(new Upload(String(path), bytes), { ...context, keep: String }, name))
  const isOfOther = w.db.get(`select 1 from ${q(m.table)} where ${q(name)} = ? and id <> ?`, path, id) !== undefined
  return isOfOther ? 'The file did not come along.' : undefined
}

function refusalOf(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof FieldError) return error.detail
    throw error
  }
}

/** A row whose columns that are worked out from others of it are so. */
export function withDerived(m: AnyModel, row: Row): Row {
  const found = { ...row }
  for (const [name, field] of fieldsOf(m)) if (field.derived) Object.assign(found, field.derived(found, name))
  return found
}
