import { demandRefusal } from '../refusal.ts'
import { parseExact, stringifyExact } from '../../lib/exact-json.ts'
import { html } from 'hono/html'
import { type Answer, forbidden } from '../../http/request.ts'
import { demandRevert, revertAs } from '../../http/history.ts'
import { messageOf } from '../../http/resource.ts'
import { modelNamed, models } from '../../engine/catalog.ts'
import type { Collision } from '../../history/collisions.ts'
import type { Undone } from '../../history/recorded.ts'
import type { Which } from '../../history/revert.ts'
import type { Html } from '../cells.ts'
import { confirmed } from '../delete.ts'
import { type FormData, readForm } from '../form-data.ts'
import { icon, leadTo, page } from '../frame.ts'
import { listHref, objectHref } from '../links.ts'
import { objectRow } from '../object.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { labelAt, pluralOf, titleOf } from '../words.ts'
import { plainTable } from '../plain-table.ts'

/** So many changes, and fields of one, are shown of what an undo would do. */
const [MaxShown, MaxFields] = [100, 12]

const changes = () => modelNamed('core.objectchange')

/**
 * `/core/changelog/7/undo/`: what it would do to take back the request of a change, or with `?only=1` the change alone.
 */
export function undoPage(visit: Visit, id: number): Promise<Answer> {
  return asked(visit, id, { force: [], leaveOut: [] })
}

/** `POST …/undo/`: takes it back; where others changed the same since, shows once more what is to be decided. */
export async function undo(visit: Visit, id: number): Promise<Answer> {
  const data = await readForm(visit)
  const decided = decisionsOf(data)
  if (data.all('_again').length) return asked(visit, id, decided)
  const row = changeOf(visit, id)
  const message = messageOf({ changelog_message: data.all('changelog_message')[0] ?? '' })
  try {
    const answer = await revertAs(visit, whichOf(visit, row), { ...decided, isTrial: false, message })
    if (answer.status === 200)
      return leadTo(visit, `${listHref(visit, changes())}?request_id=${visit.requestId}`, 'It was taken back.')
  } catch (error) {
    return asked(visit, id, decided, refusal(error))
  }
  return asked(visit, id, decided)
}

interface Decisions {
  force: string[]
  leaveOut: string[]
}

/** What was decided for each collision: `force dcim.site:5.name`, `leave dcim.site:5`. */
function decisionsOf(data: FormData): Decisions {
  const chosen = Array.from({ length: 200 }, (_, i) => data.all(`decide-${i}`)[0] ?? '')
  const earlier = data.all('_decided')
  const of = (word: string) =>
    [...chosen, ...earlier].filter((each) => each.startsWith(`${word} `)).map((each) => each.slice(word.length + 1))
  return { force: of('force'), leaveOut: of('leave') }
}

function changeOf(visit: Visit, id: number): Row {
  demandRevert(visit)
  return objectRow(visit, changes(), id)
}

const isAlone = (visit: Visit): boolean => visit.query.has('only')
const whichOf = (visit: Visit, row: Row): Which =>
  isAlone(visit) ? { change: row.id } : { requests: [String(row.request_id)] }

function refusal(error: unknown): { text: string; status: number } {
  demandRefusal(error, 404)
  const { body } = error
  const texts =
    typeof body === 'object' && body !== null
      ? Object.values(body as object)
          .flat()
          .map(String)
      : []
  return { text: texts.join(' ') || error.message, status: error.status }
}

async function asked(
  visit: Visit,
  id: number,
  decided: Decisions,
  problem?: { text: string; status: number },
): Promise<Answer> {
  const row = changeOf(visit, id)
  const back = objectHref(visit, changes(), id)
  const title = isAlone(visit) ? 'Undo this change?' : 'Undo this request?'
  let status = problem?.status ?? 200
  let body: Html
  try {
    const answer = await revertAs(visit, whichOf(visit, row), { ...decided, isTrial: true, message: '' })
    const told = parseExact(String(answer.body)) as { changes?: Undone[]; collisions?: Collision[] }
    if (told.collisions && visit.method === 'POST') status = 409
    body = told.collisions
      ? collided(visit, told.collisions, decided, back)
      : preview(visit, told.changes!, decided, back)
  } catch (error) {
    const { text, status: refused } = refusal(error)
    if (refused === 403) throw forbidden(text)
    status = refused
    body = html`<section class="panel"><p class="message bad" role="alert">${text}</p>
<p class="submit"><a class="button" href="${back}">Back</a></p></section>`
  }
  return page(visit, {
    status,
    title,
    crumbs: [
      [listHref(visit, changes()), pluralOf(changes())],
      [back, String(row.object_repr)],
    ],
    body: html`${problem ? html`<p class="message bad" role="alert">${problem.text}</p>` : ''}${body}`,
  })
}

