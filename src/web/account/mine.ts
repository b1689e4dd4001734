import { html } from 'hono/html'
import { EventTypeChoices } from '../../choices/extras.ts'
import { ownPage } from '../../http/own-objects.ts'
import type { Answer } from '../../http/request.ts'
import { changeMany, deleteMany, deleteOne, demand, updateOne } from '../../http/resource.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { now } from '../../lib/datetime.ts'
import { badge, cell, type Html, moment } from '../cells.ts'
import { csrf, icon, leadTo } from '../frame.ts'
import { readForm } from '../form-data.ts'
import { hrefOf } from '../links.ts'
import { NoSuchObject } from '../no-such-object.ts'
import type { Visit } from '../visit.ts'
import { labelFor, titleOf } from '../words.ts'
import { accountHref, accountPage, ownId } from './account.ts'

/** So many are listed on a page. */
const Size = 100

/** What the own lists hold: bookmarks, subscriptions and notifications, by the name of their page. */
const Lists = {
  bookmarks: {
    model: 'extras.bookmark',
    empty: 'You have no bookmarks. “Bookmark” on the page of an object makes one.',
  },
  subscriptions: {
    model: 'extras.subscription',
    empty: 'You follow nothing. The bell on the page of an object tells you of its changes from then on.',
  },
  notifications: { model: 'extras.notification', empty: 'There is nothing new.' },
} as const
export type MineName = keyof typeof Lists

interface Mine {
  id: number
  display: string
  object_type: string
  object: { url?: string; display: string } | null
  created: string
  read?: string | null
  event_type?: string | { value: string }
}

/** Rows of an own list, from the newest. */
export function mine(visit: Visit, name: MineName, size = Size, at = 1): { rows: Mine[]; count: number } {
  const m = modelNamed(Lists[name].model)
  const { ids, count } = ownPage(visit, m, size, (at - 1) * size)
  const rows = visit.store.reader.rows(m, ids, {}, visit.config.basePath)
  return { rows: rows.map((bytes) => JSON.parse(bytes.toString()) as Mine), count: count ?? 0 }
}

/** `/user/bookmarks/`, `/user/subscriptions/`, `/user/notifications/`. */
export function minePage(visit: Visit, name: MineName): Answer {
  ownId(visit)
  const m = modelNamed(Lists[name].model)
  demand(visit, 'view', m)
  const at = Math.min(1000, Math.max(1, Math.trunc(Number(visit.query.get('page'))) || 1))
  const { rows, count } = mine(visit, name, Size, at)
  const href = accountHref(visit, name)
  const isNews = name === 'notifications'
  const line = (row: Mine) =>
    html`<tr${isNews && !row.read ? html` class="unread"` : ''}><th scope="row" class="lead">${
      isNews && row.object
        ? html`<button class="link" name="open" value="${row.id}">${row.object.display}</button>`
        : row.object
          ? cell(visit, row.object)
          : row.display
    }</th><td>${titleOf(modelNamed(row.object_type))}</td>${
      isNews ? html`<td>${eventOf(row)}</td>` : ''
    }<td>${moment(row.created)}</td>${
      isNews ? html`<td>${row.read ? 'read' : badge('new', 'calm')}</td>` : ''
    }<td class="acts">${
      isNews && !row.read
        ? html`<button name="read" value="${row.id}" aria-label="Mark ${row.display} as read">Read</button> `
        : ''
    }<button name="remove" value="${row.id}"
      aria-label="${isNews ? 'Dismiss' : 'Remove'} ${row.display}">${isNews ? 'Dismiss' : 'Remove'}</button></td></tr>`
  const heads = [
    'Object',
    'Kind',
    ...(isNews ? ['Event'] : []),
    isNews ? 'When' : 'Since',
    ...(isNews ? ['State'] : []),
  ]
  return accountPage(
    visit,
    name,
    count === 0
      ? html`<p class="empty">${Lists[name].empty}</p>`
      : html`<form method="post">${csrf(visit)}${
          isNews
            ? html`<p class="submit"><button name="all" value="read">Mark all as read</button><button name="all"
          value="dismiss">${icon(visit, 'delete')}Dismiss all</button></p>`
            : ''
        }
<div class="scroll mine"><table><caption class="unseen">${labelFor(name)}</caption><thead><tr>${heads.map(
          (head) => html`<th scope="col">${head}</th>`,
        )}<th scope="col" class="acts"><span class="unseen">Actions</span></th></tr></thead>
<tbody>${rows.map(line)}</tbody></table></div></form>${pages(href, at, count)}`,
  )
}

