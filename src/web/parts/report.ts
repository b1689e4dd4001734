import { html, raw } from 'hono/html'
import { answerTo, demandReports, fileOf, tablesFor } from '../../http/query.ts'
import { type Answer, ApiError } from '../../http/request.ts'
import { chartOf, type ChartData } from '../../rules/chart-svg.ts'
import type { Html } from '../cells.ts'
import { Nothing } from '../cells.ts'
import { objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import type { SpecialForm } from './forms.ts'
import type { SpecialPanel, SpecialTab } from './part.ts'

/** Rows that the page of a report shows, those that its tab of results does, and those that trying one shows. */
const Most = { page: 25, results: 1000, tried: 10 }
/** Letters of a value that a cell shows. */
const MaxLetters = 300

interface Question {
  sql: string
  chart: string | null
  chart_x: string
  chart_y: string
}

/** What a question answers to whoever visits: a chart where it has one, and its first rows. */
async function shownAnswer(visit: Visit, question: Question, most: number, links: Html | '' = ''): Promise<Html> {
  try {
    demandReports(visit)
    const { columns, text, rows: count, isCut, ms } = await answerTo(visit, question)
    const rows = JSON.parse(text) as unknown[][]
    const more = isCut ? ', and more that are left out' : ''
    const found = `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'} in ${ms} ms${more}`
    return html`${drawing({ ...question, columns, rows })}
<section class="panel wide"><h2>Rows <small>${found}</small>${links}</h2>${
      rows.length ? tableOf(columns, rows.slice(0, most)) : html`<p class="empty">There are none.</p>`
    }${rows.length > most ? html`<p class="help">The first ${most} are shown.</p>` : ''}</section>`
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const said = Object.values(error.body as Record<string, unknown>)
      .flat()
      .join(' ')
    return html`<p class="message bad" role="alert">${said}</p>`
  }
}

function drawing({ chart, chart_x: x, chart_y, ...answer }: Question & Pick<ChartData, 'columns' | 'rows'>): Html | '' {
  if (!chart) return ''
  const y = chart_y.split(',').map((name) => name.trim())
  const drawn = chartOf({ ...answer, kind: chart as ChartData['kind'], x, y })
  if (!drawn) return ''
  const { svg, legend, shown } = drawn
  return html`<section class="panel wide"><h2>Chart</h2><div class="drawn">${raw(svg)}${
    legend.length
      ? html`<ul class="legend">${legend.map(
          ({ color, label }) =>
            html`<li><svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2"
          fill="${color}"/></svg>${label}</li>`,
        )}</ul>`
      : ''
  }${
    shown < answer.rows.length && chart !== 'share' ? html`<p class="help">The first ${shown} rows are drawn.</p>` : ''
  }</div></section>`
}

const tableOf = (columns: readonly string[], rows: readonly (readonly unknown[])[]): Html =>
  html`<div class="scroll" tabindex="0"><table><caption class="unseen">Rows</caption><thead><tr>${columns.map(
    (name, i) => html`<th scope="col"${isNumeric(rows, i) ? raw(' class="number"') : ''}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(cellOf)}</tr>`)}</tbody></table></div>`

const isNumeric = (rows: readonly (readonly unknown[])[], i: number): boolean =>
  rows.every((row) => row[i] === null || typeof row[i] === 'number') && rows.some((row) => row[i] !== null)

function cellOf(value: unknown): Html {
  if (value === null || value === '') return html`<td>${Nothing}</td>`
  if (typeof value === 'number') return html`<td class="number">${value}</td>`
  const text = String(value)
  return html`<td>${text.length > MaxLetters ? `${text.slice(0, MaxLetters)}…` : text}</td>`
}

const questionOf = (row: Row): Question => ({
  sql: String(row.sql),
  chart: (row.chart as { value: string } | null)?.value ?? null,
  chart_x: String(row.chart_x),
  chart_y: String(row.chart_y),
})

/** What a report answers, on its page. */
export const reportPanel: SpecialPanel = {
  of: ({ name }) => name === 'extras.report',
  side: 'top',
  show: (visit, m, row) => {
    const file = (format: string) => `${objectHref(visit, m, row.id, 'results')}?format=${format}`
    const links = html`<span class="files"><a href="${file('csv')}" hx-boost="false">CSV</a> <a href="${file('json')}"
      hx-boost="false">JSON</a></span>`
    return shownAnswer(visit, questionOf(row), Most.page, links)
  },
}

/** `/extras/reports/3/results/`: more of the rows; all of them as a file with `?format=csv` or `json`. */
export const reportResults: SpecialTab = {
  label: 'Results',
  body: (visit, _, row) => shownAnswer(visit, questionOf(row), Most.results),
  file: async (visit, _, row): Promise<Answer | undefined> => {
    const format = visit.query.get('format')
    if (format !== 'csv' && format !== 'json') return undefined
    demandReports(visit)
    const answer = fileOf(await answerTo(visit, { sql: String(row.sql), format, harmless: true }), format)
    const name = String(row.name).replaceAll(/[^\w.-]+/g, '-')
    return {
      ...answer,
      headers: { ...answer.headers, 'content-disposition': `attachment; filename="${name}.${format}"` },
    }
  },
}

const tables = ({ actor }: Visit): Html =>
  html`<details class="tables"><summary>Tables and columns</summary><dl>${tablesFor(actor)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, columns]) => html`<div><dt><code>${name}</code></dt><dd>${columns.join(', ')}</dd></div>`,
    )}</dl></details>`

/** The form of a report, which can be tried before it is saved. */
export const reportForm: SpecialForm = {
  groups: (visit, groups) =>
    groups.map((group, i) =>
      i === groups.findIndex(({ fields }) => fields.some(({ name }) => name === 'chart'))
        ? {
            ...group,
            after: (filled) =>
              html`${tables(visit)}
<p class="submit"><button name="_redraw" value="1"
  formnovalidate>Try out</button> <span class="help">Nothing is saved by trying.</span></p>${filled.tried ?? ''}`,
          }
        : group,
    ),
  tried: async (visit, data) => {
    const of = (name: string) => data.all(name)[0] ?? ''
    const question = { sql: of('sql'), chart: of('chart') || null, chart_x: of('chart_x'), chart_y: of('chart_y') }
    return html`<div role="status">${await shownAnswer(visit, question, Most.tried)}</div>`
  },
}
