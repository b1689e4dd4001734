import { html } from 'hono/html'
import type { SpecialPanel } from './part.ts'

/** How a program uses an API token; the secret part is known to whoever made it. */
export const tokenUse: SpecialPanel = {
  of: (m) => m.name === 'users.token',
  side: 'right',
  show: (visit, _m, row) => {
    const key = String(row.key ?? '')
    const credentials = row.version === 1 ? 'Token <the token>' : `Bearer nbt_${key}.<the secret>`
    return html`<section class="panel"><h2>Example</h2>
<pre class="code"><code>curl -H "Authorization: ${credentials}" \\
  -H "Accept: application/json; indent=2" \\
  ${visit.base}/api/dcim/sites/</code></pre></section>`
  },
}
