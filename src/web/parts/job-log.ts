import { html } from 'hono/html'
import { badge, moment } from '../cells.ts'
import type { SpecialTab } from './part.ts'
import { plainTable } from '../plain-table.ts'

interface Entry {
  timestamp?: string
  level?: string
  message?: string
}
const Tones: Readonly<Record<string, string>> = {
  success: 'good',
  info: 'calm',
  warning: 'odd',
  failure: 'bad',
  error: 'bad',
}

/** What a job wrote down while it ran. */
export const jobLog: SpecialTab = {
  label: 'Log',
  count: (_visit, _m, row) => (row.log_entries as unknown[] | null)?.length ?? 0,
  body: (_visit, _m, row) => {
    const entries = (row.log_entries ?? []) as Entry[]
    const lines = entries.map(
      ({ timestamp, level = '', message = '' }) =>
        html`<tr><td>${timestamp ? moment(timestamp) : ''}</td><td>${
          level ? badge(level, Tones[level] ?? 'plain') : ''
        }</td><td>${message}</td></tr>`,
    )
    return lines.length
      ? plainTable('Log', ['Time', 'Level', 'Message'], lines, { isFocusable: true })
      : html`<p class="empty">It has written nothing down.</p>`
  },
}
