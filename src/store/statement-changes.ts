import type { Row } from '../fields/field.ts'
import { anyOf, type Change, everything } from './changes.ts'

/**
 * What a run of a statement changed: from the values that it was given, and the id of the row that it inserted last.
 */
type StatementChange = (values: readonly unknown[], inserted: number) => Change

const Head =
  /^\s*(?:(insert|replace)(?:\s+or\s+\w+)?\s+into|(update)(?:\s+or\s+\w+)?|(delete)\s+from)\s+[`"]?(\w+)[`"]?/i
/** `(a, b) values (?, ?)` and nothing after it: each value is a column of the one new row. */
const Values = /^\s*\(([\w\s,"`]+)\)\s*values\s*\(([\s?,]+)\)\s*$/i
/** `where a = ? and b = ?`, as the end. */
const Equals = /^\s*where\s+([`"]?\w+[`"]?\s*=\s*\+?\?(?:\s+and\s+[`"]?\w+[`"]?\s*=\s*\+?\?)*)\s*$/i

/**
 * What a statement that writes changes, by its text; what is not of a simple form changes all of its table. Undefined
 * for one that changes no rows (a savepoint, a pragma).
 */
export function statementChange(sql: string): StatementChange | undefined {
  const head = Head.exec(sql)
  if (!head) return /\b(?:insert|update|delete|replace)\b/i.test(sql) ? () => everything : undefined
  const [start, insert, update, , table] = head as unknown as [string, string?, string?, string?, string?]
  const rest = sql.slice(start.length)
  if (insert)
    return insertion(table!, insert.toLowerCase() === 'insert' && !/\bor\s+replace\b/i.test(start) ? rest : '')
  return update ? alteration(table!, rest) : deletion(table!, rest)
}

/** The table that a statement writes, by its text; undefined where that does not begin with what it does. */
export const tableOf = (sql: string): string | undefined => Head.exec(sql)?.[4]

const bare = (name: string): string => name.trim().replace(/^[`"]|[`"]$/g, '')
/** References: columns of numbers that name rows. */
const isReference = (column: string): boolean => column.endsWith('_id')
const Nothing: readonly number[] = []
const held = (value: unknown): readonly number[] => (value === null || value === undefined ? Nothing : [Number(value)])

function insertion(table: string, rest: string): StatementChange {
  const found = Values.exec(rest)
  if (!found) return () => anyOf(table)
  const columns = found[1]!.split(',').map(bare)
  const references = columns.flatMap((column, i) => (isReference(column) ? [[column, i] as const] : []))
  return (values, inserted) => {
    const refers: Record<string, readonly number[]> = {}
    for (const [column, i] of references) refers[column] = held(values[i])
    return { table, columns: 'all', ids: [inserted], refers }
  }
}

function deletion(table: string, rest: string): StatementChange {
  const named = equalities(rest)
  return named ? (values) => ({ table, columns: 'all', ...rowsOf(named, values) }) : () => anyOf(table)
}

function alteration(table: string, rest: string): StatementChange {
  const columns = assigned(rest)
  if (!columns) return () => anyOf(table)
  const where = rest.slice(columns.end)
  const named = equalities(where)
  const free = columns.names // what a reference was before is known only where it is asked for and stays
  return (values) => {
    const rows = named ? rowsOf(named, values.slice(-named.length)) : { ids: 'all' as const, refers: {} }
    const refers = Object.fromEntries(Object.entries(rows.refers).filter(([column]) => !free.includes(column)))
    return { table, columns: columns.names, ids: rows.ids, refers }
  }
}

/** Columns of the conditions, where all are `column = ?`. */
function equalities(where: string): readonly string[] | undefined {
  const [, conditions] = Equals.exec(where) ?? []
  return conditions?.split(/\s+and\s+/i).map((each) => bare(each.slice(0, each.indexOf('='))))
}

function rowsOf(named: readonly string[], values: readonly unknown[]): Pick<Change, 'ids' | 'refers'> {
  const refers: Record<string, readonly number[]> = {}
  let ids: readonly number[] | 'all' = 'all'
  named.forEach((column, i) => {
    if (column === 'id') ids = held(values[i])
    else if (isReference(column)) refers[column] = held(values[i])
  })
  return { ids, refers }
}

/** Columns that `set a = …, b = …` names, and where that ends; undefined where it is of another form. */
function assigned(rest: string): { names: readonly string[]; end: number } | undefined {
  const start = /^(?:\s+as)?(?:\s+(?!set\b)\w+)?\s+set\s+/i.exec(rest)?.[0].length
  if (start === undefined) return undefined
  const names: string[] = []
  let [depth, from, end] = [0, start, rest.length]
  const take = (to: number): boolean => {
    const name = /^\s*([`"]?\w+[`"]?)\s*=/.exec(rest.slice(from, to))?.[1]
    if (name) names.push(bare(name))
    return name !== undefined
  }
  for (let i = start; i < rest.length; i++) {
    const letter = rest[i]!
    if (letter === "'" || letter === '"' || letter === '`') {
      i = rest.indexOf(letter, i + 1)
      if (i < 0) return undefined
    } else if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (depth === 0 && letter === ',') {
      if (!take(i)) return undefined
      from = i + 1
    } else if (depth === 0 && /\s/.test(letter) && /^\s(?:where|from|returning)\b/i.test(rest.slice(i, i + 11))) {
      end = i
      break
    }
  }
  return take(end) ? { names, end } : undefined
}

/**
 * The change of one row whose columns are all known, as it was and as it is; `columns`: those that differ, or `all`.
 */
export function rowChange(
  table: string,
  columns: Change['columns'],
  id: number,
  ...states: readonly (Row | undefined)[]
): Change {
  const refers: Record<string, readonly number[]> = {}
  for (const row of states) {
    if (!row) continue
    for (const column of referencesIn(table, row)) {
      const [known, value] = [refers[column], row[column]]
      if (!known?.length) refers[column] = held(value)
      else if (value !== null && value !== undefined && value !== known[0]) refers[column] = [...known, Number(value)]
    }
  }
  return { table, columns, ids: [id], refers }
}
/** The references among the columns of a table's rows. */
function referencesIn(table: string, row: Row): readonly string[] {
  const known = references.get(table) ?? Object.keys(row).filter(isReference)
  references.set(table, known)
  return known
}
const references = new Map<string, readonly string[]>()
