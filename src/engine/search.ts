import type { Field } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { allModels, memo } from './catalog.ts'
import type { AnyModel } from '../declare/model.ts'

/**
 * The search over everything: one FTS5 table of trigrams without the texts themselves. The id of an entry says all of
 * it, so that the best hits come first by id alone: weight (13 bits, lower counts more), model (8), field (4), id of
 * the object (38). A text stands between marks, so that what begins it and what is all of it can be asked for, and
 * words of one or two letters.
 */
export const SearchTable = 'search'
/**
 * Texts that changed and wait for the index, with their entries: FTS5 writes some pages for each transaction that tells
 * it anything, so it is told of many texts at once. What looks for a text looks at these too.
 */
export const Queue = 'search_queue'
/** Texts that wait at most when a transaction ends, and letters of them. */
const [MostLeft, MostLetters] = [64, 16_384]
/**
 * Objects whose custom fields were changed, told in the same way, by the number of their model. A model of -1 stands
 * for a custom field whose own declaration was.
 */
export const ChangedRows = 'search_rows'
const [Begin, End] = ['\u0002\u0002', '\u0003']
/** Letters of a text that are found: what stands later in long comments is not, which `Cut` says of them. */
export const MaxText = 2000
const Cut = '\u0004\u0004\u0004'
/** Bits of an entry's id that are the object's. */
export const IdMask = 2 ** 38 - 1

/** One searched member: its number among those of the model, its weight, its column. */
interface Searched {
  name: string
  number: number
  weight: number
}

/** The members of a model that are searched: texts and numbers of its own, never secrets. */
export const searchedOf = memo((m: AnyModel): readonly Searched[] =>
  Object.entries(m.pages?.weights ?? {})
    .filter(([name]) => {
      const field = m.fields[name] as Field | undefined
      const column = field?.columns(name)[name]
      return column && column.type !== 'blob' && !field.options.secret && !field.options.writeOnly
    })
    .map(([name, weight], number) => ({ name, number, weight })),
)

/** Models that are searched, those first whose objects people look for before their parts. */
export const searchedModels: readonly AnyModel[] = allModels
  .filter((m) => searchedOf(m).length > 0)
  .toSorted((a, b) => Number(Boolean(a.relatedObject)) - Number(Boolean(b.relatedObject)))
const numbers = new Map(searchedModels.map((m, i) => [m, i]))

/** Id of the first entry of a column. */
const firstEntry = (m: AnyModel, { weight, number }: Searched): bigint =>
  (BigInt(weight) << 50n) | (BigInt(numbers.get(m)!) << 42n) | (BigInt(number) << 38n)
/** SQL of the id of an entry, from that of the row. */
const entryId = (m: AnyModel, field: Searched, id: string): string => `${firstEntry(m, field)} | ${id}`
/** SQL of the marked text of a column; null where there is none. */
const textOf = (t: string, name: string): string => {
  const column = `${t}.${q(name)}`
  return `char(2, 2) || substr(nullif(${column}, ''), 1, ${MaxText}) || char(3)
    || iif(length(${column}) > ${MaxText}, char(4, 4, 4), '')`
}

/** Statements that make the tables. */
export function searchTables(): string[] {
  return [
    `create virtual table if not exists ${SearchTable} using fts5(
       text, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1')`,
    `insert into ${SearchTable}(${SearchTable}, rank) values ('automerge', 16)`, // where it began; see `searchMerging`
    `create table if not exists ${Queue} (entry integer primary key, text text, is_new integer not null) strict`,
    `create table if not exists ${ChangedRows} (
       model integer not null, id integer not null, primary key (model, id)) strict, without rowid`,
  ]
}

/**
 * Statements that make the triggers which note what changes, in the transaction that writes a row; new rows are noted
 * by `searchNoting`.
 */
export function searchTriggers(): string[] {
  return [
    ...searchedModels.flatMap(triggersOf),
    ...['update of name, type, object_types', 'delete'].map(
      (event) => `create trigger search_customfield_${event.split(' ')[0]} after ${event} on extras_customfield
     begin insert or ignore into ${ChangedRows} values (-1, old.id); end`,
    ),
  ]
}

