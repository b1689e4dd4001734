import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { linkTable, type Field, type Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import { fieldsOf, genericPrefix, genericsTo, linksTo, referencesTo } from '../engine/catalog.ts'
import { lit, q } from '../lib/sql.ts'
import type { Connection } from '../store/database.ts'
import { type KitSelf, rowOf } from '../store/kit.ts'
import { IdsOfOne, keepingSequence } from '../store/own-ids.ts'
import { uniqueColumns } from '../store/unique.ts'
import { changedSince, rowNow, same, type Since } from './changes.ts'
import { accountTables, type Coming, type Decided, isAccount, isLink, linkIn } from './coming.ts'
import { keyOfConflict } from './disputes.ts'
import { referencesIn } from './references.ts'
import { nameIn } from './names.ts'

/** A row of users, groups or permissions, or of what links them, as the source has it; null where it has none. */
export interface AccountLine {
  t: string
  i: number
  r: Row | null
}

interface Taken {
  /** Users, groups and permissions that the source has no more: what refers to them is seen to as they are deleted. */
  going: Coming[]
  /** Accounts of the kit that gave way to others of their name. */
  decided: Decided[]
}

/** Columns of accounts that stay what they are in a kit. */
const OwnColumns = ['password', 'last_login']

/** Whether a kit gave an id: its source never hears of accounts with one. */
export const isOwnId = ({ number }: Pick<KitSelf, 'number'>, id: number): boolean =>
  id >= number * IdsOfOne && id < (number + 1) * IdsOfOne

/** Whether a row links something to an account of the kit, which its source does not have. */
export function isOwnLink(self: KitSelf, { place, before, now }: Since): boolean {
  const row = now ?? before
  const link = row && isLink(place) ? linkIn(place, row) : undefined
  return link !== undefined && isAccount(link.target) && isOwnId(self, link.to)
}

/** Names of the accounts of the kit that a row refers to, by `<table>:<id>`: its source does not know them. */
export function ownAccountsIn(db: Connection, self: KitSelf, m: AnyModel, row: Row): Record<string, string> {
  const own = referencesIn(m, row).filter(({ to, id }) => isAccount(to) && isOwnId(self, id))
  return Object.fromEntries(
    own.flatMap(({ to, id }) => {
      const account = rowNow(db, to.table, id)
      return account ? [[`${to.table}:${id}`, nameIn(to, account) ?? '']] : []
    }),
  )
}

/** Accounts of the source that the kit has otherwise than where both parted. */
export function changedAccounts(db: Connection, self: KitSelf): Map<string, Since> {
  const found = new Map<string, Since>()
  const isOf = (table: string) => accountTables().has(table)
  for (const [key, each] of changedSince(db, self.here, isOf)) if (!isOwnId(self, each.id)) found.set(key, each)
  for (const { name, id, row } of db.all<{ name: string; id: number; row: string | null }>(
    'select name, row_id as id, row from kit_parted',
  )) {
    const place = accountTables().get(name)
    if (place) found.set(`${name}:${id}`, { place, id, before: rowOf(row), now: rowNow(db, name, id) })
  }
  return found
}

/**
 * Takes over users, groups and permissions, of which the source alone decides: what the kit did to those of the source
 * is put back. Accounts that the kit made stay, and give way where the source has others of their name.
 */
export function takeAccounts(db: Connection, self: KitSelf, lines: readonly AccountLine[]): Taken {
  const wanted = new Map<string, AccountLine>()
  for (const [key, { place, id, before }] of changedAccounts(db, self))
    wanted.set(key, { t: place.table, i: id, r: before })
  for (const line of lines) wanted.set(`${line.t}:${line.i}`, line)
  if (wanted.size === 0) return { going: [], decided: [] }
  db.run('pragma defer_foreign_keys = on')
  return keepingSequence(db.raw, () => new Taking(db, self, [...wanted.values()]).run())
}

interface Put {
  m: AnyModel
  row: Row
  now: Row | null
}

class Taking {
  readonly #db: Connection
  readonly #self: KitSelf
  readonly #lines: readonly AccountLine[]
  readonly #decided: Decided[] = []

  constructor(db: Connection, self: KitSelf, lines: readonly AccountLine[]) {
    this.#db = db
    this.#self = self
    this.#lines = lines
  }

  run(): Taken {
    const going: Coming[] = []
    const puts: Put[] = []
    const links: AccountLine[] = []
    for (const line of this.#lines) {
      const { t, i, r } = line
      const place = accountTables().get(t)!
      const now = rowNow(this.#db, t, i)
      if (isLink(place)) {
        if (r) links.push(line)
        else if (now) this.#db.run(`delete from ${q(t)} where id = ?`, i)
      } else if (r) puts.push({ m: place.m, row: r, now })
      else if (now) going.push({ place, id: i, base: now, row: null })
    }
    for (const { place, id } of going) if ('is_active' in place.m.fields) this.#set(place.m, id, { is_active: 0 })
    const merged = this.#makeRoom(puts)
    for (const put of puts) this.#put(put, merged.get(put))
    for (const { t, i, r } of links) this.#link(t, i, r!)
    return { going, decided: this.#decided }
  }

  /** Rows that are in the way of others give way. Answers accounts of the kit that become one with new ones. */
  #makeRoom(puts: readonly Put[]): Map<Put, Row> {
    const merged = new Map<Put, Row>()
    for (const { m, row, now } of puts)
      for (const name of now ? uniqueColumns(m) : [])
        if (now![name] !== row[name]) this.#rename(m, row.id as number, name, randomUUID()) // some swap names
    for (const put of puts)
      for (const name of uniqueColumns(put.m)) {
        const { m, row, now } = put
        const rival = this.#at(m, name, row[name]!, row.id as number)
        if (!rival) continue
        const id = rival.id as number
        const isOwn = isOwnId(this.#self, id)
        if (isOwn && !now && row.is_superuser !== 1) {
          this.#rename(m, id, name, randomUUID())
          merged.set(put, rival)
          this.#tell(m, rival, name, `what refers to it refers to the one of the source, ${row.id}`)
          continue
        }
        const free = this.#freeName(puts, m, name, String(row[name]))
        this.#rename(m, id, name, free)
        if (isOwn) this.#tell(m, rival, name, `it has the ${name} ${free} here`)
      }
    return merged
  }

  #at(m: AnyModel, name: string, value: Row[string], other: number): Row | undefined {
    return this.#db.get<Row>(`select * from ${q(m.table)} where ${q(name)} = ? and id <> ?`, value, other)
  }

  #rename(m: AnyModel, id: number, name: string, value: string): void {
    this.#set(m, id, (m.fields[name] as Field).write?.(value, name) ?? { [name]: value })
  }

  /** A name with that of the kit that its field takes, and nobody has or gets. */
  #freeName(puts: readonly Put[], m: AnyModel, name: string, value: string): string {
    const field = m.fields[name] as Field
    const { max = 100 } = field.options as { max?: number }
    const mark = this.#self.name
    for (let n = 1; ; n++) {
      const number = n > 1 ? ` ${n}` : ''
      for (const end of [` (${mark}${number})`, `-${mark}${number}`.replaceAll(/[^\p{L}\p{N}]/gu, '-')]) {
        const free = value.slice(0, max - end.length) + end
        const isWanted = puts.some((put) => put.m === m && put.row[name] === free)
        if (v.is(field.input!(), free) && !isWanted && !this.#at(m, name, free, 0)) return free
      }
    }
  }

  #tell(m: AnyModel, row: Row, field: string, if_theirs: string): void {
    const name = String(row[field])
    this.#decided.push({
      key: keyOfConflict(m, row.id as number, field),
      kind: 'taken',
      object_type: m.name,
      object_id: row.id as number,
      object: name,
      field,
      parted: null,
      ours: name,
      theirs: name,
      detail: `The source has another ${m.label} of this name.`,
      if_ours: 'nothing can be done: names at the source count',
      if_theirs,
      take: 'theirs',
    })
  }

  /** Stores a row of the source; `own`: the account of the kit that becomes one with it. */
  #put({ m, row, now }: Put, own?: Row): void {
    if (now) {
      const is = rowNow(this.#db, m.table, row.id as number)!
      const names = Object.keys(row).filter((name) => !OwnColumns.includes(name) && !same(is[name], row[name]))
      this.#set(m, row.id as number, Object.fromEntries(names.map((name) => [name, row[name]!])))
      return
    }
    const kept = own ? OwnColumns.filter((name) => name in row && !row[name]) : []
    this.#insert(m.table, { ...row, ...Object.fromEntries(kept.map((name) => [name, own![name]!])) })
    if (!own) return
    moveReferences(this.#db, m, own.id as number, row.id as number)
    this.#db.run(`delete from ${q(m.table)} where id = ?`, own.id)
  }

  /** Stores a link of the source, which may be here under another id. */
  #link(table: string, id: number, row: Row): void {
    const { from_id, to_id } = row
    this.#db.run(`delete from ${q(table)} where from_id = ? and to_id = ? and id <> ?`, from_id, to_id, id)
    if (rowNow(this.#db, table, id)) this.#set({ table }, id, { from_id: from_id!, to_id: to_id! })
    else this.#insert(table, row)
  }

  #insert(table: string, row: Row): void {
    const names = Object.keys(row)
    this.#db.run(
      `insert into ${q(table)} (${names.map(q).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      ...Object.values(row),
    )
  }

  #set({ table }: Pick<AnyModel, 'table'>, id: number, row: Row): void {
    const names = Object.keys(row)
    const columns = names.map((name) => `${q(name)} = ?`).join(', ')
    if (names.length) this.#db.run(`update ${q(table)} set ${columns} where id = ?`, ...Object.values(row), id)
  }
}

/** What refers to one account, and what that has, is another's. */
function moveReferences(db: Connection, m: AnyModel, from: number, to: number): void {
  const move = (table: string, column: string, where = '') =>
    db.run(`update ${q(table)} set ${q(column)} = ? where ${where}${q(column)} = ?`, to, from)
  for (const { from: of, name } of referencesTo(m)) move(of.table, `${name}_id`)
  for (const { from: of, name, field } of genericsTo(m)) {
    const as = genericPrefix(field, name)
    move(of.table, `${as}_id`, `${q(`${as}_type`)} = ${lit(m.name)} and `)
  }
  for (const { from: of, name } of linksTo(m)) move(linkTable(of.table, name), 'to_id')
  for (const [name, { links }] of fieldsOf(m)) if (links && !links.via) move(linkTable(m.table, name), 'from_id')
}
