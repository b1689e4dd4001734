import { demandRefusal } from '../refusal.ts'
import { html, raw } from 'hono/html'
import { type Answer, noSuchPage } from '../../http/request.ts'
import { createMany, demand } from '../../http/resource.ts'
import { compatibleWith } from '../../rules/cables.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { noneText } from '../bulk-edit.ts'
import type { Html } from '../cells.ts'
import { fieldHtml } from '../form-page.ts'
import { type FormData, readForm } from '../form-data.ts'
import { bodyOf, type FormField, formGroups } from '../form-fields.ts'
import { csrf, icon, leadTo, page } from '../frame.ts'
import { listHref } from '../links.ts'
import { howMany, remarks, type Selection, selectionOf } from '../selection.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, words } from '../words.ts'
import { likelyFrom } from './cable-form.ts'
import { type End, endsOf, fullName, isCabled, seenIds } from './ends.ts'
import {
  byParent,
  freePorts,
  MaxOffered,
  type Place,
  Places,
  placesOf,
  portRows,
  resolved,
  type Where,
} from './free-ports.ts'
import { likelyWhere, whereBy, whereNow } from './likely-place.ts'
import { whereHtml } from './where.ts'

/** Fields that the cables of all pairs have alike. */
const Alike = words('type status color length length_unit tenant description')

interface Asked {
  m: AnyModel
  chosen: Selection
  /** Ports at A that are free, in the order of their list. */
  near: readonly End[]
  /** How many of those chosen are not free. */
  taken: number
  type: string
  where: Where
  free: { rows: Row[]; count: number }
  /** Ids of the ports at B, in order. */
  far: readonly number[]
  data: FormData
  fields: readonly FormField[]
}

/** `POST /dcim/front-ports/connect/`: one cable for each of the ports chosen, to ports chosen here, in their order. */
export async function connectChosen(visit: Visit, m: AnyModel): Promise<Answer> {
  if (!isCabled(m)) throw noSuchPage()
  const cable = modelNamed('dcim.cable')
  demand(visit, 'add', cable)
  const data = await readForm(visit)
  const chosen = selectionOf(visit, m, data, 'change')
  if (chosen.ids.length === 0) return leadTo(visit, chosen.back, noneText(m, chosen), 'bad')
  const asked = askedOf(visit, m, chosen, data)
  if (asked.near.length === 0) return leadTo(visit, chosen.back, 'None of these is free.', 'bad')
  const isWanted = data.all('_preview').length > 0 || data.all('_apply').length > 0
  if (!isWanted) return choosing(visit, asked)
  if (asked.far.length !== asked.near.length)
    return choosing(
      visit,
      asked,
      `These are ${howMany(m, asked.near.length)}, and ${asked.far.length} at the other end: choose as many.`,
      400,
    )
  const { body, errors } = bodyOf([{ title: '', fields: asked.fields }], data, true)
  if (Object.keys(errors).length) return choosing(visit, asked, '', 400, errors)
  if (!data.all('_apply').length) return preview(visit, asked)
  const end = (type: string, id: number) => [{ object_type: type, object_id: id }]
  const bodies = asked.near.map(({ id }, i) => ({
    ...body,
    a_terminations: end(m.name, id),
    b_terminations: end(asked.type, asked.far[i]!),
  }))
  try {
    await createMany(visit, cable, bodies)
  } catch (error) {
    demandRefusal(error)
    return preview(visit, asked, error.body, error.status)
  }
  return leadTo(visit, chosen.back, `${howMany(cable, bodies.length)} ${bodies.length === 1 ? 'was' : 'were'} made.`)
}

