import type Database from 'better-sqlite3'
import {
  customFilling,
  customIdsSql,
  customIndexing,
  customWaiting,
  fieldIndexing,
  searchAdding,
  searchWaiting,
} from '../engine/search-custom.ts'
import {
  ChangedRows,
  customSearched,
  entriesOf,
  entriesSql,
  Queue,
  queryHolding,
  searchFilling,
  searchedModels,
  searchIndexing,
  searchMerging,
  searchTables,
  searchTriggers,
  SearchTable,
} from '../engine/search.ts'
import { complain } from '../lib/log.ts'
import { Lru } from '../lib/lru.ts'
import type { AnyModel } from '../declare/model.ts'
import { hashOfStatements, q } from '../lib/sql.ts'
import type { Field } from '../fields/field.ts'
import type { Ids, TextPlace } from '../filters/filter.ts'
import { textConditions } from '../filters/string.ts'
import type { Connection } from './database.ts'
import { type FoundRows, FoundTexts } from './found-texts.ts'
import { demandIndex, isIndexBehind } from './search-later.ts'

/**
 * Makes the index of the search where the database has none, or one of other declarations. True when it was filled
 * anew.
 */
export function ensureSearch(raw: Database.Database): boolean {
  const isFilled = bringUp(raw)
  if (raw.prepare(searchMerging.isSetUp).get() === undefined) for (const step of searchMerging.setUp) raw.exec(step)
  return isFilled
}

function bringUp(raw: Database.Database): boolean {
  const triggers = searchTriggers()
  const index = hashOfStatements([...searchTables(), ...searchFilling(), ...customFilling()])
  const noting = hashOfStatements(triggers)
  raw.exec('create table if not exists search_version (version text not null) strict')
  const known = raw.prepare('select version from search_version').pluck().get() as string | undefined
  const isFilled = known?.startsWith(`${index}.`) ?? false
  // A table that a migration made anew has lost its own triggers.
  if (isFilled && known === `${index}.${noting}` && triggersOf(raw).length === triggers.length) return false
  if (known !== undefined && !isFilled)
    complain('cabinet: the search index is made anew, a minute for some millions of rows\n')
  raw
    .transaction(() => {
      if (isFilled) makeTriggers(raw)
      else fillSearch(raw)
      raw.exec('delete from search_version')
      raw.prepare('insert into search_version values (?)').run(`${index}.${noting}`)
    })
    .immediate()
  return !isFilled
}

const triggersOf = (raw: Database.Database): string[] =>
  raw
    .prepare("select name from sqlite_schema where type = 'trigger' and name like 'search\\_%' escape '\\'")
    .pluck()
    .all() as string[]

function makeTriggers(raw: Database.Database): void {
  for (const name of triggersOf(raw)) raw.exec(`drop trigger "${name}"`)
  for (const statement of searchTriggers()) raw.exec(statement)
}

/** Makes the index anew from the rows that are there, in one transaction. */
export function rebuildSearch(raw: Database.Database): void {
  raw.transaction(() => fillSearch(raw)).immediate()
}

function fillSearch(raw: Database.Database): void {
  for (const name of triggersOf(raw)) raw.exec(`drop trigger "${name}"`)
  for (const table of [SearchTable, Queue, ChangedRows]) raw.exec(`drop table if exists ${table}`)
  for (const statement of [...searchTables(), ...searchFilling(), ...customFilling(), ...searchTriggers()])
    raw.exec(statement)
  for (const step of searchMerging.setUp) raw.exec(step)
}

/** Pages that are merged after each change of the index: so many, and one more for so many entries that changed. */
const [LeastMerged, EntriesOfPage] = [8, 16]

/** Has segments of the index merged, up to so many pages; answers whether there were any to merge. */
export function mergeSearch(raw: Database.Database, pages: number): boolean {
  const total = () => raw.prepare('select total_changes()').pluck().get() as number
  const before = total()
  raw.prepare(searchMerging.merge).run(pages)
  return total() - before >= 2 // FTS5 counts one for the command
}

/** What changes whenever the segments of the index do. */
export const searchState = (raw: Database.Database): Buffer => raw.prepare(searchMerging.state).pluck().get() as Buffer

/** New rows of one model that a transaction puts into the index at once, when they are more. */
const FewRowsAtOnce = 16

/**
 * Has wait what a transaction changed of the texts, and puts into the index what waits where that is much; called at
 * the end of a transaction, inside it. New rows are told by the connection.
 */
