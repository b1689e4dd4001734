import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import type { Answer } from '../http/request.ts'
import { changeMany, demand } from '../http/resource.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Aim, aimOf, backOf } from './assign.ts'
import type { Html } from './cells.ts'
import { readForm } from './form-data.ts'
import { errorsOf, messageOf } from './form-errors.ts'
import { csrf, leadTo } from './frame.ts'
import { listHref } from './links.ts'
import { allowed } from './row-links.ts'
import type { Row } from './table.ts'
import { Here, type Visit } from './visit.ts'
import { words } from './words.ts'

/**
 * Ends of the rows of a table from whose objects more are chosen (`assign`): a link that changes one, and a button by
 * which it belongs there no longer.
 */
export function memberLinks(visit: Visit, m: AnyModel, ids: readonly number[], assign: string): (row: Row) => Html {
  const changed = allowed(visit, 'change', m, ids)
  const action = assign.replace('assign/?', 'release/?')
  return (row) => {
    if (!changed.has(row.id)) return html``
    const edit = html`<a class="act" href="${listHref(visit, m)}${row.id}/edit/?_back=${Here}"
      aria-label="Edit ${row.display}">✎</a>`
    const remove = html`<button class="act word" name="pk" value="${row.id}"
      aria-label="Remove ${row.display} from here">Remove</button>`
    return html`${edit}<form method="post" action="${action}">${csrf(visit)}${remove}</form>`
  }
}

/** What an object is when it belongs there no longer: without the numbers that it had there. */
const freed = (m: AnyModel, { field }: Aim): Record<string, null> =>
  Object.fromEntries([field, ...words(m.pages?.numbered?.[field])].map((name) => [name, null]))

/** `POST /dcim/devices/release/?virtual_chassis=3`: takes an object from what it belongs to; it stays otherwise. */
export async function release(visit: Visit, m: AnyModel): Promise<Answer> {
  demand(visit, 'change', m)
  const [text = ''] = (await readForm(visit)).all('pk')
  const aim = aimOf(visit, m)
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const back = backOf(visit, aim)
  if (!allowed(visit, 'change', m, [id]).has(id) || belongsTo(visit, m, aim, id) !== aim.id)
    return leadTo(visit, back, `This ${m.label} is not yours to change, or does not belong to ${aim.name}.`, 'bad')
  const name = visit.store.reader.display(m, id)
  try {
    await changeMany(visit, m, [{ id, ...freed(m, aim) }])
  } catch (error) {
    demandRefusal(error)
    return leadTo(
      visit,
      back,
      `${name}: ${Object.values(errorsOf(error.body))
        .map((each) => messageOf(each))
        .join(' ')}`,
      'bad',
    )
  }
  return leadTo(visit, back, `${name} no longer belongs to ${aim.name}.`)
}

/** The id of what an object belongs to. */
function belongsTo(visit: Visit, m: AnyModel, { field }: Aim, id: number): number | undefined {
  const [row] = visit.store.reader.rows(m, [id], { members: [field] }, '')
  return row ? (JSON.parse(String(row)) as Record<string, { id: number } | null>)[field]?.id : undefined
}
