import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import { type Answer, forbidden } from '../http/request.ts'
import { deleteOne, demand } from '../http/resource.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { consequences } from './consequences.ts'
import { readForm } from './form-data.ts'
import { csrf, icon, leadTo, page } from './frame.ts'
import { hasPage, listHref, objectHref, safePath } from './links.ts'
import { demandTaken } from './may-make.ts'
import { objectRow } from './object.ts'
import type { Row } from './table.ts'
import { NoSuchObject } from './no-such-object.ts'
import type { Visit } from './visit.ts'
import { pluralOf, titleOf } from './words.ts'

/** `/dcim/sites/3/delete/`: asks, and names what depends on the object. */
export function deletePage(visit: Visit, m: AnyModel, id: number): Answer {
  return confirmation(visit, m, deletable(visit, m, id))
}

function deletable(visit: Visit, m: AnyModel, id: number): Row {
  demandTaken(m, 'DELETE')
  demand(visit, 'delete', m)
  if (!may(visit.actor, 'view', m)) throw new NoSuchObject(m, id)
  const row = objectRow(visit, m, id)
  if (visit.store.reader.mayOn(visit.actor, 'delete', m, id) !== true) throw forbidden()
  return row
}

/** `POST …/delete/`: deletes the object with what goes with it, or says what keeps it. */
export async function deleteObject(visit: Visit, m: AnyModel, id: number): Promise<Answer> {
  const row = deletable(visit, m, id)
  const data = await readForm(visit)
  try {
    await deleteOne(visit, m, id, { changelog_message: data.all('changelog_message')[0] ?? '' })
  } catch (error) {
    demandRefusal(error, 404)
    const { detail } = error.body as { detail?: string }
    return confirmation(visit, m, row, detail ?? error.message, error.status)
  }
  const back = safePath(visit, data.all('_back')[0]) ?? listHref(visit, m)
  return leadTo(visit, back, `${titleOf(m)} ${row.display} was deleted.`)
}

function confirmation(visit: Visit, m: AnyModel, row: Row, problem = '', status = 200): Answer {
  const { html: told, isPossible } = consequences(visit, m, [row.id])
  const back = safePath(visit, visit.query.get('_back') ?? undefined)
  const cancel = back ?? (hasPage(m) ? objectHref(visit, m, row.id) : listHref(visit, m))
  return page(visit, {
    status,
    title: `Delete ${row.display}?`,
    crumbs: [
      [listHref(visit, m), pluralOf(m)],
      [objectHref(visit, m, row.id), row.display],
    ],
    body: html`${problem && isPossible ? html`<p class="message bad" role="alert">${problem}</p>` : ''}
<section class="panel">
${isPossible ? html`<p>This ${m.label} will be deleted, with what belongs to it.</p>` : ''}${told}${
  isPossible
    ? confirmed(
        visit,
        html`<button class="danger primary">${icon(visit, 'delete')}Delete</button>`,
        cancel,
        back ? html`<input type="hidden" name="_back" value="${back}">` : '',
      )
    : html`<p><a class="button" href="${cancel}">Back</a></p>`
}</section>`,
  })
}

/** The form of a question: a message for the change log, a button that says yes, a link that says no. */
export const confirmed = (visit: Visit, button: Html, cancel: string, hidden: Html | '' = ''): Html =>
  html`<form method="post">${csrf(visit)}${hidden}<div class="field"><label for="f-changelog_message">Why
(optional)</label><input id="f-changelog_message" name="changelog_message" maxlength="200"></div>
<p class="submit">${button}<a class="button" href="${cancel}">Cancel</a></p></form>`
