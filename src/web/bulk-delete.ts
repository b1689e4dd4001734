import { html } from 'hono/html'
import { type Answer, ApiError, badMethod } from '../api/request.ts'
import { deleteMany } from '../api/resource.ts'
import { may } from '../registry/actor.ts'
import { Refused } from '../registry/behaviour.ts'
import type { AnyModel } from '../registry/model.ts'
import { consequencesOf } from '../store/cascade.ts'
import { noneText } from './bulk-edit.ts'
import type { Html } from './cells.ts'
import { confirmed } from './delete.ts'
import { readForm } from './form-data.ts'
import { icon, leadTo, page } from './frame.ts'
import { listHref, objectHref } from './links.ts'
import { displaysOf, howMany, MaxNamed, visibleOf, remarks, type Selection, selectionOf } from './selection.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** `POST …/delete/`: names what goes and what prevents it, and with `_apply` deletes. */
export async function bulkDelete(visit: Visit, m: AnyModel): Promise<Answer> {
  if (m.methods && !m.methods.includes('DELETE')) throw badMethod(visit.method)
  const data = await readForm(visit)
  const chosen = selectionOf(visit, m, data, 'delete')
  if (chosen.ids.length === 0) return leadTo(visit, chosen.back, noneText(m, chosen), 'bad')
  if (!data.all('_apply').length || chosen.hasMoved) return question(visit, m, chosen)
  const message = data.all('changelog_message')[0] ?? ''
  try {
    await deleteMany(
      visit,
      m,
      chosen.ids.map((id) => ({ id, changelog_message: message })),
    )
  } catch (error) {
    if (!(error instanceof Refused || error instanceof ApiError) || error.status >= 500) throw error
    const { detail } = error.body as { detail?: string }
    return question(visit, m, chosen, detail ?? error.message, error.status)
  }
  return leadTo(
    visit,
    chosen.back,
    `${howMany(m, chosen.ids.length)} ${chosen.ids.length === 1 ? 'was' : 'were'} deleted.`,
  )
}

function question(visit: Visit, m: AnyModel, chosen: Selection, problem = '', status = 200): Answer {
  return page(visit, {
    status,
    title: `Delete ${howMany(m, chosen.ids.length)}?`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${remarks(m, chosen)}${problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''}<section class="panel">
<h2>These go</h2><ul class="named">${named(visit, m, chosen.ids)}</ul>${consequences(visit, m, chosen.ids)}
${confirmed(
  visit,
  html`<button class="danger primary" formaction="${listHref(visit, m)}delete/">${icon(visit, 'delete')}Delete ${howMany(m, chosen.ids.length)}</button>`,
  chosen.back,
  html`${chosen.hidden}<input type="hidden" name="_apply" value="1">`,
)}</section>`,
  })
}

function named(visit: Visit, m: AnyModel, ids: readonly number[]): Html {
  const names = displaysOf(visit, m, ids.slice(0, MaxNamed))
  return html`${[...names].map(
    ([id, text]) =>
      html`<li>${m.displayUrl === false ? text : html`<a href="${objectHref(visit, m, id)}">${text}</a>`}</li>`,
  )}${ids.length > MaxNamed ? html`<li>… and ${(ids.length - MaxNamed).toLocaleString('en')} more</li>` : ''}`
}

/** What goes with some objects, what loses a reference, and what prevents that they go; of models that the user may view. */
export function consequences(visit: Visit, m: AnyModel, ids: readonly number[]): Html {
  const { goes, emptied, blocking } = consequencesOf(visit.store.db, m, ids)
  const isShown = (of: AnyModel) => !of.internal && may(visit.actor, 'view', of)
  const counted = (title: string, counts: readonly (readonly [AnyModel, number])[]): Html | '' => {
    const known = counts.filter(([of]) => isShown(of))
    return known.length
      ? html`<h2>${title}</h2><ul class="counts">${known.map(([of, count]) => html`<li><span>${pluralOf(of)}</span> <b>${count.toLocaleString('en')}</b></li>`)}</ul>`
      : ''
  }
  const keeping = Map.groupBy(blocking, ({ m: of }) => of)
  const seen = [...keeping].flatMap(([of, rows]) => {
    const ids = visibleOf(
      visit,
      of,
      rows.map(({ id }) => id),
    )
    return ids.length ? [[of, ids] as const] : []
  })
  const shown = seen.reduce((sum, [, own]) => sum + own.length, 0)
  return html`${
    blocking.length
      ? html`<div class="message bad" role="alert"><p><b>This cannot be deleted:</b> ${blocking.length === 1 ? 'one object depends on it' : `${blocking.length.toLocaleString('en')} objects depend on it`}.</p>${seen.map(([of, own]) => html`<p>${pluralOf(of)}</p><ul>${named(visit, of, own)}</ul>`)}${blocking.length > shown ? html`<p>… and ${(blocking.length - shown).toLocaleString('en')} more</p>` : ''}</div>`
      : ''
  }${counted(
    'What goes with it',
    [...goes].map(([of, rows]) => [of, rows.length] as const),
  )}${counted('What is kept and refers to nothing then', [...emptied])}`
}
