import { buffer } from 'node:stream/consumers'
import { type Actor, System } from '../engine/actor.ts'
import { flatTables } from '../engine/flat.ts'
import { textOfUtf8 } from '../lib/utf8.ts'
import { ReportError } from '../lib/report.ts'
import { userNamed } from '../services/accounts.ts'
import { ask, endReports } from '../services/reports.ts'
import { Actors } from '../store/actors.ts'
import { openBeside } from '../store/data-folder.ts'
import type { Store } from '../store/open.ts'
import { type Input, UsageError } from './command.ts'
import { sourceOf } from './kit-source.ts'
import { printTable } from './table.ts'

const Formats = ['table', 'json', 'csv'] as const
type Format = (typeof Formats)[number]

/** What a server or a data folder answers: the body as `POST /api/query/` has it, and whether rows were left out. */
interface Answered {
  body: string
  isCut: boolean
}

/** `cabinet query SQL`: asks the data folder, or a server with `--url`. */
export async function query(input: Input): Promise<number> {
  if (input.flag('tables')) return printTables()
  const [given] = input.operands
  if (given === undefined) throw new UsageError('SQL is missing; cabinet query --help says more')
  const sql = given === '-' ? textOfUtf8(await buffer(process.stdin)) : given
  const format = (input.text('format') ?? 'table') as Format
  if (!Formats.includes(format)) throw new UsageError(`${format} is none of ${Formats.join(', ')}`)
  const question = {
    sql,
    params: paramsOf(input.text('params')),
    format: format === 'csv' ? ('csv' as const) : ('json' as const),
  }
  const url = input.text('url')
  const { body, isCut } = url === undefined ? await askFolder(input, question) : await askServer(url, input, question)
  if (format === 'table') {
    const { columns, rows } = JSON.parse(body) as { columns: string[]; rows: unknown[][] }
    printTable(
      columns,
      rows.map((row) => row.map(cellOf)),
    )
  } else process.stdout.write(format === 'json' ? `${body}\n` : body)
  if (isCut) process.stderr.write('There are more rows, which are left out (report_max_rows).\n')
  return 0
}

type Question = Parameters<typeof ask>[2]

/** A value in one line. */
const cellOf = (value: unknown): string => String(value ?? '').replaceAll(/\s+/g, ' ')

function paramsOf(text = '[]'): Question['params'] {
  try {
    const params: unknown = JSON.parse(text)
    const values = typeof params === 'object' && params !== null ? Object.values(params) : [params]
    if (
      typeof params === 'object' &&
      params !== null &&
      values.every((each) => each === null || typeof each !== 'object')
    )
      return params as Question['params']
  } catch {
    // said below
  }
  throw new UsageError('--params is no JSON list or object of texts, numbers, true, false or null')
}

async function askFolder(input: Input, question: Question): Promise<Answered> {
  const store = openBeside(await input.config())
  try {
    const answer = await ask(store, actorOf(store, input.text('user')), question)
    const { columns, text, isCut } = answer
    return { body: question.format === 'csv' ? text : `{"columns":${JSON.stringify(columns)},"rows":${text}}`, isCut }
  } catch (error) {
    throw error instanceof ReportError ? new Error(error.message) : error
  } finally {
    await endReports(store)
    store.close()
  }
}

/** Who may read the folder may see all of it; or what a user may. */
function actorOf(store: Store, name: string | undefined): Actor {
  if (name === undefined) return System
  const actor = new Actors(store).of(userNamed(store, name).id, false)
  if (!actor) throw new Error(`${name} is not active`)
  return actor
}

async function askServer(url: string, input: Input, question: Question): Promise<Answered> {
  const source = sourceOf(input, url)
  const { bytes, headers } = await source.answer('POST', '/api/query/', question)
  const body = bytes.toString('utf8')
  if (question.format === 'csv') return { body, isCut: headers.get('report-truncated') === 'true' }
  try {
    const { truncated, rows } = JSON.parse(body) as { truncated: boolean; rows: unknown }
    if (Array.isArray(rows)) return { body, isCut: truncated }
  } catch {
    // said below
  }
  throw new Error(`${source.url} is no Cabinet that answers questions: it says ${JSON.stringify(body.slice(0, 100))}`)
}

function printTables(): number {
  printTable(
    ['TABLE', 'COLUMNS'],
    [...flatTables()].sort().map(([name, { columns }]) => [name, columns.join(' ')]),
  )
  return 0
}
