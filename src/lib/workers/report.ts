// A process that answers questions of reports in SQL. It opens the database to read only, and every question is judged
// twice: first where nothing but empty tables of these names is, so that no other name means anything; then over views
// of what its asker may see.
import { asText } from '../formulas.ts'
import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { stringify } from 'csv-stringify/sync'
import type { ReportJob, ReportOutcome, ReportSource, ReportValue } from '../report.ts'
import { q } from '../sql.ts'
import { sqlFunctions } from '../sql-functions.ts'

/**
 * Functions that questions may call: none that loads, writes, tells of the database, or makes long values out of
 * nothing.
 */
const Functions = new Set(
  `abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count cume_dist
   current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format glob
   group_concat hex if ifnull iif instr json json_array json_array_length json_error_position json_extract
   json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote json_remove
   json_replace json_set json_type json_valid julianday lag last_value lead length like likelihood likely ln log log10
   log2 lower ltrim max median min mod nth_value ntile nullif octet_length percent_rank percentile percentile_cont
   percentile_disc pi pow power printf quote radians random rank replace round row_number rtrim sign sin sinh soundex
   sqrt strftime string_agg subtype substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode
   unistr unixepoch unlikely upper
   -> ->>`.split(/\s+/),
)
for (const name of Object.keys(sqlFunctions)) Functions.add(name)
/** Tables that come of a value. */
const OfValues = new Set(['json_each', 'json_tree'])

/** What SQLite refuses by itself. */
const Limits = {
  length: 8_388_608,
  sqlLength: 4_194_304,
  column: 500,
  compoundSelect: 50,
  vdbeOp: 1_000_000,
  attach: 0,
  likePatternLength: 1000,
  variableNumber: 1000,
  triggerDepth: 0,
}
const { SQLITE_OK, SQLITE_DENY, SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE } = constants

const Niceness = 5

type Authorize = (
  code: number,
  one: string | null,
  two: string | null,
  schema: string | null,
  view: string | null,
) => boolean

let source: ReportSource
let bare: DatabaseSync
/** Tables that SQLite has by itself. */
let modules: ReadonlySet<string>
let real: DatabaseSync
/** When the question that is worked on has to be answered; 0 while there is none. */
const deadline = new Float64Array(new SharedArrayBuffer(8))

/**
 * Ends this process where SQLite, which cannot be asked to stop, goes on past its bounds. The deadline is read once: a
 * question that ends between two looks sets it to 0, which lies in the past.
 */
const Watcher = `const { workerData: { deadline, memory } } = require('node:worker_threads')
setInterval(() => {
  const until = deadline[0]
  if (process.memoryUsage.rss() > memory) process.kill(process.pid, 'SIGTERM')
  else if (until > 0 && Date.now() > until) process.kill(process.pid, 'SIGKILL')
}, 25)`

function begin(given: ReportSource): void {
  source = given
  bare = new DatabaseSync(':memory:', { limits: Limits })
  for (const [name, columns] of Object.entries(source.tables))
    bare.exec(`create temp view ${q(name)} as select ${columns.map((column) => `null as ${q(column)}`).join(', ')}`)
  modules = new Set(
    bare
      .prepare('select lower(name) as name from pragma_module_list')
      .all()
      .map(({ name }) => String(name)),
  )
  real = new DatabaseSync(source.file, { readOnly: true, limits: Limits, timeout: 2000 })
  real.exec('pragma temp_store = memory; pragma cache_size = -16384; pragma mmap_size = 0')
  for (const db of [bare, real])
    for (const [name, run] of Object.entries(sqlFunctions))
      db.function(name, { deterministic: true, varargs: true }, run as (...values: unknown[]) => SQLInputValue)
  setPriority(Niceness) // who only looks something up goes first
  const memory = process.memoryUsage.rss() + source.bounds.memory
  new Worker(Watcher, { eval: true, workerData: { deadline, memory }, execArgv: [], env: {} }).unref()
}

const isRead = (text: string): boolean => /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values)\b/i.test(text)
const isNothing = (text: string): boolean => /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/.test(text)

/** Judges a question by its text alone. Throws with what is wrong with it. */
function judge(sql: string): void {
  if (sql.includes('\0') || !sql.isWellFormed()) throw new Error('The text has characters that no question has.')
  if (!isRead(sql)) throw new Error('A question is one SELECT.')
  const statement = guarded(bare, sql, (code, one, two) => {
    if (code === SQLITE_SELECT || code === SQLITE_RECURSIVE) return true
    if (code === SQLITE_READ) return isOpen(one, source.tables) || (two === '' && isOwn(one))
    return code === SQLITE_FUNCTION && Functions.has(two!.toLowerCase())
  })
  if (!isNothing(sql.slice(statement.sourceSQL.length))) throw new Error('There is more than one statement.')
}

