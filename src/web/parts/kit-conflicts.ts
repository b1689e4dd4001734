import { html } from 'hono/html'
import { models } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { ConflictFile } from '../../history/conflict-file.ts'
import type { Side } from '../../history/merge.ts'
import type { Html } from '../cells.ts'
import { csrf } from '../frame.ts'
import { objectHref } from '../links.ts'
import { messageField } from '../message-field.ts'
import { plainTable } from '../plain-table.ts'
import type { Visit } from '../visit.ts'
import { labelAt, titleOf } from '../words.ts'

/** Conflicts that a page shows; the others follow once these are settled. */
export const MaxShown = 100
/** Values of one side that are shown; all of them stand in the file. */
const MaxValues = 12

type Listed = ConflictFile['conflicts'][number]

/** The model of a conflict; undefined for what somebody wrote into the file who names none. */
const modelOf = ({ object_type: name }: Listed): AnyModel | undefined =>
  Object.hasOwn(models, name) ? models[name] : undefined

/**
 * The form that settles conflicts: each with both sides, to choose one. `message`: why, as typed so far; undefined
 * where a command carries the decisions out, which nobody signs.
 */
export function conflictsForm(visit: Visit, conflicts: readonly Listed[], message?: string): Html {
  const more = conflicts.length - MaxShown
  const cards = conflicts.slice(0, MaxShown).map((each, i) => card(visit, each, i))
  const buttons = html`<button class="primary">Settle</button>${
    conflicts.length > 1
      ? html`<button name="rest" value="ours">The rest as ours</button><button name="rest"
        value="theirs">The rest as theirs</button>`
      : ''
  }`
  return html`<section class="panel wide"><h2>Conflicts <span class="count">${conflicts.length}</span></h2>
<p>Nothing was taken from the source yet. Choose a side of each, or change the objects here and pull again.${
    more > 0 ? ` ${more} more are not shown.` : ''
  }</p>
<form method="post">${csrf(visit)}${cards}${message === undefined ? '' : messageField(message)}
<p class="submit">${buttons}<a class="button" href="/">Cancel</a></p></form></section>`
}

function card(visit: Visit, each: Listed, i: number): Html {
  const m = modelOf(each)
  const isHere = m && visit.store.db.get(`select 1 from "${m.table}" where id = ?`, each.object_id) !== undefined
  const name = isHere ? html`<a href="${objectHref(visit, m, each.object_id)}">${each.object}</a>` : each.object
  const what = [m ? titleOf(m) : each.object_type, each.field && fieldLabel(m, each.field)].filter(Boolean).join(' · ')
  const parted = isEmpty(each.parted)
    ? ''
    : html`<div class="parted"><strong>When both parted</strong>${values(m, each.parted)}</div>`
  const gone = { ours: each.kind === 'deleted here', theirs: ['deleted there', 'referenced'].includes(each.kind) }
  const choice = (side: Side, label: string, value: unknown, then: string) =>
    html`<label class="choice"><span class="whose"><input type="radio" name="take-${i}" value="${side}"${
      each.take === side ? html` checked` : ''
    }> ${label}</span>${
      isEmpty(value) && gone[side] ? html`<span class="value soft">deleted</span>` : values(m, value)
    }<span class="outcome">${then}</span></label>`
  return html`<fieldset class="conflict"><legend>${name} <span class="soft">${what}</span></legend>
<input type="hidden" name="key-${i}" value="${each.key}">
<p>${each.detail}</p>
${parted}<div class="both">${choice('ours', 'Ours, in this kit', each.ours, each.if_ours)}${choice(
    'theirs',
    'Theirs, at the source',
    each.theirs,
    each.if_theirs,
  )}</div></fieldset>`
}

const Custom = 'custom_fields.'
function fieldLabel(m: AnyModel | undefined, field: string): string {
  if (field.startsWith(Custom)) return field.slice(Custom.length)
  return m && Object.hasOwn(m.fields, field) ? labelAt(m, field) : field
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** A value, or a list of fields with theirs. */
function values(m: AnyModel | undefined, value: unknown): Html {
  if (isEmpty(value)) return html`<span class="value soft">—</span>`
  if (typeof value !== 'object') return html`<span class="value">${text(value)}</span>`
  const pairs = Object.entries(value as object)
  const lines = pairs.slice(0, MaxValues).map(([name, each]) => {
    const label = Array.isArray(value) ? '' : html`<span class="soft">${fieldLabel(m, name)}:</span> `
    return html`<li>${label}${
      typeof each === 'object' && each !== null ? values(m, each) : isEmpty(each) ? '—' : text(each)
    }</li>`
  })
  const more = pairs.length - MaxValues
  return html`<ul class="value">${lines}${more > 0 ? html`<li class="soft">and ${more} more</li>` : ''}</ul>`
}

const text = (value: unknown): string => {
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole
}

/** What was decided last: who gave way, with both values. */
export function decidedTable(decided: readonly Listed[]): Html {
  const lines = decided.slice(0, MaxShown).map((each) => {
    const m = modelOf(each)
    const what = [each.object, each.field && fieldLabel(m, each.field)].filter(Boolean).join(' · ')
    const [ours, theirs] = (['ours', 'theirs'] as const).map((side) =>
      each.take === side ? html`<strong>${values(m, each[side])}</strong>` : values(m, each[side]),
    )
    const counted = each.take === 'ours' ? each.if_ours : each.if_theirs
    return html`<tr><th scope="row">${what}</th><td data-label="Ours">${ours}</td><td data-label="Theirs">${theirs}</td>
<td data-label="What counted">${each.take}: ${counted}</td></tr>`
  })
  const heads = ['Object', 'Ours', 'Theirs', 'What counted']
  return html`<section class="panel wide"><h2>Decided <span class="count">${decided.length}</span></h2>
<p>The latest first. To take one back, undo its change in the change log of the side that gave way, or write that value
again.</p>
${plainTable('What was decided', heads, lines, { kind: 'collisions' })}</section>`
}