/** The number of a model in the index. */
export const searchNumber = (m: AnyModel): number => numbers.get(m)!
/** Models whose custom fields are searched. */
export const customSearched: readonly AnyModel[] = searchedModels.filter((m) => m.fields.custom_fields)

/** Statements that put what waits into the index; the first tells whether that is more than may go on waiting. */
export const searchIndexing = {
  areMany: `select 1 from (select count(*) as n, total(length(text)) as letters
    from (select text from ${Queue} limit ${MostLeft + 1})) where n > ${MostLeft} or letters > ${MostLetters}`,
  steps: [
    `delete from ${SearchTable} where rowid in (select entry from ${Queue} where is_new = 0)`,
    `insert into ${SearchTable}(rowid, text) select entry, text from ${Queue} where text is not null`,
    `delete from ${Queue}`,
  ],
} as const

/** How FTS5 merges: never by itself, when told of four segments and more, and of one of which half was deleted. */
const merging = { automerge: 0, usermerge: 4, deletemerge: 50 }

/**
 * The index is in segments, one more with each transaction that tells it anything; a search looks into each of them.
 * By itself FTS5 merges many at once, which took half a second at times: `setUp` has it merge when told, by `merge`,
 * so many pages; `isSetUp` says whether it does. Two by two each entry is written twice as often as four by four, and
 * where a segment is written anew whenever a tenth is deleted, ten times. What `state` selects changes with the
 * segments.
 */
export const searchMerging = {
  isSetUp: `select 1 where ${Object.entries(merging)
    .map(([key, value]) => `exists (select 1 from ${SearchTable}_config where k = '${key}' and v = ${value})`)
    .join(' and ')}`,
  setUp: Object.entries(merging).map(
    ([key, value]) => `insert into ${SearchTable}(${SearchTable}, rank) values ('${key}', ${value})`,
  ),
  merge: `insert into ${SearchTable}(${SearchTable}, rank) values ('merge', cast(? as integer))`,
  state: `select block from ${SearchTable}_data where id = 10`,
} as const

const name = (m: AnyModel, event: string): string => q(`search_${m.table}_${event}`)

function triggersOf(m: AnyModel): string[] {
  const fields = searchedOf(m)
  const note = (values: (field: Searched) => string) =>
    `insert into ${Queue}(entry, text, is_new) select column1, column2, 0 from (values ${fields
      .map((field) => `(${values(field)})`)
      .join(', ')}) where column3
     on conflict (entry) do update set text = excluded.text, is_new = 0;`
  const custom = Boolean(m.fields.custom_fields)
  const noteRow = (row: 'new' | 'old', when: string) =>
    custom ? `insert or ignore into ${ChangedRows} select ${searchNumber(m)}, ${row}.id where ${when};` : ''
  const hasChanged = (column: string) => `new.${column} is not old.${column}`
  const now = (field: Searched) =>
    `${entryId(m, field, 'new.id')}, ${textOf('new', field.name)}, ${hasChanged(q(field.name))}`
  const gone = (field: Searched) => `${entryId(m, field, 'old.id')}, null, old.${q(field.name)} <> ''`
  const columns = fields.map((field) => q(field.name))
  const isChanged = columns.map(hasChanged).join(' or ')
  const areChanged = hasChanged('custom_field_data')
  const watched = custom ? [...columns, 'custom_field_data'] : columns
  return [
    `create trigger ${name(m, 'update')} after update of ${watched.join(', ')} on ${q(m.table)}
     when ${isChanged}${custom ? ` or ${areChanged}` : ''} begin ${note(now)} ${noteRow('new', areChanged)} end`,
    `create trigger ${name(m, 'delete')} after delete on ${q(m.table)}
     begin ${note(gone)} ${noteRow('old', "old.custom_field_data <> '{}'")} end`,
  ]
}