/** Whether a table of which no column is read is one that the question itself makes: all others here are known. */
const isOwn = (table: string | null): boolean =>
  table !== null && !modules.has(table.toLowerCase()) && !/^(?:sqlite|pragma)_/i.test(table)

const isOpen = (table: string | null, tables: object): boolean =>
  table !== null && (Object.hasOwn(tables, table) || OfValues.has(table))

function guarded(db: DatabaseSync, sql: string, allows: Authorize): StatementSync {
  db.setAuthorizer((...asked) => (allows(...asked) ? SQLITE_OK : SQLITE_DENY))
  try {
    return db.prepare(sql)
  } finally {
    db.setAuthorizer(null)
  }
}

/**
 * Prepares a question over the views of its asker: tables of the database are read by way of these alone, and only
 * those that they name. `by` is the view or the common table that a table is read for.
 */
function prepared(sql: string, views: ReportJob['views']): StatementSync {
  const named = Object.values(views).join('\n')
  return guarded(real, sql, (code, one, two, schema, by) => {
    if (code === SQLITE_SELECT || code === SQLITE_RECURSIVE) return true
    if (code === SQLITE_FUNCTION) return by !== null || Functions.has(two!.toLowerCase())
    if (code !== SQLITE_READ || one === null || /^(?:sqlite|pragma)_/i.test(one)) return false
    // Of what no column is read the name alone counts, which has been judged.
    if (isOpen(one, views) || two === '') return true
    return by !== null && schema === 'main' && named.includes(one)
  })
}

function answer({ sql, params, format, harmless, views }: ReportJob): ReportOutcome {
  try {
    judge(sql)
    for (const [name, view] of Object.entries(views)) real.exec(`create temp view ${q(name)} as ${view}`)
    const statement = prepared(sql, views)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    statement.setAllowUnknownNamedParameters(false)
    return read(statement, params, format === 'csv' ? csvLine(harmless) : undefined)
  } catch (error) {
    return { error: worded((error as Error).message) }
  } finally {
    for (const name of Object.keys(views)) real.exec(`drop view if exists temp.${q(name)}`)
  }
}

/** What SQLite says, in words for who asked. */
const worded = (message: string): string =>
  message === 'not authorized' || / is prohibited$/.test(message) ? `This may not be read: ${message}.` : message

function read(statement: StatementSync, params: ReportJob['params'], csv?: Line): ReportOutcome {
  const { bounds } = source
  const began = performance.now()
  const columns = statement.columns().map(({ name }) => name)
  const rows = (Array.isArray(params)
    ? statement.iterate(...params.map(bound))
    : statement.iterate(
        Object.fromEntries(Object.entries(params).map(([name, value]) => [name, bound(value)])),
      )) as Iterable<unknown> as Iterable<unknown[]>
  const write = csv ?? jsonRow
  const parts: string[] = csv ? [csv(columns)] : []
  let [count, bytes, isCut] = [0, 0, false]
  for (const row of rows) {
    if (count >= bounds.rows || bytes > bounds.bytes) {
      isCut = true
      break
    }
    const part = write(row)
    parts.push(part)
    bytes += part.length
    count++
  }
  const text = csv ? parts.join('') : `[${parts.join()}]`
  return { columns, text, rows: count, isCut, ms: Math.round((performance.now() - began) * 10) / 10 }
}

/** Whole numbers are bound as such: else `limit ?` would be given a fraction. */
const bound = (value: ReportValue): SQLInputValue =>
  typeof value === 'boolean'
    ? BigInt(value)
    : typeof value === 'number' && Number.isSafeInteger(value)
      ? BigInt(value)
      : (value as SQLInputValue)

const isSafe = (n: bigint): boolean => n >= Number.MIN_SAFE_INTEGER && n <= Number.MAX_SAFE_INTEGER
/** A value of SQL as JSON has it: whole numbers past 2^53 as texts, bytes in hexadecimal digits. */
const plain = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? isSafe(value)
      ? Number(value)
      : String(value)
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : value
type Line = (row: readonly unknown[]) => string
const jsonRow: Line = (row) => JSON.stringify(row.map(plain))
const csvLine =
  (harmless = false): Line =>
  (row) =>
    stringify([row.map((value) => (harmless && typeof value === 'string' ? asText(value) : plain(value)))])

process.on('message', (message: ReportSource | ReportJob) => {
  if ('file' in message) return begin(message)
  deadline[0] = Date.now() + source.bounds.ms
  const outcome = answer(message)
  deadline[0] = 0
  process.send!(outcome)
})
process.on('disconnect', () => process.exit())
process.on('SIGUSR1', () => undefined) // by itself node opens its debugger