export function searchIndexer(db: Connection): () => void {
  const { raw, added } = db
  const areMany = raw.prepare(searchIndexing.areMany).pluck()
  const steps = searchIndexing.steps.map((step) => raw.prepare(step))
  const merge = raw.prepare(searchMerging.merge)
  let told = 0
  const index = (): void => {
    for (const step of steps) told += step.run().changes
  }
  const custom = customIndexer(raw, index)
  const fresh = new Map<AnyModel, Set<number>>()
  for (const m of searchedModels)
    added.follow(m.table, 'search', (ids) => {
      const known = fresh.get(m) ?? new Set()
      for (const id of ids) known.add(id)
      fresh.set(m, known)
    })
  isFresh.set(db, () => fresh.size > 0)
  return () => {
    for (const [m, rows] of fresh) {
      const ids = JSON.stringify([...rows])
      // FTS5 writes to disk whenever an id is lower than the last: those of several models are sorted as they wait.
      if (fresh.size > 1 || rows.size <= FewRowsAtOnce) {
        db.prepare(searchWaiting(m)).run({ ids })
        continue
      }
      // Rows may have been deleted under the same ids; one that changed since is told twice, which changes nothing.
      index()
      told += db.prepare(searchAdding(m)).run({ ids }).changes
    }
    fresh.clear()
    custom()
    if (areMany.get() !== undefined) index()
    if (told === 0) return
    merge.run(LeastMerged + Math.ceil(told / EntriesOfPage))
    told = 0
  }
}
/** Whether an open transaction of a connection added rows that neither wait nor are in the index yet. */
const isFresh = new WeakMap<Connection, () => boolean>()

/** Rows whose custom fields changed that wait at most. */
const FewCustom = 16

/**
 * Has wait the custom fields of rows that a transaction noted, or puts them into the index where they are many or a
 * field itself changed; `index` puts there what waits.
 */
function customIndexer(raw: Database.Database, index: () => void): () => void {
  const known = new Map<string, Database.Statement>()
  const prepared = (sql: string): Database.Statement => {
    const statement = known.get(sql) ?? raw.prepare(sql)
    known.set(sql, statement)
    return statement
  }
  return () => {
    // To empty a table that is empty writes a page of it all the same.
    const noted = prepared(`select model from ${ChangedRows} order by model limit ${FewCustom + 1}`)
      .pluck()
      .all() as number[]
    if (noted.length === 0) return
    const areFew = noted.length <= FewCustom && noted[0]! >= 0
    if (!areFew) index()
    for (const { id, types } of prepared(fieldIndexing.changed).all() as { id: number; types: string | null }[]) {
      prepared(fieldIndexing.forget).run({ id })
      const names = JSON.parse(types ?? '[]') as string[]
      for (const m of customSearched) if (names.includes(m.name)) prepared(fieldIndexing.note(m)).run({ id })
    }
    const models = prepared(`select distinct model from ${ChangedRows} where model >= 0`).pluck().all() as number[]
    for (const number of models) {
      const m = searchedModels[number]!
      for (const step of areFew ? [customWaiting(m)] : customIndexing(m)) prepared(step).run()
    }
    prepared(`delete from ${ChangedRows}`).run()
  }
}

/** Ids of so many rows of one column are bound as values. */
const FewIds = 200
/**
 * Rows of all models that are told by one query, for a large model: to ask for those of each of its columns takes as
 * long as a thousand. A small one is soon compared where a text is not rare.
 */
const MaxRare = 1000
/** Where one row of so many may hold a text, to compare them all costs less than to look for it. */
const Share = 16
/** Rows of a table that are soon compared, where the text is not rare everywhere. */
const FewRows = 30_000
/** Rows that are counted at most to find that out. */
const [LeastCounted, MostCounted] = [2000, 20_000]

/** Whether a transaction noted more than can be looked at row by row, or what it has not put into words yet. */
const openSql = `${searchIndexing.areMany} union all select 1 from ${ChangedRows}`

/** Texts of which the values that hold them are kept until the column that was searched changes. */
const MaxAsked = 500
interface Asked {
  answers: Lru<string, { answer: unknown; was: number }>
  /** Numbers that are others when such columns are, by their names. */
  stamps: Map<string, () => number>
}
const asked = new WeakMap<Connection, Asked>()
const found = new WeakMap<Connection, FoundTexts>()
function foundIn(db: Connection): FoundTexts {
  const known = found.get(db) ?? new FoundTexts(db)
  found.set(db, known)
  return known
}

/**
 * What `ask` said when it was last asked, if nothing in these columns of the model has changed since, and no row came
 * or went.
 */
