import { hostname } from 'node:os'
import { html } from 'hono/html'
import { type Answer, forbidden } from '../../http/request.ts'
import { toToml } from '../../config.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { lastBackup } from '../../store/data-folder.ts'
import { sizesOf } from '../../store/sizes.ts'
import { Version } from '../../lib/version.ts'
import { JobStatusChoices } from '../../choices/core.ts'
import { badge, moment } from '../cells.ts'
import { page } from '../frame.ts'
import { listHref } from '../links.ts'
import { countOf } from '../related.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, words } from '../words.ts'

const Counted = words(`
  dcim.site dcim.rack dcim.device dcim.interface dcim.cable ipam.prefix ipam.ipaddress ipam.vlan
  virtualization.virtualmachine circuits.circuit tenancy.tenant users.user core.objectchange`)

const started = new Date()

/** Bytes as people read them. */
const bytes = (count: number): string =>
  count < 1024
    ? `${count} B`
    : count < 1024 ** 2
      ? `${(count / 1024).toFixed(0)} kB`
      : count < 1024 ** 3
        ? `${(count / 1024 ** 2).toFixed(1)} MB`
        : `${(count / 1024 ** 3).toFixed(2)} GB`

/** `/core/system/`: how the server is. For superusers alone: it names paths and settings. */
export async function systemPage(visit: Visit): Promise<Answer> {
  if (!visit.actor.superuser) throw forbidden()
  const sizes = await sizesOf(visit.store)
  const backup = lastBackup(visit.config.data)
  const line = (label: string, value: unknown) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  const jobs = modelNamed('core.job')
  const queue = JobStatusChoices.flatMap(([status, label]) => {
    const query = new URLSearchParams({ status: String(status) })
    const count = countOf(visit, jobs, query)
    return count ? [{ status: String(status), label, count, href: `${listHref(visit, jobs)}?${query}` }] : []
  })
  const waiting = queue.filter(({ status }) => ['pending', 'scheduled', 'running'].includes(status))
  return page(visit, {
    title: 'System',
    body: html`<div class="columns"><div><section class="panel"><h2>Server</h2><dl>
${line('Version', Version)}${line('Host', hostname())}${line('Started', moment(started.toISOString()))}
${line('Node.js', process.version)}${line('Platform', `${process.platform} ${process.arch}`)}
${line('Memory in use', bytes(process.memoryUsage().rss))}${
  visit.config.maintenanceMode ? line('Maintenance', badge('on', 'odd')) : ''
}</dl></section>
<section class="panel"><h2>Files</h2><dl>${line(
      'Database',
      html`<code>${sizes.file}</code>`,
    )}${line('Size', bytes(sizes.database))}${line('Write-ahead log', bytes(sizes.wal))}${line(
      'Uploads',
      html`${sizes.uploads.files.toLocaleString('en')} files, ${
        sizes.uploads.isWhole ? '' : 'more than '
      }${bytes(sizes.uploads.bytes)}`,
    )}${line(
      'Last backup',
      backup ? html`${moment(backup.made)}, ${bytes(backup.bytes)}, <code>${backup.file}</code>` : 'none',
    )}</dl>
<p><code>cabinet backup FILE</code> writes all of it to one file while the server runs;
<code>cabinet check</code> looks for damage.</p></section></div>
<div><section class="panel"><h2>Queue</h2><p>${
      waiting.length
        ? `Waiting or running: ${waiting.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}.`
        : 'Nothing waits.'
    } Deliveries of webhooks and synchronisations of data sources are jobs.</p><ul class="counts">${queue.map(
      ({ label, count, href }) => html`<li><a href="${href}">${label}</a> <b>${count.toLocaleString('en')}</b></li>`,
    )}</ul></section>
<section class="panel"><h2>Objects</h2><ul class="counts">${Counted.map(modelNamed).map((m) => {
      const count = countOf(visit, m, new URLSearchParams()).toLocaleString('en')
      return html`<li><a href="${listHref(visit, m)}">${pluralOf(m)}</a> <b>${count}</b></li>`
    })}</ul></section></div></div>
<section class="panel"><h2>Configuration in force, without secrets</h2>
<pre class="code" tabindex="0">${toToml(visit.config)}</pre></section>`,
  })
}
