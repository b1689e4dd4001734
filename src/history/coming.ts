import type { Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { fieldsOf, modelNamed, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from '../store/database.ts'
import { type Journaled, journaled } from '../store/journal.ts'
import { Derived } from '../services/dangling.ts'
import { shared } from './collisions.ts'
import type { Side } from './merge.ts'

/**
 * A row of the other side: as it was where both parted, and as it is there now; null where it was or is not there.
 * `earlier`: as it was there in between, of a kit; `names`: of accounts of that kit alone, by `<table>:<id>`.
 */
export interface Coming {
  place: Journaled
  id: number
  base: Row | null
  row: Row | null
  earlier?: readonly Row[]
  names?: Readonly<Record<string, string>>
}

/** What cannot be taken as it is, with the values of where both parted, of this side, and of the other. */
export interface Conflict {
  /** What decisions name it by: `dcim.device:5.position`, or `dcim.device:5` for all of the object. */
  key: string
  kind: 'changed' | 'deleted here' | 'deleted there' | 'referenced' | 'missing' | 'taken' | 'refused'
  object_type: string
  object_id: number
  object: string
  field: string | null
  parted: unknown
  ours: unknown
  theirs: unknown
  detail: string
  /** What each decision does. */
  if_ours: string
  if_theirs: string
}

/** A conflict that was decided, and which side counts. */
export interface Decided extends Conflict {
  take: Side
}

/** Which side counts where both do not agree; undefined where nobody has said. `whole`: of the object as such. */
export type Decide = (m: AnyModel, id: number, field: string | null) => Side | undefined

/**
 * Decisions by what they name: `dcim.device:5.position`, `dcim.device:5`, `dcim.device.position`, `dcim.device`, or `*`
 * for all. The narrowest counts.
 */
export const deciding =
  (decisions: ReadonlyMap<string, Side>): Decide =>
  (m, id, field) => {
    const names = [
      ...(field === null ? [] : [`${m.name}:${id}.${field}`]),
      `${m.name}:${id}`,
      ...(field === null ? [] : [`${m.name}.${field}`]),
      m.name,
      '*',
    ]
    for (const name of names) {
      const side = decisions.get(name)
      if (side) return side
    }
    return undefined
  }

/** Who is responsible for objects: no accounts, although they stand beside them. */
const Owners = ['users.owner', 'users.ownergroup']
const exchangedTables = new Map<string, Journaled>()

/**
 * Tables whose rows go from one side to the other: those of objects with change records, of their parts and links.
 * Accounts and what is a user's own stay where they are.
 */
export function exchanged(): ReadonlyMap<string, Journaled> {
  if (exchangedTables.size === 0)
    for (const [table, place] of journaled())
      if (!Derived.has(table) && (Owners.includes(place.m.name) || (place.m.app !== 'users' && isExchanged(place.m))))
        exchangedTables.set(table, place)
  return exchangedTables
}

const isExchanged = (m: AnyModel): boolean =>
  m.changeLogged !== false ||
  shared().has(m.table) ||
  (m.internal === true &&
    fieldsOf(m).some(
      ([, { target }]) => target?.onDelete === 'cascade' && modelNamed(target.model).changeLogged !== false,
    ))

const accounts = new Map<string, Journaled>()
/** Tables of users, groups and permissions, which a kit takes over from its source and never gives back. */
export function accountTables(): ReadonlyMap<string, Journaled> {
  if (accounts.size === 0)
    for (const [table, place] of journaled())
      if (place.m.app === 'users' && place.m.internal !== true && !Owners.includes(place.m.name))
        accounts.set(table, place)
  return accounts
}

/** Whether a model is one of users, groups or permissions: of these the source of a kit decides alone. */
export const isAccount = (m: AnyModel): boolean => accountTables().has(m.table)

/** A link as what it links, whatever its id. */
export interface Link {
  table: string
  owner: AnyModel
  from: number
  field: string
  target: AnyModel
  to: number
  /** Columns that make it the same as another, and their values. */
  columns: readonly string[]
  values: readonly Stored[]
}

/** What a row of a link table links; undefined for a row of objects, and for a link of an unknown model. */
export function linkIn(place: Journaled, row: Row): Link | undefined {
  const { table } = place
  const sharing = shared().get(table)
  if (!place.links && !sharing) return undefined
  const columns = sharing ? [sharing.type, sharing.from, sharing.to] : ['from_id', 'to_id']
  const values = columns.map((name) => row[name] ?? null)
  const owner = sharing ? models[row[sharing.type] as string] : place.m
  if (!owner) return undefined
  const [from, to] = values.slice(-2) as [number, number]
  const target = sharing
    ? modelNamed(fieldsOf(place.m).find(([name]) => `${name}_id` === sharing.to)![1].target!.model)
    : modelNamed(place.links!.to)
  return { table, owner, from, field: place.links?.name ?? 'tags', target, to, columns, values }
}
export const isLink = ({ table, links }: Journaled): boolean => links !== undefined || shared().has(table)
export const linkKey = ({ table, values }: Link): string => `${table}:${values.join(':')}`

/** The stored row of a link; undefined where there is none. */
export const storedLink = (db: Connection, { table, columns, values }: Link): Row | undefined =>
  db.get<Row>(`select * from ${q(table)} where ${columns.map((name) => `${q(name)} = +?`).join(' and ')}`, ...values)
