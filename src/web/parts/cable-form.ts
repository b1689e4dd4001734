import { html, raw } from 'hono/html'
import { CabledModels } from '../../rules/cabled-fields.ts'
import { compatibleWith } from '../../rules/cables.ts'
import type { Node } from '../../rules/paths.ts'
import { FieldError } from '../../fields/field.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { Html } from '../cells.ts'
import type { Filled } from '../form-page.ts'
import type { FormField, FormGroup } from '../form-fields.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { titleOf } from '../words.ts'
import { type End, endsOf, fullName, isCabled, toolsOf } from './ends.ts'
import { parentOf } from '../parents.ts'
import { byParent, freePorts, MaxOffered, Places, type Place, placesOf, resolved, type Where } from './free-ports.ts'
import { likelyWhere, whereBy, whereNow } from './likely-place.ts'
import { whereHtml } from './where.ts'

type Side = 'a' | 'b'
interface State {
  side: Side
  /** Kind of object at this end. */
  type: string
  ids: readonly number[]
  ends: ReadonlyMap<string, End>
  where: Where
}

/** What a cable from a port most likely leads to. */
const Likely: Readonly<Record<string, string>> = {
  'dcim.frontport': 'dcim.interface',
  'dcim.rearport': 'dcim.rearport',
}
export const likelyFrom = (type: string): string => Likely[type] ?? compatibleWith(type)[0] ?? 'dcim.interface'

/** The two ends of a cable in place of its lists of terminations: where each is, of what kind, and which ports. */
export function cableForm(visit: Visit, groups: readonly FormGroup[]): FormGroup[] {
  const fields = { a: endField(visit, 'a'), b: endField(visit, 'b') }
  const others = groups
    .map((group) => ({ ...group, fields: group.fields.filter(({ name }) => !/^[ab]_terminations$/.test(name)) }))
    .filter(({ fields }) => fields.length)
  return [{ title: 'Ends', fields: [fields.a, fields.b], html: (filled) => endsHtml(visit, filled, fields) }, ...others]
}

function endField(visit: Visit, side: Side): FormField {
  const name = `${side}_terminations`
  return {
    name,
    label: `Ends at ${side.toUpperCase()}`,
    help: undefined,
    required: true,
    control: { as: 'object', models: CabledModels, multiple: true },
    texts: (row) =>
      ((row[name] ?? []) as { object_type: string; object_id: number }[]).flatMap(({ object_type, object_id }) => [
        object_type,
        String(object_id),
      ]),
    read: (data) => {
      const types = data.all(`${name}_type`)
      const ids = data.all(`${name}_id`).filter(Boolean)
      if (ids.length === 0) throw new FieldError('Choose what the cable ends at.')
      const nodes = ids.map((id, i) => ({ type: types[i] || types[0] || '', id: Number(id) }))
      demandSeen(visit, nodes)
      return { [name]: nodes.map(({ type, id }) => ({ object_type: type, object_id: id })) }
    },
  }
}

/** Refuses ends that the user may not view, other than those that the cable has. */
function demandSeen(visit: Visit, nodes: readonly Node[]): void {
  const known = nodes.filter(
    ({ type, id }) => (CabledModels as readonly string[]).includes(type) && Number.isSafeInteger(id),
  )
  const seen = endsOf(visit, known)
  const cable = Number(/\/(\d+)\/edit\/$/.exec(visit.path)?.[1])
  const isOwn = ({ type, id }: Node) => cable && toolsOf(visit).row(modelNamed(type), id)?.cable_id === cable
  for (const node of nodes)
    if (!seen.has(`${node.type}:${node.id}`) && !(known.includes(node) && isOwn(node)))
      throw new FieldError('There is no such port.')
}

/** What the form says of an end so far, or what it begins with. */
function stateOf(visit: Visit, filled: Filled, field: FormField, other: State | undefined): State {
  const side: Side = other ? 'b' : 'a'
  const given = (part: string) => filled.given?.(`${side}_${part}`) ?? []
  let types = given('terminations_type')
  let texts = [...given('terminations_id'), ...given('terminations')]
  const isClone = visit.query.has('_clone') // another cable of this sort, at other ports
  if (!types.length && !texts.length && !isClone) {
    const pairs = filled.texts(field)
    types = pairs.filter((_, i) => i % 2 === 0)
    texts = pairs.filter((_, i) => i % 2 === 1)
  }
  const kinds = kindsOf(other)
  const type = kinds.find((each) => each === types[0]) ?? (other ? likelyFrom(other.type) : 'dcim.interface')
  const isOther = types[0] !== undefined && types[0] !== type // its ports are of another kind then
  const ids = isOther ? [] : [...new Set(texts.filter((text) => /^\d{1,15}$/.test(text)).map(Number))]
  const ends = endsOf(
    visit,
    ids.map((id) => ({ type, id })),
  )
  const first = ends.values().next().value
  const names = placesOf(type)
  const isAsked = Object.keys(Places).some((place) => given(place).length)
  if (!isAsked && !first && other) return { side, type, ids, ends, where: likelyWhere(visit, type, other) }
  const text = (place: Place): string =>
    isAsked
      ? resolved(visit, place, given(place).findLast(Boolean) ?? '')
      : String((first?.[place] as { id?: number } | null | undefined)?.id ?? '')
  const where = whereBy((place) => (names.includes(place) ? text(place) : ''))
  const isNewKind = isAsked && ![undefined, type].includes(given('kind_before')[0])
  return { side, type, ids, ends, where: isNewKind ? whereNow(visit, type, where) : where }
}

