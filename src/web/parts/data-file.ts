import { html } from 'hono/html'
import { beginningOf } from '../../rules/synced-data.ts'
import { toolsOf } from './ends.ts'
import type { SpecialPanel } from './part.ts'

/** So many bytes of a file are shown. */
const MaxShown = 100_000

/** What a data file holds; its beginning where it is long. */
export const content: SpecialPanel = {
  of: (m) => m.name === 'core.datafile',
  side: 'wide',
  show: (visit, _m, row) => {
    const held = beginningOf(toolsOf(visit), row.id, MaxShown)
    return html`<section class="panel wide"><h2>Content</h2>${
      held.text
        ? html`<pre class="code" tabindex="0"><code>${held.text}</code></pre>`
        : html`<p class="empty">${held.text === '' ? 'The file is empty.' : 'The file holds no text in UTF-8.'}</p>`
    }${
      held.text && held.size > MaxShown
        ? html`<p>The first ${MaxShown.toLocaleString('en')} of ${held.size.toLocaleString('en')} bytes.</p>`
        : ''
    }</section>`
  },
}