function askedOf(visit: Visit, m: AnyModel, chosen: Selection, data: FormData): Asked {
  const free = freeAmong(visit, m, chosen.ids)
  const kinds = compatibleWith(m.name)
  const type = kinds.find((each) => each === data.all('b_terminations_type')[0]) ?? likelyFrom(m.name)
  const names = placesOf(type)
  const isAsked = data.names().some((name) => name.slice(2) in Places && name.startsWith('b_'))
  const [first] = free
  const text = (place: Place) => resolved(visit, place, data.all(`b_${place}`).findLast(Boolean) ?? '')
  const idOf = (place: 'site' | 'location' | 'rack') => String(first?.[place]?.id ?? '')
  const near = { site: idOf('site'), location: idOf('location'), rack: idOf('rack') }
  const given = whereBy((place) => (names.includes(place) ? text(place) : ''))
  const isNewKind = ![undefined, type].includes(data.all('b_kind_before')[0])
  const where = !isAsked
    ? likelyWhere(visit, type, { type: m.name, ids: chosen.ids, where: near })
    : isNewKind
      ? whereNow(visit, type, given)
      : given
  const own = new Set(free.map(({ id }) => id))
  const found = freePorts(visit, type, where)
  const rows = type === m.name ? found.rows.filter(({ id }) => !own.has(id)) : found.rows
  const offered = new Set(rows.map(({ id }) => id))
  const ticked = data.all('b_pk').map(Number)
  const kept = ticked.filter((id) => offered.has(id))
  const isNarrow = where.device !== '' || where.power_panel !== ''
  // Another device was chosen: its first free ports, as many as there are at this end.
  const proposed = isNarrow && kept.length === 0 ? rows.slice(0, free.length).map(({ id }) => id) : kept
  const isSent = data.all('_preview').length > 0 || data.all('_apply').length > 0
  const fields = formGroups(visit, modelNamed('dcim.cable'), Alike).flatMap((group) => group.fields)
  return {
    m,
    chosen,
    near: free,
    taken: chosen.ids.length - free.length,
    type,
    where,
    free: { rows, count: found.count },
    far: isSent ? seenIds(visit, modelNamed(type), ticked) : proposed,
    data,
    fields,
  }
}

/** Those of some ports that a cable may end at, in their order. */
function freeAmong(visit: Visit, m: AnyModel, ids: readonly number[]): End[] {
  const ends = endsOf(
    visit,
    ids.map((id) => ({ type: m.name, id })),
  )
  const view = { members: ['id', '_occupied'] }
  const taken = new Set(
    visit.store.reader
      .rows(m, ids, view, '')
      .map((bytes) => JSON.parse(bytes.toString()) as { id: number; _occupied: boolean })
      .flatMap(({ id, _occupied }) => (_occupied ? [id] : [])),
  )
  return ids.flatMap((id) => (taken.has(id) ? [] : (ends.get(`${m.name}:${id}`) ?? [])))
}

