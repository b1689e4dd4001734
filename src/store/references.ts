import { isObject } from '../lib/json.ts'
import { type Actor, binder, comparableBy, may, permittedRows, System } from '../engine/actor.ts'
import { FieldError, type Row } from '../fields/field.ts'
import type { ResolveContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'
import { pythonType } from '../fields/refs.ts'
import { fieldsOf, memo, modelNamed, models, typesWith } from '../engine/catalog.ts'
import { attribute, MaxTerms, UnknownAttribute } from '../engine/lookups.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from './database.ts'
import { transactionCache } from './transaction-cache.ts'
import { countUpload } from './upload-bounds.ts'
import { keepInWrite } from './uploads.ts'
import type { Writing } from './write.ts'

/** Resolves what a body says of other rows: ids, or objects of attributes that name exactly one. */
export function resolver(
  w: Pick<Writing, 'db' | 'actor' | 'store'>,
  model: AnyModel,
  before: Row | undefined,
): ResolveContext {
  const { db, actor } = w
  const exists = (name: string, id: number): boolean => {
    const target = models[name]
    return target !== undefined && isThere(db, target, id)
  }
  return {
    model,
    before,
    exists,
    keep: (folder, upload) => {
      countUpload(w, upload)
      return keepInWrite(db, w.store.uploads, folder, upload)
    },
    typesWith: (feature) => typesWith(feature.replace('feature:', '')),
    related: (name, value, options) => related(db, actor, modelNamed(name), value, options?.unrestricted),
    relatedIds: (name, list) =>
      list.map((value) => {
        if (isObject(value)) return related(db, actor, modelNamed(name), value)
        const id = idOf(value)
        if (id === undefined) throw new FieldError(`Incorrect type. Expected pk value, received ${pythonType(value)}.`)
        if (!exists(name, id)) throw new FieldError(`Invalid pk "${id}" - object does not exist.`)
        return id
      }),
  }
}

const isThere = ({ rows }: Connection, { table }: AnyModel, id: number): boolean => rows.has(table, id)

/** 7, "7" or 7.0 as an id; undefined for anything else. */
export const idOf = (value: unknown): number | undefined => {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

function related(db: Connection, actor: Actor, target: AnyModel, value: unknown, unrestricted = false): number {
  const isOnlyId = typeof value === 'object' && value !== null && Object.keys(value).length === 1 && 'id' in value
  if (isOnlyId) return related(db, actor, target, idOf(value.id) ?? JSON.stringify(value.id))
  if (isObject(value)) return named(db, actor, target, value as Record<string, unknown>, unrestricted)
  const id = idOf(value)
  if (id === undefined) {
    const given = typeof value === 'string' ? value : JSON.stringify(value)
    throw new FieldError(
      'Related objects must be referenced by numeric ID or by dictionary of attributes. ' +
        `Received an unrecognized value: ${given}`,
    )
  }
  if (!isThere(db, target, id)) throw new FieldError(`Related object not found using the provided numeric ID: ${id}`)
  return id
}

/**
 * The same, found once in a transaction where only texts of the row itself are compared, and who asks may view every
 * row.
 */
function named(
  db: Connection,
  actor: Actor,
  target: AnyModel,
  attributes: Record<string, unknown>,
  unrestricted: boolean,
): number {
  const find = () => byAttributes(db, actor, target, attributes, unrestricted)
  const isPlain = (unrestricted || actor.superuser) && Object.keys(attributes).every((key) => ownTexts(target).has(key))
  return isPlain ? transactionCache(db).named(target.table, JSON.stringify(attributes), find) : find()
}

/** The one row of a model that has some attributes, among those that the actor may view, or all when `unrestricted`. */
function byAttributes(
  db: Connection,
  actor: Actor,
  target: AnyModel,
  attributes: Record<string, unknown>,
  unrestricted: boolean,
): number {
  const isNone = () => new FieldError(`Related object not found using the provided attributes: ${excerpt(attributes)}`)
  const viewer = unrestricted ? System : actor
  if (!may(viewer, 'view', target)) throw isNone()
  const c = binder()
  const conditions: string[] = []
  try {
    const terms = [...flat(attributes)]
    if (terms.length > MaxTerms) throw new UnknownAttribute(`there are at most ${MaxTerms} of them`)
    const comparing = { ...c, crossing: comparableBy(actor, c) }
    for (const [key, value] of terms) conditions.push(attribute(target, 't', key, value, comparing))
  } catch (error) {
    if (error instanceof UnknownAttribute)
      throw new FieldError(`Related object could not be found by these attributes: ${error.message}`)
    throw error
  }
  const visible = permittedRows(viewer, 'view', target, 't', c)
  if (visible) conditions.unshift(visible)
  const where = conditions.length ? `where ${conditions.join(' and ')}` : ''
  const from = performance.now()
  const found = db.all<{ id: number }>(`select t.id as id from ${q(target.table)} t ${where} limit 2`, c.values)
  noteTime(performance.now() - from)
  if (found.length === 0) throw isNone()
  if (found.length > 1) throw new FieldError(`Multiple objects match the provided attributes: ${excerpt(attributes)}`)
  return found[0]!.id
}

/** Milliseconds that looking for objects may take before others are served again, and of one that no index finds. */
const [MaxTime, Slow] = [3000, 20]
let spent = 0

/** Throws `FieldError` where others have waited too long for what a request names by its attributes. */
function noteTime(ms: number): void {
  if (spent === 0) setImmediate(() => (spent = 0))
  spent += ms
  if (spent > MaxTime && ms > Slow)
    throw new FieldError('Finding objects by these attributes takes too long: give their ids.')
}

/** Columns of a model's own rows that hold texts: what they name is of its table alone. */
const ownTexts = memo(
  (m: AnyModel) =>
    new Set(
      fieldsOf(m)
        .filter(([name, field]) => field.columns(name)[name]?.type === 'text')
        .map(([name]) => name),
    ),
)

/** The attributes as JSON, cut where that is long. */
function excerpt(attributes: Record<string, unknown>): string {
  const text = JSON.stringify(attributes)
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text
}

function* flat(attributes: Record<string, unknown>, prefix = '', depth = 0): Generator<[string, unknown]> {
  if (depth > 5) throw new UnknownAttribute('attributes nest too deeply')
  for (const [key, value] of Object.entries(attributes)) {
    if (isObject(value)) yield* flat(value as Record<string, unknown>, `${prefix}${key}__`, depth + 1)
    else yield [`${prefix}${key}`, value]
  }
}