const kindsOf = (other: State | undefined): readonly string[] => (other ? compatibleWith(other.type) : CabledModels)

function endsHtml(visit: Visit, filled: Filled, fields: Readonly<Record<Side, FormField>>): Html {
  const a = stateOf(visit, filled, fields.a, undefined)
  const b = stateOf(visit, filled, fields.b, a)
  return html`<button class="unseen" tabindex="-1" aria-hidden="true">Save</button><div class="ends"
    id="ends">${endHtml(visit, filled, a, undefined)}${endHtml(visit, filled, b, a)}</div>`
}

function endHtml(visit: Visit, filled: Filled, state: State, other: State | undefined): Html {
  const { side, type, where } = state
  const wrong = filled.errors[`${side}_terminations`]
  return html`<fieldset><legend>${side.toUpperCase()} end</legend>
${whereHtml(visit, { side, type, where, kinds: kindsOf(other), whole: 'ends' })}
${portsHtml(visit, state, other, wrong)}</fieldset>`
}

/** So many free ports have a button of their own, by which one click connects. */
const MaxButtons = 60

function portsHtml(visit: Visit, state: State, other: State | undefined, wrong: unknown): Html {
  const { side, type, ids, ends, where } = state
  const m = modelNamed(type)
  const { rows, count } = freePorts(visit, type, where)
  const [place] = [placesOf(type).findLast((each) => where[each])]
  const chosen = new Set(ids)
  const others = new Set(other?.type === type ? other.ids : [])
  const free = rows.filter(({ id }) => !chosen.has(id) && !others.has(id))
  const own = ids.map((id) => [id, ends.get(`${type}:${id}`)] as const)
  const id = `f-${side}_terminations`
  const isQuick = other !== undefined && other.ids.length > 0 && ids.length === 0
  return html`<div id="${side}-ports">
<div class="field${wrong ? ' wrong' : ''}"><label for="${id}">${titleOf(m)} <span class="must"
  aria-hidden="true">*</span></label><select id="${id}" name="${side}_terminations_id" multiple size="6" data-many
    aria-describedby="h-${side}_terminations${
      wrong ? ` e-${side}_terminations` : ''
    }"${wrong ? raw(' aria-invalid="true"') : ''}>${own.map(
      ([each, end]) => html`<option value="${each}" selected>${end ? fullName(end) : 'not shown to you'}</option>`,
    )}${free.map((row) => html`<option value="${row.id}">${nameIn(row, place)}</option>`)}</select>${
      wrong ? html`<p class="error" id="e-${side}_terminations">${[wrong].flat(3).map(String).join(' ')}</p>` : ''
    }<p class="help" id="h-${side}_terminations">${helpOf(m.plural, free.length, count, place)}</p></div>${
      isQuick ? buttons(nearLast(free, other)) : ''
    }</div>`
}

const nameIn = (row: Row, place: Place | undefined): string =>
  place === 'device' || place === 'power_panel' ? row.display : fullName(row)

function helpOf(plural: string, free: number, count: number, place: Place | undefined): string {
  const there = place ? `in this ${place.replace('_', ' ')}` : 'anywhere'
  if (count > MaxOffered) return `The first ${MaxOffered} of ${count} free ${plural} ${there}: say more of where it is.`
  return free ? `${free} free ${plural} ${there}.` : `There are no free ${plural} ${there}.`
}

/** Free ports with those of the other end's own device behind the others. */
function nearLast(free: readonly Row[], { ends }: State): readonly Row[] {
  const own = new Set([...ends.values()].map((end) => parentOf(end)?.url))
  const [far, near] = [
    free.filter((row) => !own.has(parentOf(row)?.url)),
    free.filter((row) => own.has(parentOf(row)?.url)),
  ]
  return [...far, ...near]
}

function buttons(free: readonly Row[]): Html | '' {
  if (free.length === 0) return ''
  return html`<div class="quick"><p>Connect at once to</p>${[...byParent(free.slice(0, MaxButtons))].map(
    ([parent, rows]) =>
      html`<div><b>${parent}</b> ${rows.map(
        (row) =>
          html`<button name="b_terminations_id" value="${row.id}"
          aria-label="Connect to ${fullName(row)}">${row.display}</button>`,
      )}</div>`,
  )}</div>`
}

/** After a cable is saved: where it leads. */
export function traceOf(visit: Visit, row: Row): readonly [href: string, label: string] | undefined {
  const [first] = (row.a_terminations ?? []) as { object_type: string; object_id: number }[]
  const m = first && modelNamed(first.object_type)
  return m && isCabled(m)
    ? [`${visit.config.basePath}/${m.path}/${first.object_id}/trace/`, 'Show the trace']
    : undefined
}