const frame = (visit: Visit, { m, near }: Asked, status: number, body: Html): Answer =>
  page(visit, {
    status,
    title: `Connect ${howMany(m, near.length)}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body,
  })

const remarksOf = ({ m, chosen, taken }: Asked): Html =>
  html`${remarks(m, chosen)}${
    taken
      ? html`<p class="message odd"
        role="status">${howMany(m, taken)} of those chosen ${taken === 1 ? 'is' : 'are'} left out: not free.</p>`
      : ''
  }`

function choosing(
  visit: Visit,
  asked: Asked,
  problem = '',
  status = 200,
  errors: Record<string, unknown> = {},
): Answer {
  const { m, chosen, near, type, where, data, fields } = asked
  const isFirst = !data.names().includes('status')
  const texts = (field: FormField): readonly string[] =>
    isFirst && field.name === 'status' ? ['connected'] : data.all(field.name)
  return frame(
    visit,
    asked,
    status,
    html`${remarksOf(asked)}${
      problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''
    }<form class="form" method="post" action="${listHref(visit, m)}connect/">${csrf(visit)}<button class="unseen"
      name="_preview" value="1" tabindex="-1" aria-hidden="true">Preview</button>${chosen.hidden}<div class="ends"
        id="ends"><fieldset><legend>A end: ${howMany(m, near.length)}</legend><ol class="pairs">${near.map(
          (end) => html`<li>${fullName(end)}</li>`,
        )}</ol></fieldset><fieldset><legend>B end</legend>${whereHtml(visit, {
          side: 'b',
          type,
          where,
          kinds: compatibleWith(m.name),
          whole: 'ends',
        })}${portsHtml(asked)}</fieldset></div>
<fieldset><legend>Each cable</legend>${fields.map((field) => fieldHtml(visit, field, { texts, errors }))}</fieldset>
<p class="submit"><button class="primary" name="_preview" value="1">Preview the pairs</button><a class="button"
  href="${chosen.back}">Cancel</a></p></form>`,
  )
}

function portsHtml({ near, type, free, far }: Asked): Html {
  const chosen = new Set(far)
  const { plural } = modelNamed(type)
  const told = free.rows.length
    ? `${far.length} of ${near.length} chosen. Ports are joined in their order, the first with the first.`
    : `There are no free ${plural} there.`
  const most =
    free.count > MaxOffered ? ` The first ${MaxOffered} of ${free.count} are shown: say more of where they are.` : ''
  return html`<div id="b-ports"><p class="help">${told}${most}</p>${[...byParent(free.rows)].map(
    ([parent, rows]) =>
      html`<fieldset class="ticks"><legend>${parent}</legend>${rows.map(
        (row) =>
          html`<label><input type="checkbox" name="b_pk" value="${row.id}"${
            chosen.has(row.id) ? raw(' checked') : ''
          }> ${row.display}</label>`,
      )}</fieldset>`,
  )}</div>`
}

function preview(visit: Visit, asked: Asked, refusal?: unknown, status = 200): Answer {
  const { m, chosen, near, type, far, fields, data } = asked
  const rows = new Map(portRows(visit, modelNamed(type), far).map((row) => [row.id, row]))
  const errors = Array.isArray(refusal) ? refusal.map(reasonOf) : []
  const general = refusal !== undefined && errors.length === 0 ? reasonOf(refusal) : ''
  const hidden = [
    ...fields.map(({ name }) => name),
    'b_terminations_type',
    ...Object.keys(Places).map((name) => `b_${name}`),
  ]
  return frame(
    visit,
    asked,
    status,
    html`${remarksOf(asked)}${
      refusal === undefined
        ? ''
        : html`<div class="message bad" role="alert">
<p><b>Nothing was connected.</b> ${general || 'What is wrong stands beside each pair.'}</p></div>`
    }<form class="form" method="post" action="${listHref(visit, m)}connect/">
${csrf(visit)}${chosen.hidden}${hidden.flatMap((name) =>
  data.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
)}${far.map(
  (id) => html`<input type="hidden" name="b_pk" value="${id}">`,
)}<div class="scroll"><table><caption class="unseen">Pairs</caption><thead>
<tr><th scope="col">#</th><th scope="col">A end</th><th scope="col">B end</th>${
      errors.length ? html`<th scope="col">What is wrong</th>` : ''
    }</tr></thead><tbody>${near.map(
      (end, i) =>
        html`<tr><th scope="row">${i + 1}</th><td>${fullName(end)}</td><td>${fullName(rows.get(far[i]!)!)}</td>${
          errors.length ? html`<td class="error">${errors[i] ?? ''}</td>` : ''
        }</tr>`,
    )}</tbody></table></div>
<p class="submit"><button class="primary" name="_apply" value="1">${icon(visit, 'cable')}Connect ${
      near.length === 1 ? 'this pair' : `these ${near.length} pairs`
    }</button><button name="_redraw" value="1">Change</button><a class="button" href="${chosen.back}">Cancel</a></p>
</form>`,
  )
}

/** The texts of a refusal in one line. */
const reasonOf = (body: unknown): string =>
  typeof body === 'object' && body !== null ? Object.values(body).flat(3).map(String).join(' ') : String(body ?? '')