const kept = ({ force, leaveOut }: Decisions): Html =>
  html`${force.map((each) => html`<input type="hidden" name="_decided" value="force ${each}">`)}${leaveOut.map(
    (each) => html`<input type="hidden" name="_decided" value="leave ${each}">`,
  )}`

const text = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—'
  const whole = typeof value === 'string' ? value : stringifyExact(value)
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole
}

const fieldLabel = (type: string, name: string): string => {
  const m = models[type]
  return m?.fields[name] ? labelAt(m, name) : name
}
const kindOf = (type: string): string => (models[type] ? titleOf(models[type]) : type)
const Verbs: Readonly<Record<string, string>> = { create: 'comes back', update: 'changes', delete: 'goes' }

function preview(visit: Visit, undone: readonly Undone[], decided: Decisions, back: string): Html {
  if (undone.length === 0)
    return html`<section class="panel"><p class="empty">There is nothing left to take back.</p>
<p class="submit"><a class="button" href="${back}">Back</a></p></section>`
  const fields = ({ action, changed_object_type: type, fields: all }: Undone): Html => {
    const names = Object.keys(all)
    if (action !== 'update') return html``
    return html`<ul class="items">${names.slice(0, MaxFields).map((name) => {
      const [from, to] = all[name]!.map(text)
      return html`<li>${fieldLabel(type, name)}: <del>${from!}</del> → <ins>${to!}</ins></li>`
    })}${names.length > MaxFields ? html`<li>… and ${names.length - MaxFields} more</li>` : ''}</ul>`
  }
  const more = undone.length - MaxShown
  const lines = undone.slice(0, MaxShown).map((each) => {
    const cells = [kindOf(each.changed_object_type), html`${Verbs[each.action] ?? each.action}${fields(each)}`]
    return html`<tr><th scope="row">${each.object_repr}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`
  })
  return html`<section class="panel wide">
<p>This is a request of its own, with change records, and may be undone too.</p>
${plainTable('What changes', ['Object', 'Type', 'What becomes of it'], lines, { isFocusable: true })}
${more > 0 ? html`<p>… and ${more.toLocaleString('en')} more</p>` : ''}
${confirmed(visit, html`<button class="primary">${icon(visit, 'undo')}Undo</button>`, back, kept(decided))}</section>`
}

function collided(visit: Visit, collisions: readonly Collision[], decided: Decisions, back: string): Html {
  const rows = collisions.slice(0, MaxShown).map((each, i) => {
    const object = `${each.object_type}:${each.object_id}`
    const key = each.field ? `${object}.${each.field}` : object
    const canForce = ['changed', 'referenced'].includes(each.kind)
    const canLeave = each.kind !== 'changed' || each.field !== null
    const option = (word: string, name: string, label: string) =>
      html`<label><input type="radio" name="decide-${i}" value="${word} ${name}"> ${label}</label>`
    const leaves = each.kind === 'changed' && each.wanted !== null ? key : object
    return html`<tr><th scope="row">${each.object}</th><td data-label="Field">${
      each.field ? fieldLabel(each.object_type, each.field) : ''
    }</td><td data-label="It would become">${text(each.wanted)}</td>
<td data-label="The request left">${text(each.left)}</td><td data-label="It is now">${text(each.now)}</td>
<td>${each.detail}<div class="choices">${canLeave ? option('leave', leaves, 'Leave it as it is') : ''}${
      canForce ? option('force', each.kind === 'referenced' ? object : key, 'Take it back all the same') : ''
    }</div></td></tr>`
  })
  const heads = ['Object', 'Field', 'It would become', 'The request left', 'It is now', 'What to do']
  const table = plainTable('What is in the way', heads, rows, { isFocusable: true, kind: 'collisions' })
  const more = collisions.length - MaxShown
  return html`<p class="message bad"
    role="alert">Others changed the same since, so nothing is taken back yet. Decide on each.${
      more > 0 ? ` ${more} more are not shown.` : ''
    }</p>
<section class="panel wide">${confirmed(
    visit,
    html`<button class="primary" name="_again" value="1">See what that does</button>`,
    back,
    html`${kept(decided)}${table}`,
  )}</section>`
}
