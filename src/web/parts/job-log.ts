import { html } from 'hono/html'
import { badge, moment } from '../cells.ts'
import type { SpecialTab } from './part.ts'

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
    return entries.length
      ? html`<div class="scroll" tabindex="0" role="region" aria-label="Log"><table><caption class="unseen">Log</caption><thead><tr><th scope="col">Time</th><th scope="col">Level</th><th scope="col">Message</th></tr></thead><tbody>${entries.map(
          ({ timestamp, level = '', message = '' }) =>
            html`<tr><td>${timestamp ? moment(timestamp) : ''}</td><td>${
              level ? badge(level, Tones[level] ?? 'plain') : ''
            }</td><td>${message}</td></tr>`,
        )}</tbody></table></div>`
      : html`<p class="empty">It has written nothing down.</p>`
  },
}
