import type { AnyModel } from '../declare/model.ts'
import { q } from '../lib/sql.ts'
import { allModels, memo } from './catalog.ts'

/**
 * Counts that are kept of large tables: how many rows have each combination of some columns, of all rows up to an id.
 * Later rows are few, and counted when it is asked; so that an insert costs next to nothing, and triggers follow what
 * else changes among the counted.
 */
const Upto = 'count_upto'
export const keptModels: readonly AnyModel[] = allModels.filter((m) => m.large)

const keptTable = (m: AnyModel): string => `count_${m.table}`
const columnsOf = (m: AnyModel): string[] => m.large!.map(q)
/** SQL of the id up to which rows of a model are counted. */
const upto = (m: AnyModel): string => `(select id from ${Upto} where name = '${m.table}')`
/** Selects the id up to which the rows of a table are counted. */
export const countedUpto = `select id from ${Upto} where name = ?`
/** Rows of a model that are not counted beforehand. */
const later = (m: AnyModel): string => `${q(m.table)} t not indexed where t.id > ${upto(m)}`

/** Statements that make the tables, and the triggers that follow changes of counted rows. */
export const countSchema = (): string[] => [
  `create table if not exists ${Upto} (name text primary key, id integer not null) strict, without rowid`,
  ...keptModels.flatMap((m) => {
    const columns = columnsOf(m)
    return [
      `create table ${keptTable(m)} (${[...columns, 'n integer not null'].join(', ')})`,
      ...(columns.length ? [`create index ${keptTable(m)}_ix on ${keptTable(m)} (${columns.join(', ')})`] : []),
      `insert or replace into ${Upto} values ('${m.table}', 0)`,
      ...triggersOf(m),
    ]
  }),
]

/** Statements that take the tables away; their triggers are told by name. */
export const countTables = (): string[] => [...keptModels.map(keptTable), Upto]

function triggersOf(m: AnyModel): string[] {
  const columns = columnsOf(m)
  const change = (row: 'old' | 'new', by: 1 | -1) => {
    const table = keptTable(m)
    const isSame = columns.map((column) => `${column} is ${row}.${column}`).join(' and ') || 'true'
    const values = [...columns.map((column) => `${row}.${column}`), by].join(', ')
    return `update ${table} set n = n + ${by} where rowid = (select rowid from ${table} where ${isSame} limit 1);
      insert into ${table} select ${values} where changes() = 0;`
  }
  const trigger = (event: string, row: 'old' | 'new', on: string, when: string, work: string) =>
    `create trigger ${q(`count_${m.table}_${event}`)} after ${on} on ${q(m.table)}
      when ${row}.id <= ${upto(m)}${when} begin ${work} end`
  const differs = columns.map((column) => `new.${column} is not old.${column}`).join(' or ')
  return [
    trigger('delete', 'old', 'delete', '', change('old', -1)),
    ...(columns.length
      ? [
          trigger(
            'update',
            'old',
            `update of ${columns.join(', ')}`,
            ` and (${differs})`,
            change('old', -1) + change('new', 1),
          ),
        ]
      : []),
  ]
}

/** Large tables whose rows others than the server's own log may add, under ids of their own too. */
export const addedModels = keptModels.filter((m) => !m.methods?.every((method) => method === 'GET'))

/** Statements that count what came later, one for each step; and what they are worth. */
export const counting = memo((m: AnyModel) => {
  const columns = columnsOf(m)
  const grouped = columns.length ? ` group by ${columns.join(', ')}` : ''
  const table = keptTable(m)
  return {
    /** How far the ids have gone beyond what is counted. */
    behind: `select coalesce((select max(id) from ${q(m.table)}), 0) - ${upto(m)} as n`,
    /** Whether so many rows are not counted: ids alone do not say it, a kit's begin at a hundred million. */
    isMany: `select exists (select 1 from ${q(m.table)} where id > ${upto(m)} limit 1 offset ?) as n`,
    add: [
      `insert into ${table} select ${[...columns, 'count(*)'].join(', ')} from ${later(m)}${grouped}`,
      `update ${Upto} set id = max(id, coalesce((select max(id) from ${q(m.table)}), 0)) where name = '${m.table}'`,
    ],
    /**
     * Counts rows of a JSON list `:ids` that were added among the counted: SQLite gives ids in rising order, so they
     * had ids of their own.
     */
    among: `insert into ${table} select ${[...columns.map((column) => `t.${column}`), '1'].join(', ')}
      from json_each(:ids) a cross join ${q(m.table)} t on t.id = a.value where t.id <= ${upto(m)}`,
    /** Counts the rows after `:id` no more: they are about to go. */
    takeBack: [
      `insert into ${table} select ${[...columns, '-count(*)'].join(', ')} from ${q(m.table)} t not indexed
        where t.id > :id and t.id <= ${upto(m)}${grouped || ' having count(*) > 0'}`,
      `update ${Upto} set id = min(id, :id) where name = '${m.table}'`,
    ],
    groups: `select count(*) as n from ${table}`,
    /** The same counts in as few rows as there are combinations. */
    merge: [
      `create temp table merged as
        select ${[...columns, 'sum(n) as n'].join(', ')} from ${table}${grouped} having sum(n) <> 0`,
      `delete from ${table}`,
      `insert into ${table} select * from temp.merged`,
      'drop table temp.merged',
    ],
  }
})

/** Selects the number of rows that meet a condition on row alias `t`, which may compare the counted columns alone. */
export const keptCount = (m: AnyModel, where: readonly string[]): string => {
  const conditions = where.length ? ` where ${where.join(' and ')}` : ''
  const rest = [...where, `t.id > ${upto(m)}`].join(' and ')
  return `select (select coalesce(sum(t.n), 0) from ${keptTable(m)} t${conditions})
    + (select count(*) from ${q(m.table)} t not indexed where ${rest}) as n`
}

/** Selects the kept counts, and those of the rows with ids from `:from` to `:to`: the columns, and `n`. */
export const countsBelow = (m: AnyModel): string =>
  `select ${[...columnsOf(m), 'sum(n) as n'].join(', ')} from ${keptTable(m)}${grouped(m)}`
export const realCounts = (m: AnyModel): string =>
  `select ${[...columnsOf(m), 'count(*) as n'].join(', ')} from ${q(m.table)}
    where id between :from and :to and id <= ${upto(m)}${grouped(m)}`
const grouped = (m: AnyModel): string => (columnsOf(m).length ? ` group by ${columnsOf(m).join(', ')}` : '')

/** Selects how many combinations are counted wrongly. */
export const countFaults = (m: AnyModel): string => {
  const columns = columnsOf(m)
  const list = columns.map((column) => `${column}, `).join('')
  const groups = columns.length ? ` group by ${columns.join(', ')}` : ''
  const kept = `select ${list}sum(n) as n from ${keptTable(m)}${groups} having sum(n) <> 0`
  const real = `select ${list}count(*) as n from ${q(m.table)} where id <= ${upto(m)}${groups} having count(*) <> 0`
  return `select (select count(*) from (${kept} except ${real})) + (select count(*) from (${real} except ${kept})) as n`
}
