import { existsSync, readFileSync, rmSync } from 'node:fs'
import { html } from 'hono/html'
import { modelNamed, models } from '../../engine/catalog.ts'
import { BundleError } from '../../history/bundle.ts'
import {
  clearConflicts,
  type ConflictFile,
  decisionsIn,
  readConflicts,
  writeConflicts,
} from '../../history/conflict-file.ts'
import { deciding } from '../../history/coming.ts'
import { changesHere, objectsOf, pulling } from '../../history/kit.ts'
import type { Side } from '../../history/merge.ts'
import { type Answer, forbidden } from '../../http/request.ts'
import { transact } from '../../http/resource.ts'
import { filesOf } from '../../store/data-folder.ts'
import { type KitSelf, selfOf } from '../../store/kit.ts'
import type { Html } from '../cells.ts'
import { confirmed } from '../delete.ts'
import { readForm } from '../form-data.ts'
import { icon, leadTo, page } from '../frame.ts'
import { listHref, objectHref } from '../links.ts'
import type { Visit } from '../visit.ts'
import { labelAt, titleOf } from '../words.ts'

/** Conflicts that a page shows; the others follow once these are settled. */
const MaxShown = 100

/** `/kit/`: what a field kit changed, and where it and its source do not agree, each with both sides. */
export function kitPage(visit: Visit, problem?: string): Answer {
  demandAdministrator(visit)
  const self = selfOf(visit.store.db)
  const conflicts = self ? readConflicts(filesOf(visit.config.data).conflicts) : undefined
  return page(visit, {
    status: problem ? 409 : 200,
    title: self ? `Kit ${self.name}` : 'Field kit',
    crumbs: [[listHref(visit, modelNamed('core.kit')), 'Kits']],
    body: html`${problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''}${
      self
        ? html`${state(visit, self)}${conflicts ? open(visit, conflicts.conflicts) : ''}`
        : html`<section class="panel"><p class="empty">This is no field kit: <code>cabinet clone</code> makes one of this server.</p></section>`
    }`,
  })
}

/** `POST /kit/`: decides conflicts; when all are decided, what waits from the source is taken. */
export async function settleKit(visit: Visit): Promise<Answer> {
  demandAdministrator(visit)
  const data = await readForm(visit)
  const { conflicts: file, incoming } = filesOf(visit.config.data)
  const list = readConflicts(file)?.conflicts ?? []
  const chosen = new Map<string, Side>()
  list.slice(0, MaxShown).forEach((each, i) => {
    const side = data.all(`take-${i}`)[0]
    if ((side === 'ours' || side === 'theirs') && data.all(`key-${i}`)[0] === each.key) chosen.set(each.key, side)
  })
  writeConflicts(
    file,
    list.map((each) => ({ ...each, take: chosen.get(each.key) ?? each.take })),
  )
  const left = readConflicts(file)!.conflicts.filter(({ take }) => !take).length
  if (left > 0) return kitPage(visit, `${left} still to be decided.`)
  if (!existsSync(incoming)) return leadTo(visit, '/kit/', 'Decided: the next pull or push carries it out.')
  try {
    const work = pulling(visit.store, readFileSync(incoming), { decide: deciding(decisionsIn(file)) })
    const { conflicts } = await transact(visit, work)
    if (conflicts.length) {
      writeConflicts(file, conflicts)
      return kitPage(visit, `${conflicts.length} more conflicts follow from that.`)
    }
  } catch (error) {
    if (error instanceof BundleError) return kitPage(visit, error.message)
    throw error
  }
  clearConflicts(file)
  rmSync(incoming, { force: true })
  return leadTo(visit, '/kit/', 'Settled: cabinet push gives it to the source.')
}

function demandAdministrator({ actor }: Visit): void {
  if (!actor.superuser) throw forbidden()
}

function state(visit: Visit, self: KitSelf): Html {
  const models_ = Map.groupBy(objectsOf(changesHere(visit.store.db, self).values()), (name) => name.split(':')[0]!)
  const lines = [...models_].map(([name, objects]) => html`<li>${titleOf(modelNamed(name))}: ${objects.length}</li>`)
  return html`<section class="panel"><h2>Changed here</h2><p>Since the source was told last; of <a href="${self.url}">${self.url}</a>, number ${self.number}.</p>
${lines.length ? html`<ul class="items">${lines}</ul><p><code>cabinet push</code> gives it to the source.</p>` : html`<p class="empty">Nothing was changed here.</p>`}</section>`
}

function open(visit: Visit, conflicts: ConflictFile['conflicts']): Html {
  const rows = conflicts.slice(0, MaxShown).map((each, i) => {
    const m = models[each.object_type]
    const isHere = m && visit.store.db.get(`select 1 from "${m.table}" where id = ?`, each.object_id) !== undefined
    const name = isHere ? html`<a href="${objectHref(visit, m, each.object_id)}">${each.object}</a>` : each.object
    const choice = (side: Side, label: string, what: string) =>
      html`<label><input type="radio" name="take-${i}" value="${side}"${each.take === side ? html` checked` : ''}> ${label}: ${what}</label>`
    return html`<tr><th scope="row">${name}<input type="hidden" name="key-${i}" value="${each.key}"></th><td>${m ? titleOf(m) : each.object_type}</td><td>${each.field ? (m?.fields[each.field] ? labelAt(m, each.field) : each.field) : ''}</td><td>${text(each.parted)}</td><td>${text(each.ours)}</td><td>${text(each.theirs)}</td><td>${each.detail}<div class="choices">${choice('ours', 'Ours', each.if_ours)}${choice('theirs', 'Theirs', each.if_theirs)}</div></td></tr>`
  })
  const more = conflicts.length - MaxShown
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Conflicts"><table><thead><tr><th scope="col">Object</th><th scope="col">Type</th><th scope="col">Field</th><th scope="col">When both parted</th><th scope="col">Ours, in this kit</th><th scope="col">Theirs, at the source</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table></div>`
  return html`<section class="panel wide"><h2>Conflicts</h2><p>Nothing was taken from the source yet: decide on each, or change the objects here and pull again.${more > 0 ? ` ${more} more are not shown.` : ''}</p>
${confirmed(visit, html`<button class="primary">${icon(visit, 'check')}Settle</button>`, '/', table)}</section>`
}

const text = (value: unknown): string => {
  if (value === null || value === undefined) return '—'
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole
}