function remembered<T>(db: Connection, m: AnyModel, columns: readonly string[], key: string, ask: () => T): T {
  const known = asked.get(db) ?? { answers: new Lru(MaxAsked), stamps: new Map() }
  asked.set(db, known)
  const place = `${m.name} ${columns.join()}`
  const stamp = known.stamps.get(place) ?? db.stampOf(new Map([[m.table, new Set(columns)]]))
  known.stamps.set(place, stamp)
  const was = stamp()
  const found = known.answers.get(`${place} ${key}`)
  if (found && found.was === was) return found.answer as T
  const answer = ask()
  known.answers.set(`${place} ${key}`, { answer, was })
  return answer
}

/**
 * Finds the rows that may hold a text by the index; undefined where it does not know them, or they are too many to
 * help.
 */
export function rowsHolding(
  db: Connection,
  bind: (value: string) => string,
): (place: TextPlace, lookup: string, text: string) => Ids | undefined {
  const rare = new Map<string, FoundRows>()
  let isOpen: boolean | undefined // of an open transaction all that is changed may neither wait nor be in the index
  /** Ids by column where the text is rare everywhere, so that a search in many columns and models asks once. */
  const rareNow = (query: string, sought: string, most: number) => {
    const key = `${most} ${query}`
    if (rare.has(key)) return rare.get(key)
    const statement = db.prepare(entriesSql).raw()
    const rows = statement.all({ query, sought, limit: most + 1 }) as [place: number, id: number][]
    const byPlace = new Map<number, number[]>()
    for (const [place, id] of rows) {
      const ids = byPlace.get(place)
      if (ids) ids.push(id)
      else byPlace.set(place, [id])
    }
    const found = rows.length > most ? undefined : byPlace
    rare.set(key, found)
    return found
  }
  return ({ model, column, custom }, lookup, text) => {
    const holding = queryHolding(lookup, text)
    if (!holding) return undefined
    const { query, sought } = holding
    const entries = custom === undefined ? entriesOf(model, column) : undefined
    const idsSql = custom === undefined ? entries?.idsSql : customIdsSql(model, custom)
    db.added.settle()
    const isCompared = entries && isIndexBehind(db) && db.rows.lastOwn(model.table) < FewRows
    if (!idsSql || isCompared) return undefined
    demandIndex(db)
    isOpen ??= db.transaction !== undefined && (isFresh.get(db)?.() || db.get(openSql) !== undefined)
    if (isOpen) return undefined
    const ask = () => rareNow(query, sought, db.rows.lastOwn(model.table) < FewRows ? FewIds : MaxRare)
    const known = entries && foundIn(db).of(model, lookup, text, query, ask)
    if (known) return known.get(entries.place) ?? []
    const rows = db.rows.lastOwn(model.table)
    if (entries && rows < FewRows) return undefined
    const few = db.all<{ id: number }>(`${idsSql} limit ${FewIds + 1}`, { query })
    if (few.length <= FewIds) return few.map(({ id }) => id)
    const most = Math.max(LeastCounted, Math.min(MostCounted, Math.floor(rows / Share)))
    const { n } = db.get<{ n: number }>(`select count(*) as n from (${idsSql} limit :limit)`, {
      query,
      limit: most + 1,
    })!
    return n <= most ? idsSql.replace(':query', bind(query)) : undefined
  }
}

/** Different values of a column past which they are not looked at one by one. */
const FewValues = 60

/**
 * Finds those of a column's values that hold a text, jumping from one to the next along its index; undefined where they
 * are many.
 */
export const valuesHolding =
  (db: Connection) =>
  ({ model, column }: TextPlace, lookup: string, text: string): readonly string[] | undefined => {
    const field = model.fields[column] as Field | undefined
    if (!field?.columns(column)[`${column}_sort`]) return undefined
    return remembered(db, model, [column, `${column}_sort`], `${lookup} ${text}`, () =>
      valuesThat(db, { model, column }, lookup, text),
    )
  }

function valuesThat(
  db: Connection,
  { model, column }: Pick<TextPlace, 'model' | 'column'>,
  lookup: string,
  text: string,
): readonly string[] | undefined {
  const [key, value] = [q(`${column}_sort`), q(column)]
  const next = (after: string) =>
    `select ${key} as key, ${value} as value from ${q(model.table)} ${after} order by ${key}, ${value} limit 1`
  const values: string[] = []
  let at = db.get<{ key: Buffer; value: string | null }>(next(''))
  while (at && at.value !== null) {
    if (values.push(at.value) > FewValues) return undefined
    at =
      db.get(next(`where ${key} = +? and ${value} > +?`), at.key, at.value) ?? db.get(next(`where ${key} > +?`), at.key)
  }
  const bound: Record<string, string> = { values: JSON.stringify(values) }
  const condition = textConditions[lookup]!('value', text, (sought) => {
    bound.sought = String(sought)
    return ':sought'
  })
  return db
    .all<{ value: string }>(`select value from json_each(:values) where ${condition}`, bound)
    .map((row) => row.value)
}
