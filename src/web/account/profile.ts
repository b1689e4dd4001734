import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import type { Answer } from '../../http/request.ts'
import { type Actor, may } from '../../engine/actor.ts'
import { modelNamed, models } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { cell, type Html, moment, Nothing } from '../cells.ts'
import { listHref } from '../links.ts'
import { columnsBy, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { pluralOf } from '../words.ts'
import { accountHref, accountPage, ownId } from './account.ts'
import { plainTable } from '../plain-table.ts'

/** So many of the own changes are shown. */
const MaxChanges = 15

/** `/user/profile/`: who one is here, what one may do, and what one did. */
export function profilePage(visit: Visit): Answer {
  const id = ownId(visit)
  const user = JSON.parse(visit.store.reader.one(modelNamed('users.user'), id, {}, visit.config.basePath)!) as Record<
    string,
    string | null
  > & { groups: { display: string }[] }
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  const groups = user.groups.map(({ display }) => display)
  const line = (label: string, value: unknown) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  return accountPage(
    visit,
    'profile',
    html`<div class="columns"><section class="panel"><h2>About</h2><dl>
${line('Username', user.username)}${line('Name', name || Nothing)}${line('Email address', cell(visit, user.email))}
${line(
  'Account made',
  user.date_joined ? moment(user.date_joined) : Nothing,
)}${line('Last login', user.last_login ? moment(user.last_login) : Nothing)}
${line('Groups', groups.length ? groups.join(', ') : 'none')}${
  visit.actor.superuser ? line('Superuser', 'Yes: may do everything') : ''
}</dl></section>
<section class="panel"><h2>API</h2>
<p>Scripts log in with a token of yours: <a href="${accountHref(visit, 'api-tokens')}">API tokens</a>.</p></section>
</div>
${visit.actor.superuser ? '' : permissionsHtml(visit.actor)}${activity(visit, id)}`,
  )
}

const Standard = ['view', 'add', 'change', 'delete']

/** What somebody may do, model by model. */
export function permissionsHtml(actor: Actor): Html {
  const byModel = new Map<AnyModel, Map<string, readonly unknown[]>>()
  for (const [grant, constraints] of actor.grants) {
    const [, app, action, name] = /^([^.]+)\.(.+)_([^_]+)$/.exec(grant) ?? []
    const m = models[`${app}.${name}`]
    if (!m || !action) continue
    const actions = byModel.get(m) ?? new Map<string, readonly unknown[]>()
    byModel.set(m, actions.set(action, constraints))
  }
  const rows = [...byModel].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
  const extent = (given: readonly unknown[] | undefined): Html => {
    if (!given) return Nothing
    const isAll = given.some((one) => one === null || (Array.isArray(one) && one.length === 0))
    if (isAll) return html`<span class="yes">all</span>`
    return html`<details class="inline"><summary>some</summary>
<pre class="code">${given.map((one) => JSON.stringify(one)).join('\nor\n')}</pre></details>`
  }
  const others = (actions: ReadonlyMap<string, unknown>) =>
    [...actions.keys()].filter((name) => !Standard.includes(name))
  const line = ([m, actions]: (typeof rows)[number]): Html =>
    html`<tr><th scope="row">${pluralOf(m)} <small>${m.app}</small></th>${Standard.map(
      (name) => html`<td>${extent(actions.get(name))}</td>`,
    )}<td>${others(actions).join(', ')}</td></tr>`
  return html`<section class="panel wide"><h2>Permissions <small>${rows.length}</small></h2>${
    rows.length
      ? plainTable('Permissions', ['Objects', ...Standard, 'other'], rows.map(line))
      : html`<p class="empty">None.</p>`
  }</section>`
}

function activity(visit: Visit, id: number): Html | '' {
  const m = modelNamed('core.objectchange')
  if (!may(visit.actor, 'view', m)) return ''
  const query = new URLSearchParams({ user_id: String(id) })
  const { ids, count } = visit.store.reader.page(m, conditionOf(visit, m, query), undefined, MaxChanges, 0)
  const columns = columnsBy(m, ['time', 'action', 'changed_object', 'message'])
  return html`<section class="panel wide"><h2>My latest changes <small>${count}</small></h2>${
    ids.length
      ? html`${table(visit, m, columns, rowsOf(visit, m, ids, columns))}
<p><a href="${listHref(visit, m)}?${query.toString()}">All of them</a></p>`
      : html`<p class="empty">None yet.</p>`
  }</section>`
}
