import type { AnyModel } from '../declare/model.ts'
import { memo } from './catalog.ts'
import { q } from '../lib/sql.ts'
import {
  ChangedRows,
  customSearched,
  entriesWithin,
  type Hit,
  IdMask,
  idsWithin,
  MaxText,
  Queue,
  SearchTable,
  searchedModels,
  searchNumber,
  textsOf,
  waiting,
} from './search.ts'

/**
 * Values of custom fields in the index of the search. The id of such an entry is below zero: less the id of the field
 * (17 bits), the number of the model (8) and the id of the object (38), so that a field's weight may change without a
 * change of its entries.
 */
const Types = "('text', 'longtext', 'url', 'integer', 'decimal', 'date', 'datetime', 'select', 'multiselect')"
const MaxField = 2 ** 17 - 1

const entry = (m: AnyModel, id: string): string => `-(d.id << 46 | ${BigInt(searchNumber(m)) << 38n} | ${id})`
/** Declarations of the fields of a model, as alias `d`. */
const declared = (m: AnyModel): string =>
  `extras_customfield d join json_each(d.object_types) o
    on o.value = '${m.name}' and d.type in ${Types} and d.id <= ${MaxField}`
const value = `json_extract(t.custom_field_data, '$."' || d.name || '"')`
const marked = (text: string): string =>
  `char(2, 2) || substr(${text}, 1, ${MaxText}) || char(3) || iif(length(${text}) > ${MaxText}, char(4, 4, 4), '')`
/**
 * The marked text of a field of row alias `t`, one after the other where it has several values; null where it has none.
 */
const text = `case d.type when 'multiselect'
  then (select group_concat(${marked('e.value')}, '')
    from json_each(t.custom_field_data, '$."' || d.name || '"') e where e.value <> '')
  else ${marked(`nullif(${value}, '')`)} end`

/** Entries and texts of the custom fields of a model's rows; an emptied list has no text, and belongs in no index. */
const texts = (m: AnyModel): string => `select ${entry(m, 't.id')} as entry, ${text} as text
  from ${declared(m)} join ${q(m.table)} t on t.custom_field_data <> '{}' and t.custom_field_data ->> d.name <> ''`

/** Statement that has the texts of the rows of a model wait whose custom fields were noted. */
export const customWaiting = memo((m: AnyModel): string =>
  waiting(
    `select ${entry(m, 'r.id')} as entry, iif(t.custom_field_data ->> d.name <> '', ${text}, null) as text
      from ${ChangedRows} r join ${declared(m)} left join ${q(m.table)} t on t.id = r.id
      where r.model = ${searchNumber(m)}`,
    0,
  ),
)
/** Statements that put them into the index, where none of them wait. */
export const customIndexing = (m: AnyModel): readonly string[] => [
  `delete from ${SearchTable} where rowid in (
     select ${entry(m, 'r.id')} from ${ChangedRows} r join ${declared(m)} where r.model = ${searchNumber(m)})`,
  `insert into ${SearchTable}(rowid, text) select entry, text from (
     select ${entry(m, 't.id')} as entry, ${text} as text
     from ${ChangedRows} r join ${q(m.table)} t on t.id = r.id join ${declared(m)}
     where r.model = ${searchNumber(m)} and t.custom_field_data ->> d.name <> ''
   ) where text is not null order by entry`,
]

/** Selects entries and texts of the custom fields of rows of a model that a JSON list `:ids` names. */
const customTextsOf = (m: AnyModel): string => `select ${entry(m, 't.id')} as entry, ${text} as text
  from ${declared(m)} cross join json_each(:ids) a cross join ${q(m.table)} t on t.id = a.value
  where t.custom_field_data ->> d.name <> ''`

/** Selects entries and texts of new rows of a model, by a JSON list `:ids`. */
const textsOfNew = (m: AnyModel): string =>
  m.fields.custom_fields ? `${customTextsOf(m)} union all ${textsOf(m)}` : textsOf(m)
/** Has the texts of new rows wait. */
export const searchWaiting = memo((m: AnyModel): string => waiting(textsOfNew(m), 1))
/** Puts new rows into the index; in the order of the entries, which FTS5 needs. */
export const searchAdding = memo(
  (m: AnyModel): string =>
    `insert into ${SearchTable}(rowid, text)
      select entry, text from (${textsOfNew(m)}) where text is not null order by entry`,
)

/**
 * Statements about custom fields that were changed themselves: which, what takes their entries away, and what notes the
 * rows they have.
 */
export const fieldIndexing = {
  changed: `select r.id, d.object_types as types
    from ${ChangedRows} r left join extras_customfield d on d.id = r.id where r.model = -1`,
  forget: `delete from ${SearchTable} where rowid in (
    select id from ${SearchTable}_docsize where id between -(((:id + 1) << 46) - 1) and -(:id << 46))`,
  note: (m: AnyModel) => `insert or ignore into ${ChangedRows} select ${searchNumber(m)}, t.id from ${q(m.table)} t
    where t.custom_field_data ->> (select name from extras_customfield where id = :id) <> ''`,
} as const

/** Statements that fill the empty index with the custom fields of the rows that are there. */
export const customFilling = (): string[] =>
  customSearched.map(
    (m) => `insert into ${SearchTable}(rowid, text) select entry, text from (${texts(m)}) where text is not null`,
  )

/** Selects for each model how many entries of custom fields are missing, and how many lead nowhere. */
export const customFaults = (): { label: string; sql: string }[] =>
  customSearched.map((m) => {
    const waits = `select entry from ${Queue}`
    const rows = `select entry from (${texts(m)}) where text is not null except ${waits}`
    const entries = `select id from ${SearchTable}_docsize where id < 0 and -id >> 38 & 255 = ${searchNumber(m)}
      except ${waits}`
    return {
      label: `${m.name} custom fields`,
      sql: `select (select count(*) from (${rows} except ${entries})) as missing,
        (select count(*) from (${entries} except ${rows})) as extra`,
    }
  })

/**
 * Selects the objects of a model whose custom field an entry of a query is of; undefined where that field is in no
 * index.
 */
export function customIdsSql(m: AnyModel, field: number): string | undefined {
  if (!customSearched.includes(m) || field > MaxField) return undefined
  const first = (BigInt(field) << 46n) | (BigInt(searchNumber(m)) << 38n)
  return idsWithin(-(first | BigInt(IdMask)), -first)
}

/** Whether a query finds anything in a custom field. */
export const anyCustomSql = `${entriesWithin((entry) => `${entry} < 0`)} limit 1`
/** Custom fields that are searched, those that count most first. */
export const searchedFieldsSql = `select id, name, label, search_weight as weight from extras_customfield
  where search_weight > 0 and type in ${Types} and id <= ${MaxField} order by search_weight, id`
/** Selects hits of a query in one custom field from an entry on. */
export const customHitsSql = `select -entry >> 38 & 255 as model, -entry & ${IdMask} as id
  from (${entriesWithin((entry) => `${entry} between -(((:field + 1) << 46) - 1) and -(:field << 46)`)}
  order by 1 desc limit :limit offset :offset)`

/** A custom field that is searched. */
export interface SearchedField {
  id: number
  name: string
  label: string
  weight: number
}
export const customHitOf = (row: { model: number; id: number }, { name, weight }: SearchedField): Hit | undefined => {
  const model = searchedModels[row.model]
  return model && { weight, model, id: row.id, field: `cf_${name}` }
}
