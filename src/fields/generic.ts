import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { contentTypeFilter } from '../filters/content-type.ts'
import { numberFilter } from '../filters/number.ts'
import type { ModelName } from '../models/index.ts'
import type { Control } from './control.ts'
import { type Common, type Field, FieldError, type Shape, type Row } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import type { ResolveContext, SqlContext, Text } from './context.ts'
import { lit, q } from '../lib/sql.ts'
import { integerInput } from './number.ts'
import { lastOf } from './texts.ts'

interface GenericOptions extends Common {
  /** Prefix of the two columns and input keys: `<as>_type`, `<as>_id`. Default: the field's name. */
  as?: string
  /** Name of the reverse relation from each target, for filter paths and cascades. */
  related?: string
  /** `keep`: rows stay when their object goes (change records). */
  onDelete?: 'cascade' | 'keep'
  /** Label of the id, where it is not its name with spaces. */
  idLabel?: string
  /** OPTIONS lists the types among the choices. */
  listed?: boolean
  /** Models that forms offer alone: rules refuse the others, or nobody looks for them there. */
  offered?: readonly string[]
  /** The nested object is not shown. */
  bare?: boolean
  /** A missing id is found out after the other fields. */
  lateId?: boolean
  /**
   * The object must be one that the acting user may view; any other is as if it were not there. The writer judges this
   * last: whoever may not write the row at all is told so, whatever the object.
   */
  viewed?: boolean
  /** A type may be given without an object. */
  looseId?: boolean
  /**
   * Where an error is told, when not under its own key: a type without an id, an object that is not there, or a type
   * that is not allowed.
   */
  errorKeys?: ErrorKeys
}
interface ErrorKeys {
  noId?: string
  missing?: string
  notAllowed?: string
}

const typeInput = v.nullable(v.pipe(v.string('Not a valid string.'), v.trim()))

/** A reference to one of several models: `<as>_type` ("app.model"), `<as>_id`, and `<name>`, the nested object. */
export function generic<const N extends ModelName>(
  models: readonly N[] | `feature:${string}`,
  options?: GenericOptions,
): Field<{ cols: { _type: N | null; _id: number | null }; in: { type: N; id: number } | null; optional: true }> {
  const o: GenericOptions = options ?? {}
  const as = (name: string) => o.as ?? name
  const nullable = o.nullable ?? false
  const self = {
    kind: 'generic',
    options: o,
    required: !nullable && !o.readOnly && !o.hidden,
    readOnly: o.readOnly ?? false,
    generic: { models, as: o.as, related: o.related, onDelete: o.onDelete ?? ('cascade' as const), viewed: o.viewed },
    keys: (name: string) => [`${as(name)}_type`, `${as(name)}_id`],
    requiredKeys: (name: string) => [`${as(name)}_type`, ...(o.looseId || o.lateId ? [] : [`${as(name)}_id`])],
    columns: (name: string) => ({
      [`${as(name)}_type`]: { type: 'text' as const, null: nullable },
      [`${as(name)}_id`]: { type: 'integer' as const, null: nullable || Boolean(o.looseId) },
    }),
    input: () => v.object({ type: v.optional(typeInput), id: v.optional(v.nullable(integerInput)) }),
    fromText: (text: Text) => lastOf(text).trim() || null,
    toText: (shown: unknown) => String(shown ?? ''),
    parts: typeParts,
    resolve: (value: unknown, context: ResolveContext, name: string) =>
      resolve(value as Pair, context, models, as(name), nullable, o),
    write: (value: unknown, name: string) => {
      const pair = value as Pair
      return { [`${as(name)}_type`]: pair.type ?? null, [`${as(name)}_id`]: pair.id ?? null }
    },
    output: (t: string, name: string, sql: SqlContext) => {
      const [type, id] = [`${t}.${q(`${as(name)}_type`)}`, `${t}.${q(`${as(name)}_id`)}`]
      return [
        [`${as(name)}_type`, type] as const,
        [`${as(name)}_id`, id] as const,
        ...(o.bare ? [] : [[name, genericJson(sql, models, type, id)] as const]),
      ]
    },
    flat: (t: string, name: string) =>
      [`${as(name)}_type`, `${as(name)}_id`].map((column) => [column, `${t}.${q(column)}`] as const),
    snapshot: (row: Row, name: string) => ({
      [`${as(name)}_type`]: row[`${as(name)}_type`],
      [`${as(name)}_id`]: row[`${as(name)}_id`],
    }),
    filters: (name: string) => ({
      [`${as(name)}_type`]: contentTypeFilter(name),
      [`${as(name)}_id`]: numberFilter(`${as(name)}_id`),
    }),
    control: (): Control => ({ as: 'object', models: o.offered ?? models }),
    describe: (name: string): Record<string, OptionFacts> => ({
      ...facts(
        'field',
        `${as(name)}_type`,
        { ...self, options: {} },
        o.listed ? { choices: { '~types': models } } : {},
      ),
      ...facts(
        'integer',
        `${as(name)}_id`,
        {
          required: self.required && !o.looseId && !o.lateId,
          readOnly: self.readOnly,
          options: o.idLabel ? { label: o.idLabel } : {},
        },
        o.apiDefault === undefined && !self.readOnly ? { min_value: 0 } : {},
      ),
      ...(o.bare ? {} : facts('field', name, { required: false, readOnly: true, options: o })),
    }),
    schema: (name: string) => {
      const type = { type: nullable ? ['string', 'null'] : 'string' }
      const id = { type: nullable || o.looseId ? ['integer', 'null'] : 'integer', format: 'int64' }
      return {
        [`${as(name)}_type`]: { read: type, write: type },
        [`${as(name)}_id`]: { read: id, write: { ...id, minimum: 0 } },
        ...(o.bare ? {} : { [name]: { read: { type: ['object', 'null'], additionalProperties: {} } } }),
      }
    },
  }
  return self as never
}