/** Selects entries and texts of rows of a model that a JSON list `:ids` names. */
export const textsOf = (m: AnyModel): string => {
  const texts = searchedOf(m).map(
    (field) => `select ${entryId(m, field, 't.id')} as entry, ${textOf('t', field.name)} as text ${among(m)}`,
  )
  return `select entry, text from (${texts.join(' union all ')}) where text is not null`
}
const among = (m: AnyModel): string => `from json_each(:ids) a cross join ${q(m.table)} t on t.id = a.value`
/** Statement that has the entries and texts that a query selects wait; `isNew`: the index has none of them yet. */
export const waiting = (texts: string, isNew: 0 | 1): string =>
  `insert into ${Queue}(entry, text, is_new) select entry, text, ${isNew} from (${texts}) where true
   on conflict (entry) do update set text = excluded.text, is_new = 0`

/**
 * Statement that notes a column of rows of a model, by a JSON list `:ids`, whether they are there or not; `number`:
 * that of the column.
 */
export function searchRenoting(m: AnyModel, number: number): string {
  const field = searchedOf(m)[number]!
  return waiting(
    `select ${entryId(m, field, 'a.value')} as entry, ${textOf('t', field.name)} as text
      from json_each(:ids) a left join ${q(m.table)} t on t.id = a.value`,
    0,
  )
}

/** Statements that fill the empty table from the rows that are there. */
export const searchFilling = (): string[] =>
  searchedModels.flatMap((m) =>
    searchedOf(m).map(
      (field) =>
        `insert into ${SearchTable}(rowid, text) select ${entryId(m, field, 't.id')}, ${textOf('t', field.name)}
         from ${q(m.table)} t where t.${q(field.name)} <> ''`,
    ),
  )

/** What is looked at of the entries of one column, and set right. */
interface EntryCheck {
  label: string
  table: string
  /**
   * Select, of the objects with ids from `:from` to `:to`, those whose entry is missing, and those of entries whose
   * object is gone or says nothing there.
   */
  missing: string
  extra: string
  /** Make and take away entries of the objects in a JSON list of ids, where that is still right. */
  add: string
  remove: string
}

/** Checks of the index: that each text has its entry, and each entry its text. */
export const searchFaults = (): EntryCheck[] =>
  searchedModels.flatMap((m) =>
    searchedOf(m).map((field) => {
      const entry = entryId(m, field, 't.id')
      const first = entryId(m, field, '0')
      const waits = (id: string) => `exists (select 1 from ${Queue} w where w.entry = ${id})`
      const lacks = `t.${q(field.name)} <> '' and not ${waits(`(${entry})`)}
        and not exists (select 1 from ${SearchTable}_docsize e where e.id = (${entry}))`
      const says = `select 1 from ${q(m.table)} t where t.id = e.id & ${IdMask} and t.${q(field.name)} <> ''`
      const isExtra = `not exists (${says}) and not ${waits('e.id')}`
      const within = `e.id between (${first} | :from) and (${first} | :to)`
      return {
        label: `${m.name} ${field.name}`,
        table: m.table,
        missing: `select t.id from ${q(m.table)} t where t.id between :from and :to and ${lacks}`,
        extra: `select e.id & ${IdMask} as id from ${SearchTable}_docsize e where ${within} and ${isExtra}`,
        add: `insert into ${SearchTable}(rowid, text) select ${entry}, ${textOf('t', field.name)}
          from ${q(m.table)} t where t.id in (select value from json_each(?)) and ${lacks}`,
        remove: `delete from ${SearchTable} where rowid in (select e.id from json_each(?) j
          join ${SearchTable}_docsize e on e.id = (${first} | j.value) where ${isExtra})`,
      }
    }),
  )

/** How a text is looked for: the whole of a value, what it begins with, or anywhere in it. */
export type Match = 'whole' | 'beginning' | 'part'
/** The query of FTS5 for a text, and what marked texts hold that it finds. */
export const matchOf = (text: string, match: Match): { query: string; sought: string } => {
  const sought = `${match === 'part' ? '' : Begin}${text}${match === 'whole' ? End : ''}`
  return { query: quoted(sought), sought }
}
/** A phrase for FTS5, which would end at a NUL; no text that is kept has one. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""').replaceAll('\0', '\ufffd')}"`

/** Marks around what a lookup looks for. */
const Around: Readonly<Record<string, readonly [string, string]>> = {
  ic: ['', ''],
  isw: [Begin, ''],
  iew: ['', End],
  ie: [Begin, End],
}

