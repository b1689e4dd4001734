import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import { runAction } from '../http/actions.ts'
import { type Answer, ApiError, forbidden, noSuchPage } from '../http/request.ts'
import { createOne, deleteOne, demand } from '../http/resource.ts'
import { type Mark, markOf } from '../rules/marks.ts'
import { may } from '../engine/actor.ts'
import { Refused } from '../declare/behaviour.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { readForm } from './form-data.ts'
import { csrf, icon, leadTo } from './frame.ts'
import { objectHref } from './links.ts'
import { howMany, selectionOf } from './selection.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'

/** What a user may put on an object and take off again, by the last part of the address. */
const Toggles: Readonly<Record<string, { mark: Mark; feature: string; icon: string; on: string; off: string }>> = {
  bookmark: { mark: 'extras.bookmark', feature: 'bookmarks', icon: 'bookmark', on: 'Bookmark', off: 'Bookmarked' },
  subscribe: {
    mark: 'extras.subscription',
    feature: 'notifications',
    icon: 'bell',
    on: 'Subscribe',
    off: 'Subscribed',
  },
}

const isOffered = (visit: Visit, m: AnyModel, name: string): boolean => {
  const { feature, mark } = Toggles[name]!
  return (
    Boolean(m.features?.includes(feature)) &&
    visit.actor.userId !== null &&
    visit.actor.writes &&
    may(visit.actor, 'add', modelNamed(mark))
  )
}
/** Whether the user may have objects of a model filled from where their data come from. */
export const maySyncSome = (visit: Visit, m: AnyModel): boolean =>
  m.behaviour.actions?.sync?.post !== undefined && visit.actor.writes && may(visit.actor, 'sync', m)
const maySync = (visit: Visit, m: AnyModel, row: Row): boolean =>
  maySyncSome(visit, m) &&
  (!('data_file' in m.fields) || row.data_file !== null) &&
  visit.store.reader.mayOn(visit.actor, 'sync', m, row.id) === true

/** Buttons of an object by which a user marks it for themselves, and has it filled from where its data come from. */
export function ownActions(visit: Visit, m: AnyModel, row: Row): Html {
  const at = (name: string) => objectHref(visit, m, row.id, name)
  const toggles = Object.entries(Toggles).filter(([name]) => isOffered(visit, m, name))
  return html`${
    maySync(visit, m, row)
      ? html`<form method="post" action="${at('sync')}">${csrf(visit)}<button>${icon(
          visit,
          'down',
        )}Sync</button></form>`
      : ''
  }${toggles.map(([name, { mark, icon: drawing, on, off }]) => {
    const isOn = markOf(visit.store.db, mark, { type: m.name, id: row.id }, visit.actor.userId) !== undefined
    return html`<form method="post" action="${at(name)}">${csrf(visit)}<button class="toggle"
      aria-pressed="${String(isOn)}">${icon(visit, drawing)}${isOn ? off : on}</button></form>`
  })}`
}

/** `POST …/bookmark/`, `…/subscribe/`, `…/sync/`: does it, and comes back to the object. */
export async function ownAction(visit: Visit, m: AnyModel, id: number, name: string): Promise<Answer> {
  await readForm(visit)
  const object = objectHref(visit, m, id)
  if (visit.store.reader.mayOn(visit.actor, 'view', m, id) !== true) throw noSuchPage()
  if (name === 'sync') return synced(visit, m, id, object)
  if (!m.features?.includes(Toggles[name]!.feature)) throw noSuchPage()
  if (!isOffered(visit, m, name)) throw forbidden()
  const mark = modelNamed(Toggles[name]!.mark)
  const known = markOf(visit.store.db, Toggles[name]!.mark, { type: m.name, id }, visit.actor.userId)
  if (known === undefined)
    await createOne(visit, mark, { object_type: m.name, object_id: id, user: visit.actor.userId })
  else {
    demand(visit, 'delete', mark)
    await deleteOne(visit, mark, known, {})
  }
  return leadTo(visit, object)
}

async function synced(visit: Visit, m: AnyModel, id: number, object: string): Promise<Answer> {
  if (!m.behaviour.actions?.sync?.post) throw noSuchPage()
  try {
    await runAction(visit, m, id, { name: 'sync', method: 'POST', body: {} })
    return leadTo(visit, object, 'It is synchronised, or will be as soon as its turn has come.')
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Refused) || error.status !== 400) throw error
    return leadTo(visit, object, error.message, 'bad')
  }
}

/** `POST /extras/config-contexts/sync/`: has those chosen in a list filled that come from files, each by itself. */
export async function bulkSync(visit: Visit, m: AnyModel): Promise<Answer> {
  const data = await readForm(visit)
  if (!m.behaviour.actions?.sync?.post) throw noSuchPage()
  demand(visit, 'sync', m)
  const { ids, back } = selectionOf(visit, m, data, 'view')
  if (ids.length === 0) return leadTo(visit, back, `Choose some ${m.plural} first.`, 'bad')
  const isFiled = 'data_file' in m.fields
  const members = ['id', ...(isFiled ? ['data_file'] : [])]
  const rows = visit.store.reader.rows(m, ids, { members }, '').map((text) => JSON.parse(text) as Row)
  const filled = rows.filter(({ data_file }) => data_file !== null)
  const refusals = filled.length < ids.length ? ['Others come from no file.'] : []
  let done = 0
  for (const { id } of filled) {
    try {
      await runAction(visit, m, id, { name: 'sync', method: 'POST', body: {} })
      done++
    } catch (error) {
      demandRefusal(error)
      refusals.push(error.message)
    }
  }
  const what = `${howMany(m, done)} ${done === 1 ? 'is' : 'are'}`
  const said = `${what} synchronised, or will be as soon as their turn has come.`
  return leadTo(visit, back, [said, ...new Set(refusals)].join(' '), refusals.length ? 'bad' : 'good')
}