/** The two parts of an "app.model" name. */
export const typeParts = {
  app_label: (sql: string) => `substr(${sql}, 1, instr(${sql}, '.') - 1)`,
  model: (sql: string) => `substr(${sql}, instr(${sql}, '.') + 1)`,
}

interface Pair {
  type?: string | null
  id?: number | null
}

/**
 * Objects of a row itself are filled in after the rows are made, one statement for each type present: a change of one
 * then drops no other rows. Deeper ones past this many possible types alone.
 */
const MaxInline = 6
/**
 * Stands before and after what the reader fills in; no input can know it, and it is the same in JSON as in plain text.
 */
const Mark = `~${randomBytes(12).toString('base64url')}~`

/**
 * SQL of a text that stands for the nested object of a type and id expression; the reader fills it in, and knows what
 * it depends on.
 */
export const deferredObject = (type: string, id: string): string =>
  `${lit(`${Mark}o`)} || ${type} || ':' || ${id} || ${lit(Mark)}`

/** The shapes that were asked for, by their numbers. */
const shapes: Shape[] = []
const numbers = new Map<string, number>()
/** The same for the object of a model in a shape of its own; null where the id is. */
export function deferredShape(model: string, id: string, shape: Shape | undefined): string {
  if (!shape) return deferredObject(lit(model), id)
  const key = JSON.stringify(shape)
  const number = numbers.get(key) ?? shapes.push(shape) - 1
  numbers.set(key, number)
  return deferredObject(lit(`${model}#${number}`), id)
}

/** SQL of a text that stands for the display of a generic object; it may be part of a longer text. */
export const genericDisplay = (t: string, as: string): string =>
  `${lit(`${Mark}d`)} || ${t}.${as}_type || ':' || ${t}.${as}_id || ${lit(Mark)}`

/** SQL of the type and of the id that a text of `deferredObject` stands for. */
export const deferredParts = (text: string): { type: string; id: string } => {
  const rest = `substr(${text}, ${Mark.length + 2})`
  return {
    type: `substr(${rest}, 1, instr(${rest}, ':') - 1)`,
    id: `cast(substr(${rest}, instr(${rest}, ':') + 1) as integer)`,
  }
}

/**
 * An object that is to be filled in: as a whole, or by its display within a text; `place` says which of the two and of
 * what.
 */
