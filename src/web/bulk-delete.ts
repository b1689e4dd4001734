import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import { type Answer, badMethod } from '../http/request.ts'
import { deleteMany } from '../http/resource.ts'
import type { AnyModel } from '../declare/model.ts'
import { noneText } from './bulk-edit.ts'
import { consequences, named } from './consequences.ts'
import { confirmed } from './delete.ts'
import { readForm } from './form-data.ts'
import { icon, leadTo, page } from './frame.ts'
import { listHref } from './links.ts'
import { howMany, remarks, type Selection, selectionOf } from './selection.ts'
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
    demandRefusal(error)
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
  const { html: told, isPossible } = consequences(visit, m, chosen.ids)
  return page(visit, {
    status,
    title: `Delete ${howMany(m, chosen.ids.length)}?`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${remarks(m, chosen)}${
      problem && isPossible ? html`<p class="message bad" role="alert">${problem}</p>` : ''
    }<section class="panel">
${isPossible ? '' : told}<h2>These go</h2><ul class="named">${named(visit, m, chosen.ids)}</ul>${isPossible ? told : ''}
${
  isPossible
    ? confirmed(
        visit,
        html`<button class="danger primary"
          formaction="${listHref(visit, m)}delete/">${icon(visit, 'delete')}Delete
${howMany(m, chosen.ids.length)}</button>`,
        chosen.back,
        html`${chosen.hidden}<input type="hidden" name="_apply" value="1">`,
      )
    : html`<p><a class="button" href="${chosen.back}">Back</a></p>`
}</section>`,
  })
}
