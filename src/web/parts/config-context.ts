import { html } from 'hono/html'
import { may } from '../../engine/actor.ts'
import { contextsOf } from '../../rules/config-contexts.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { Html } from '../cells.ts'
import { dataText } from '../data-text.ts'
import { objectHref } from '../links.ts'
import { visibleOf } from '../displays.ts'
import { columnsBy, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { words } from '../words.ts'
import type { SpecialTab } from './part.ts'

/** Data in a panel of their own. */
export const dataPanel = (visit: Visit, title: string, data: unknown, empty: string): Html =>
  html`<section class="panel"><h2>${title}</h2>${
    data !== null && data !== undefined && Object.keys(data as object).length
      ? html`<pre class="code"><code>${dataText(visit, data)}</code></pre>`
      : html`<p class="empty">${empty}</p>`
  }</section>`

/** The data that apply to a device or virtual machine: all of them merged, its own, and where they come from. */
export const configContext: SpecialTab = {
  label: 'Config context',
  body: (visit, m, row) => {
    const contexts = modelNamed('extras.configcontext')
    const kind = 'device_type' in m.fields ? 'device' : 'machine'
    const ids = may(visit.actor, 'view', contexts) ? contextsOf(visit.store.db, kind, m, row.id) : []
    const seen = new Set(visibleOf(visit, contexts, ids))
    const columns = columnsBy(contexts, words('name weight profile description'))
    const rows = rowsOf(
      visit,
      contexts,
      ids.filter((id) => seen.has(id)),
      columns,
    )
    const edit = visit.store.reader.mayOn(visit.actor, 'change', m, row.id) === true && visit.actor.writes
    return html`<div class="columns">
<div>${dataPanel(visit, 'Rendered context', row.config_context, 'No data apply to it.')}</div>
<div>${dataPanel(visit, 'Local data', row.local_context_data, 'It has no data of its own.')}${
      edit
        ? html`<p><a href="${objectHref(visit, m, row.id, 'edit')}#f-local_context_data">Edit the local data</a></p>`
        : ''
    }
<section class="panel"><h2>Source contexts <small>${rows.length}</small></h2>${
      rows.length
        ? html`<p>Lower weights are merged first; later ones win, local data last.</p>
${table(visit, contexts, columns, rows)}`
        : html`<p class="empty">None</p>`
    }</section></div></div>`
  },
}
