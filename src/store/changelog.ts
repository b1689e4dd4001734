import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { tagNames } from '../fields/common.ts'
import { type Field, linkTable, type Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { fieldsOf, genericPrefix, memo } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from './database.ts'
import type { Change, Feed } from './feed.ts'
import { statementReads } from './statement-reads.ts'

/** What a change record says of who and why. */
export interface Authorship {
  userId: number | null
  username: string
  requestId: string
  message: string
  now: string
  method?: string
  path?: string
}

/**
 * A member of change records: a column, what is read off the row, or, of what is linked to it, SQL of a JSON list for
 * the row's `:id`.
 */
type Part = { name: string } & (
  | { column: string }
  | { read: (row: Row) => Record<string, unknown> }
  | { links: string }
)

const isRecorded = (name: string): boolean => !name.startsWith('_') && name !== 'created' && name !== 'last_updated'
const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Members of a model's change records, each with how it is read; in the order in which they are shown. */
const partsOf = memo((m: AnyModel): readonly Part[] => [
  ...fieldsOf(m)
    .filter(([name]) => isRecorded(name))
    .flatMap(([name, field]): Part[] => {
      if (field.links?.via) return []
      if (field.links)
        return [
          {
            name,
            links: `select json_group_array(to_id) from (select to_id from ${q(linkTable(m.table, name))}
              where from_id = +:id order by to_id)`,
          },
        ]
      if (field.recorded) return [{ name, links: field.recorded('+:id', m.name) }]
      if (field.snapshot) return [{ name, read: (row) => field.snapshot!(row, name) }]
      return Object.keys(field.columns(name)).length ? [{ name, column: field.shownColumn?.(name) ?? name }] : []
    }),
  ...unshown(m),
])

/** Tags and custom fields of models that have the feature and show nothing of it: records name them still. */
function unshown(m: AnyModel): Part[] {
  const isUnshown = (name: string): boolean => m.features?.includes(name) === true && !m.fields[name]
  return [
    ...(isUnshown('tags') ? [{ name: 'tags', links: tagNames('+:id', m.name) }] : []),
    ...(isUnshown('custom_fields') ? [{ name: 'custom_fields', read: () => ({ custom_fields: {} }) }] : []),
  ]
}

/** What link tables say of a row: tags, many-to-many fields and the like, by member. */
export type Links = Readonly<Record<string, unknown>>

/** Reads the links of a row, for snapshots before and after a change that leaves them alone. */
export function linksOf(db: Connection, m: AnyModel, row: Row): Links {
  const sql = linksSql(m)
  return sql === '' ? {} : (JSON.parse(db.get<{ links: string }>(sql, { id: row.id })!.links) as Links)
}
const linksSql = memo((m: AnyModel): string => {
  const lists = partsOf(m).flatMap((part) => ('links' in part ? [`'${part.name}', json((${part.links}))`] : []))
  return lists.length ? `select json_object(${lists.join(', ')}) as links` : ''
})

/** Reads the links of a row, and again where something of what they are read of was written since. */
export function linksReader(db: Connection, m: AnyModel, row: Row): () => Links {
  const stamp = stampOf(db, m)
  let known: Links | undefined
  let was: number | undefined
  return () => {
    const now = stamp?.()
    if (!known || now === undefined || now !== was) known = linksOf(db, m, row)
    was = now
    return known
  }
}

/** What changes whenever something does that the links of a model are read of; undefined where nobody can tell. */
function stampOf(db: Connection, m: AnyModel): (() => number) | undefined {
  const ofAll = stamps.get(db) ?? new Map<AnyModel, (() => number) | undefined>()
  stamps.set(db, ofAll)
  if (!ofAll.has(m)) {
    const sql = linksSql(m)
    const reads = sql === '' ? new Map() : statementReads(db.raw, sql, { id: 0 })?.reads
    ofAll.set(m, reads && db.stampOf(reads))
  }
  return ofAll.get(m)
}
const stamps = new WeakMap<Connection, Map<AnyModel, (() => number) | undefined>>()

/**
 * The object as its change records keep it: raw values, references as ids, keys by length then bytewise. `links`: known
 * already, or none.
 */
export function snapshot(db: Connection, m: AnyModel, row: Row, links?: Links | 'none'): string {
  const linked = links === undefined ? linksOf(db, m, row) : links
  const members = membersOf.get(m) ?? findMembers(m, row)
  let text = ''
  for (const { key, json, part } of members) {
    const value =
      'column' in part ? row[part.column] : 'read' in part ? part.read(row)[key] : linked === 'none' ? [] : linked[key]
    if (value !== undefined) text += `${text === '' ? '' : ','}${json}:${jsonOf(value)}`
  }
  return `{${text}}`
}
const jsonOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'object' ? stringifyExact(value) : JSON.stringify(value)

/** A member of a model's snapshots: its key, that as JSON, and the part that has its value. */
interface Member {
  key: string
  json: string
  part: Part
}
/** The members of models' snapshots, in their order. */
const membersOf = new Map<AnyModel, readonly Member[]>()
function findMembers(m: AnyModel, row: Row): readonly Member[] {
  const parts = new Map<string, Part>() // what is named twice is what was named last
  for (const part of partsOf(m))
    for (const key of 'read' in part ? Object.keys(part.read(row)) : [part.name]) parts.set(key, part)
  const keys = [...parts.keys()].sort(byLength)
  const members = keys.map((key) => ({ key, json: JSON.stringify(key), part: parts.get(key)! }))
  membersOf.set(m, members)
  return members
}

/** Who changes what in which database, and who is told. */
interface Recorder {
  db: Connection
  by: Authorship
  feed: Feed
}

/**
 * Writes one change record. `before` and `after` are snapshots; nothing is written when they are the same. `kept`: what
 * the feed kept of an object that is gone.
 */
export function record(
  { db, by, feed }: Recorder,
  m: AnyModel,
  row: Row,
  label: string,
  action: Change['action'],
  before: string | null,
  after: string | null,
  kept?: unknown,
): void {
  if (m.changeLogged === false || (action === 'update' && before === after)) return
  feed.by = by
  const [shownBefore, shownAfter] = concealed(m, before, after)
  feed.note({ m, id: row.id as number, action, label, before: shownBefore, after: shownAfter, by, kept })
  const [relatedType, relatedId] = relatedOf(m, row)
  db.run(
    `insert into core_objectchange (time, user_id, user_name, request_id, action, changed_object_type,
       changed_object_id, related_object_type, related_object_id, message, object_repr, prechange_data, postchange_data)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    by.now,
    by.userId,
    by.username,
    by.requestId,
    action,
    m.name,
    row.id,
    relatedType,
    relatedId,
    by.message,
    label.slice(0, 200),
    shownBefore,
    shownAfter,
  )
}

const concealing = memo((m: AnyModel) => fieldsOf(m).filter(([, field]) => field.conceal))

/** Two snapshots with the secrets of the model's fields covered. */
function concealed(m: AnyModel, before: string | null, after: string | null): readonly [string | null, string | null] {
  const fields = concealing(m)
  if (fields.length === 0) return [before, after]
  const [was, is] = [before, after].map((text) =>
    text === null ? null : (parseExact(text) as Record<string, unknown>),
  ) as [Record<string, unknown> | null, Record<string, unknown> | null]
  for (const [name, field] of fields) {
    const [old, now] = field.conceal!(was?.[name], is?.[name])
    if (was) was[name] = old
    if (is) is[name] = now
  }
  return [was && stringifyExact(was), is && stringifyExact(is)]
}

/** Where the rows of a model name what they are part of: its type, or the column of that, and the column of its id. */
const relatedIn = memo((m: AnyModel) =>
  [m.relatedObject ?? []].flat().flatMap((name): { type?: string; column?: string; id: string }[] => {
    const field = m.fields[name] as Field | undefined
    if (field?.target) return [{ type: field.target.model, id: `${name}_id` }]
    const prefix = field?.generic && genericPrefix(field, name)
    return prefix === undefined ? [] : [{ column: `${prefix}_type`, id: `${prefix}_id` }]
  }),
)

function relatedOf(m: AnyModel, row: Row): [string | null, number | null] {
  for (const { type, column, id } of relatedIn(m))
    if (row[id]) return [type ?? (row[column!] as string), row[id] as number]
  return [null, null]
}
