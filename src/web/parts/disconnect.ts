import { demandRefusal } from '../refusal.ts'
import { html } from 'hono/html'
import { type Answer, noSuchPage } from '../../http/request.ts'
import { deleteMany, demand } from '../../http/resource.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { noneText } from '../bulk-edit.ts'
import { cell } from '../cells.ts'
import { confirmed } from '../delete.ts'
import { readForm } from '../form-data.ts'
import { leadTo, page } from '../frame.ts'
import { listHref } from '../links.ts'
import { allowed } from '../row-links.ts'
import { MaxNamed } from '../displays.ts'
import { howMany, remarks, type Selection, selectionOf } from '../selection.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { pluralOf } from '../words.ts'
import { fullName, isCabled } from './ends.ts'
import type { Named } from '../parents.ts'

interface Port extends Row {
  cable: Named | null
}

/** `POST /dcim/interfaces/disconnect/`: names the cables of the ports chosen, and with `_apply` deletes them. */
export async function bulkDisconnect(visit: Visit, m: AnyModel): Promise<Answer> {
  if (!isCabled(m)) throw noSuchPage()
  const cables = modelNamed('dcim.cable')
  demand(visit, 'delete', cables)
  const data = await readForm(visit)
  const chosen = selectionOf(visit, m, data, 'change')
  if (chosen.ids.length === 0) return leadTo(visit, chosen.back, noneText(m, chosen), 'bad')
  const members = ['id', 'url', 'display', 'cable', ...['device', 'circuit'].filter((name) => name in m.fields)]
  const ports = visit.store.reader
    .rows(m, chosen.ids, { members }, visit.config.basePath)
    .map((bytes) => JSON.parse(bytes.toString()) as Port)
    .filter((port) => port.cable)
  const ids = [...new Set(ports.map((port) => port.cable!.id))]
  const mine = allowed(visit, 'delete', cables, ids)
  const going = ids.filter((id) => mine.has(id))
  if (going.length === 0) {
    const why = ids.length ? 'You may not delete the cables of these.' : 'None of these has a cable.'
    return leadTo(visit, chosen.back, why, 'bad')
  }
  const seen = ports.filter((port) => mine.has(port.cable!.id))
  const asked = { m, chosen, ports: seen, cables, count: going.length, kept: ids.length - going.length }
  if (!data.all('_apply').length || chosen.hasMoved) return question(visit, asked)
  const message = data.all('changelog_message')[0] ?? ''
  try {
    await deleteMany(
      visit,
      cables,
      going.map((id) => ({ id, changelog_message: message })),
    )
  } catch (error) {
    demandRefusal(error)
    return question(visit, asked, (error.body as { detail?: string }).detail ?? error.message, error.status)
  }
  const done = `${howMany(cables, going.length)} ${going.length === 1 ? 'was' : 'were'} taken away.`
  return leadTo(visit, chosen.back, done)
}

interface Asked {
  m: AnyModel
  chosen: Selection
  ports: readonly Port[]
  cables: AnyModel
  /** How many cables go, and how many the user may not delete. */
  count: number
  kept: number
}

function question(visit: Visit, { m, chosen, ports, cables, count, kept }: Asked, problem = '', status = 200): Answer {
  const more = ports.length - MaxNamed
  return page(visit, {
    status,
    title: `Disconnect ${howMany(m, ports.length)}?`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${remarks(m, chosen)}${
      problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''
    }<section class="panel">
<p>${howMany(cables, count)} will be deleted; the ports on both sides are free then.${
      kept ? ` ${howMany(cables, kept)} ${kept === 1 ? 'stays' : 'stay'}: you may not delete them.` : ''
    }</p><ul class="named">${ports
      .slice(0, MaxNamed)
      .map(
        (port) => html`<li>${fullName(port)}: ${cell(visit, port.cable)}</li>`,
      )}${more > 0 ? html`<li>… and ${more.toLocaleString('en')} more</li>` : ''}</ul>
${confirmed(
  visit,
  html`<button class="danger primary" formaction="${listHref(visit, m)}disconnect/">Disconnect</button>`,
  chosen.back,
  html`${chosen.hidden}<input type="hidden" name="_apply" value="1">`,
)}</section>`,
  })
}
