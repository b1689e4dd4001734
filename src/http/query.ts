import * as v from 'valibot'
import { modelNamed } from '../engine/catalog.ts'
import { type Actor, may } from '../engine/actor.ts'
import { flatTables } from '../engine/flat.ts'
import { ReportError, type ReportTable, type ReportValue } from '../lib/report.ts'
import { MaxQuestion } from '../models/extras/report.ts'
import { ask } from '../services/reports.ts'
import { readRequestBody } from './body.ts'
import { type Answer, ApiError, type Call, forbidden, jsonAnswer } from './request.ts'

const value = v.union(
  [v.string(), v.pipe(v.number(), v.finite()), v.boolean(), v.null()],
  'Give texts, numbers, true, false or null.',
)
const Values = 1000
const params = v.union(
  [v.pipe(v.array(value), v.maxLength(Values)), v.pipe(v.record(v.string(), value), v.maxEntries(Values))],
  `Give a list or an object of at most ${Values} texts, numbers, true, false or null.`,
)
const sql = v.pipe(v.string('Give a text.'), v.nonEmpty('This field may not be blank.'), v.maxLength(MaxQuestion))
const body = v.strictObject(
  {
    sql: v.optional(sql),
    report: v.optional(v.pipe(v.number('Give the id of a report.'), v.safeInteger('Give the id of a report.'))),
    params: v.optional(params, []),
    format: v.optional(v.picklist(['json', 'csv'], 'Give json or csv.'), 'json'),
  },
  (issue) => (issue.expected === 'never' ? 'There is no such field.' : 'Give an object with sql or report.'),
)

/** Refuses whoever may not view reports: they may not ask for their own either. */
export function demandReports({ actor, config }: Pick<Call, 'actor' | 'config'>): void {
  if (!may(actor, 'view', modelNamed('extras.report'))) throw forbidden()
  if (config.reportProcesses === 0) throw new ApiError(404, { detail: 'Reports are switched off (report_processes).' })
}

/** The rows of a question, over what the caller may view. Throws `ApiError` with what is wrong with it. */
export async function answerTo(
  call: Pick<Call, 'store' | 'actor'>,
  question: {
    sql: string
    params?: readonly ReportValue[] | Readonly<Record<string, ReportValue>>
    format?: 'json' | 'csv'
    harmless?: boolean
  },
): Promise<ReportTable> {
  try {
    return await ask(call.store, call.actor, { params: [], format: 'json', ...question })
  } catch (error) {
    if (!(error instanceof ReportError)) throw error
    throw new ApiError(error.isBusy ? 503 : 400, error.isBusy ? { detail: error.message } : { sql: [error.message] })
  }
}

/** The tables of which an actor may view anything, with their columns. */
export const tablesFor = (actor: Actor): [name: string, columns: readonly string[]][] =>
  [...flatTables()].flatMap(([name, { model, columns }]) => (may(actor, 'view', model) ? [[name, columns]] : []))

/**
 * `POST /api/query/`: `{sql, params, format}`, or a saved report by its id in the place of `sql`. GET tells of the
 * tables that there are for the caller.
 */
export async function query(call: Call): Promise<Answer> {
  demandReports(call)
  if (call.method !== 'POST') return jsonAnswer(200, { tables: Object.fromEntries(tablesFor(call.actor)) })
  const sent = await readRequestBody(call)
  const given = v.safeParse(body, Array.isArray(sent) ? undefined : sent) // a list is an object too
  if (!given.success) throw new ApiError(400, errorsOf(given.issues))
  const { params, format } = given.output
  return fileOf(await answerTo(call, { sql: questionOf(call, given.output), params, format }), format)
}

/** An answer as the body of a file of a format. */
export const fileOf = ({ columns, text, isCut, ms }: ReportTable, format: 'json' | 'csv'): Answer =>
  format === 'csv'
    ? {
        status: 200,
        body: text,
        headers: { 'content-type': 'text/csv; charset=utf-8', ...(isCut ? { 'report-truncated': 'true' } : {}) },
      }
    : {
        status: 200,
        body: `{"columns":${JSON.stringify(columns)},"rows":${text},"truncated":${isCut},"ms":${ms}}`,
        headers: { 'content-type': 'application/json' },
      }

function questionOf(call: Call, { sql, report }: { sql?: string | undefined; report?: number | undefined }): string {
  if ((sql === undefined) === (report === undefined))
    throw new ApiError(400, { sql: ['Give either sql or the id of a report.'] })
  if (sql !== undefined) return sql
  const m = modelNamed('extras.report')
  if (call.store.reader.mayOn(call.actor, 'view', m, report!) !== true)
    throw new ApiError(400, { report: ['There is no such report.'] })
  return call.store.rows.row('extras.report', report!)!.sql
}

function errorsOf(issues: readonly v.BaseIssue<unknown>[]): Record<string, string[]> {
  const named = Object.groupBy(issues, ({ path }) => String(path?.[0]?.key ?? 'non_field_errors'))
  return Object.fromEntries(Object.entries(named).map(([name, own]) => [name, own!.map(({ message }) => message)]))
}