export interface Gap {
  place: string
  id: number
}

/** What the place of a gap says: a model, and the members asked for where they are not the usual ones. */
export function placeOf(place: string): { as: 'object' | 'display'; type: string; shape: Shape | undefined } {
  const [type, number] = place.slice(1).split('#')
  const shape = number === undefined ? undefined : shapes[Number(number)]
  return { as: place[0] === 'o' ? 'object' : 'display', type: type!, shape }
}

const isWhole = (gap: Gap | undefined): boolean => gap?.place[0] === 'o'

/**
 * A text in pieces, with a gap after each piece but the last; undefined for a text without gaps. The quotes around
 * whole objects are left out.
 */
export function gapsIn(text: string): { pieces: string[]; gaps: Gap[] } | undefined {
  if (!text.includes(Mark)) return undefined
  const pieces: string[] = []
  const gaps: Gap[] = []
  for (const [i, part] of text.split(Mark).entries()) {
    if (i % 2 === 0) pieces.push(isWhole(gaps.at(-1)) ? part.slice(1) : part)
    else {
      const at = part.lastIndexOf(':')
      const gap = { place: part.slice(0, at), id: Number(part.slice(at + 1)) }
      if (isWhole(gap)) pieces.push(pieces.pop()!.slice(0, -1))
      gaps.push(gap)
    }
  }
  return { pieces, gaps }
}

/** The text whose gaps are filled. */
export const filled = (pieces: readonly string[], fillings: readonly string[]): string =>
  pieces.map((piece, i) => piece + (fillings[i] ?? '')).join('')

/** Nested object of a type and id expression, whatever its model. */
export function genericJson(sql: SqlContext, models: readonly string[] | string, type: string, id: string): string {
  const names = typeof models === 'string' ? [...sql.typesWith(models.replace('feature:', ''))] : models
  if (!sql.isNested || names.length > MaxInline) {
    return `case when ${type} is null or ${id} is null then null else ${deferredObject(type, id)} end`
  }
  const arms = names.map((m) => {
    const target = sql.model(m)
    const a = sql.alias()
    sql.uses(target.table)
    return `when ${lit(m)} then (select ${sql.nested(target, a)} from ${q(target.table)} ${a} where ${a}.id = ${id})`
  })
  return arms.length ? `json(case ${type} ${arms.join(' ')} else 'null' end)` : 'null'
}

/** What a body is told of an object that is not there. */
export const notFound = (id: number): string => `Related object not found using the provided numeric ID: ${id}`

function resolve(
  value: Pair,
  context: ResolveContext,
  models: readonly string[] | string,
  as: string,
  nullable: boolean,
  o: GenericOptions,
): Pair {
  const before = context.before
  const given = 'type' in value || 'id' in value
  const pair = {
    type:
      value.type === undefined ? ((before?.[`${as}_type`] as string | null | undefined) ?? null) : value.type || null,
    id: value.id === undefined ? ((before?.[`${as}_id`] as number | null | undefined) ?? null) : value.id,
  }
  if (!given && nullable) return pair
  if (pair.type === null && pair.id === null) {
    if (nullable) return pair
    throw new FieldError('This field is required.', `${as}_type`)
  }
  if (pair.type === null) throw new FieldError('This field cannot be null.', `${as}_type`)
  const allowed = typeof models === 'string' ? context.typesWith(models.replace('feature:', '')) : new Set(models)
  if (!context.typesWith('all').has(pair.type)) throw new FieldError(`Invalid content type: ${pair.type}`, `${as}_type`)
  if (!allowed.has(pair.type))
    throw new FieldError(`Objects of type ${pair.type} are not allowed here.`, o.errorKeys?.notAllowed ?? `${as}_type`)
  if (pair.id === null && o.looseId) return pair
  if (pair.id === null) throw new FieldError('This field cannot be null.', o.errorKeys?.noId ?? `${as}_id`)
  if (!o.viewed && !context.exists(pair.type, pair.id))
    throw new FieldError(notFound(pair.id), o.errorKeys?.missing ?? `${as}_id`)
  return pair
}