function eventOf({ event_type: type }: Mine): string {
  const value = typeof type === 'object' ? type.value : type
  return String(EventTypeChoices.find(([each]) => each === value)?.[1] ?? value ?? '')
}

function pages(href: string, at: number, count: number): Html | '' {
  const last = Math.ceil(count / Size)
  if (last <= 1) return ''
  return html`<nav class="pager" aria-label="Pages"><span>${count}</span><ul>${
    at > 1 ? html`<li><a href="${href}?page=${at - 1}" rel="prev">‹ newer</a></li>` : ''
  }${at < last ? html`<li><a href="${href}?page=${at + 1}" rel="next">older ›</a></li>` : ''}</ul></nav>`
}

/** `POST` on one of these pages: removes one, and of notifications marks as read, opens, or does it to all. */
export async function changeMine(visit: Visit, name: MineName): Promise<Answer> {
  ownId(visit)
  const m = modelNamed(Lists[name].model)
  const data = await readForm(visit)
  const idIn = (action: string) => {
    const [text] = data.all(action)
    return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }
  const back = (text: string) => leadTo(visit, accountHref(visit, name), text)
  const remove = idIn('remove')
  if (remove !== undefined) {
    demandOwn(visit, m, remove)
    demand(visit, 'delete', m)
    await deleteOne(visit, m, remove, {})
    return back(name === 'notifications' ? '' : 'Removed.')
  }
  if (name !== 'notifications') return back('')
  const [all] = data.all('all')
  if (all) return back(await changeAll(visit, m, all === 'dismiss'))
  const id = idIn('open') ?? idIn('read')
  if (id === undefined) return back('')
  const row = demandOwn(visit, m, id)
  demand(visit, 'change', m)
  if (!row.read) await updateOne(visit, m, id, { read: now() }, null)
  return idIn('open') === undefined
    ? back('')
    : leadTo(visit, hrefOf(visit, row.object?.url) ?? accountHref(visit, name))
}

/** The most notifications that are read or dismissed at once. */
const MaxAtOnce = 1000

async function changeAll(visit: Visit, m: AnyModel, isDismissed: boolean): Promise<string> {
  demand(visit, isDismissed ? 'delete' : 'change', m)
  const { ids, count } = ownPage(visit, m, MaxAtOnce, 0, !isDismissed)
  if (isDismissed)
    await deleteMany(
      visit,
      m,
      ids.map((id) => ({ id })),
    )
  else {
    const read = now()
    await changeMany(
      visit,
      m,
      ids.map((id) => ({ id, read })),
    )
  }
  const left = (count ?? 0) - ids.length
  return left > 0 ? `${ids.length} done; ${left} are left.` : ''
}

/** An own row. Throws `ApiError` 404 for others and for what is not there. */
function demandOwn(visit: Visit, m: AnyModel, id: number): Mine {
  demand(visit, 'view', m)
  const isOwn = visit.store.rows.has(m, { id, user_id: ownId(visit) })
  if (!isOwn || visit.store.reader.mayOn(visit.actor, 'view', m, id) !== true) throw new NoSuchObject(m, id)
  return JSON.parse(visit.store.reader.one(m, id, {}, visit.config.basePath)!) as Mine
}