/**
 * The query of FTS5 for the texts that hold one in the way of a lookup, and perhaps for others, and what marked texts
 * hold then; undefined for lookups and texts that the index cannot tell. It knows groups of three letters, and folds
 * more than the comparisons of SQLite do: the same for ASCII only.
 */
export function queryHolding(lookup: string, text: string): { query: string; sought: string } | undefined {
  const [before, after] = Around[lookup] ?? []
  const sought = `${before}${text}${after}`
  return before === undefined || sought.length < 3 || text.length > MaxText || !/^[\x20-\x7e]+$/.test(text)
    ? undefined
    : { query: `${phrase(sought, Boolean(before))} OR ${quoted(Cut)}`, sought }
}

/** Letters of the beginning of a long text, and how long that is. */
const [Head, Long] = [6, 10]
/**
 * FTS5 moves along the places of all groups of letters by turns: in a long text which may stand anywhere, its beginning
 * by itself rules most out sooner, as what many texts share is mostly their end.
 */
const phrase = (sought: string, isBegun: boolean): string =>
  isBegun || sought.length < Long ? quoted(sought) : `${quoted(sought.slice(0, Head))} AND ${quoted(sought)}`

/**
 * Selects the entries of a query, so many that are in the index and those that wait for it; each as the number of its
 * column and the object's id.
 */
export const entriesSql = `select * from (select rowid >> 38 as place, rowid & ${IdMask} as id
    from ${SearchTable} where ${SearchTable} match :query and rowid > 0 limit :limit)
  union all select entry >> 38, entry & ${IdMask} from ${Queue}
    where entry > 0 and (instr(lower(text), lower(:sought)) or instr(text, char(4, 4, 4)))`
/** Selects the ids of objects whose text in one column a query finds, and of those whose text waits for the index. */
export const idsWithin = (first: bigint, last: bigint): string => `select abs(rowid) & ${IdMask} as id
    from ${SearchTable} where ${SearchTable} match :query and rowid between ${first} and ${last}
  union all select abs(entry) & ${IdMask} from ${Queue} where entry between ${first} and ${last} and text is not null`

/** How the entries of a column are told from others; undefined for one that is not searched. */
export function entriesOf(m: AnyModel, column: string): { place: number; idsSql: string } | undefined {
  const field = searchedOf(m).find(({ name }) => name === column)
  if (!field) return undefined
  const first = firstEntry(m, field)
  return {
    place: Number(first >> 38n),
    idsSql: idsWithin(first, first | BigInt(IdMask)),
  }
}

/** A hit: which object, by which member, how much that counts. */
export interface Hit {
  weight: number
  model: AnyModel
  id: number
  field: string
}
/**
 * Selects the entries of a query among some: in the index, but for those that wait to be others, and among those that
 * wait; `:sought` is what a marked text of these holds.
 */
export const entriesWithin = (some: (entry: string) => string): string => `
  select rowid as entry from ${SearchTable} where ${SearchTable} match :query and ${some('rowid')}
    and rowid not in (select entry from ${Queue})
  union all select entry from ${Queue} where ${some('entry')} and instr(plain(text), plain(:sought))`
/** Selects hits of a query from an entry on, best first. */
export const hitsSql = `
  select entry >> 50 as weight, entry >> 42 & 255 as model, entry >> 38 & 15 as field, entry & ${IdMask} as id
  from (${entriesWithin((entry) => `${entry} > 0`)} order by 1 limit :limit offset :offset)`
export const hitOf = (row: { weight: number; model: number; field: number; id: number }): Hit | undefined => {
  const model = searchedModels[row.model]
  const field = model && searchedOf(model)[row.field]
  return model && field && { weight: row.weight, model, id: row.id, field: field.name }
}
