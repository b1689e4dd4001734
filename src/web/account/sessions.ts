import { html } from 'hono/html'
import type { Answer } from '../../http/request.ts'
import { transact } from '../../http/resource.ts'
import { type Html, moment, Nothing } from '../cells.ts'
import { csrf, leadTo } from '../frame.ts'
import { readForm } from '../form-data.ts'
import type { Visit } from '../visit.ts'
import { now } from '../../lib/datetime.ts'
import { accountHref, accountPage, ownId } from './account.ts'
import { agentWords } from './agents.ts'
import { actionsHead, plainTable } from '../plain-table.ts'

/**
 * The sessions of a user that go on, as the table of a form that ends them; `session` is the digest of the one that
 * asks.
 */
export function sessionsTable(visit: Visit, userId: number, session: string): { count: number; table: Html } {
  const rows = visit.store.rows.rows(
    'users.session',
    { user_id: userId, expires: { from: now() } },
    { order: ['expires'] },
  )
  const lines = rows.reverse().map(({ id, created, last_used: used, address, expires, digest, agent, by_provider }) => {
    const isThis = digest === session
    return html`<tr><th scope="row">${isThis ? 'This one' : `Session ${id}`}</th><td>${
      agent ? agentWords(agent) : Nothing
    }</td><td>${address || Nothing}</td><td>${created ? moment(created) : Nothing}${
      by_provider ? html` <small>by ${visit.config.oidcName}</small>` : ''
    }</td><td>${used ? moment(used) : Nothing}</td><td>${moment(expires)}</td><td>${
      isThis ? '' : html`<button name="id" value="${id}" aria-label="End session ${id}">End</button>`
    }</td></tr>`
  })
  return {
    count: rows.length,
    table: plainTable(
      'Sessions',
      ['Session', 'Browser', 'From', 'Began (UTC)', 'Last used', 'Ends', actionsHead],
      lines,
      { isFocusable: true },
    ),
  }
}

/**
 * Ends sessions of a user by what a form sent, `others` or an id, but for the one that asks. Answers what to say, and
 * whether it is good.
 */
export async function endSessionsOf(
  visit: Visit,
  user_id: number,
  session: string,
  which: string,
): Promise<readonly [message: string, tone: 'good' | 'bad']> {
  const others = { user_id, digest: { not: session } }
  const gone = await transact(visit, () =>
    which === 'others'
      ? visit.store.rows.drop('users.session', others)
      : /^\d{1,15}$/.test(which)
        ? visit.store.rows.drop('users.session', { ...others, id: Number(which) })
        : 0,
  )
  if (gone === 0) return ['There is no such session any more.', 'bad']
  return [gone === 1 ? 'The session has ended.' : `${gone} sessions have ended.`, 'good']
}

/** `/user/sessions/`: where the user is logged in; `session` is the digest of this one. */
export function sessionsPage(visit: Visit, session: string): Answer {
  const { count, table } = sessionsTable(visit, ownId(visit), session)
  return accountPage(
    visit,
    'sessions',
    html`<section class="panel"><p>You are logged in ${
      count === 1 ? 'here only' : `in ${count} browsers`
    }. A session that you do not know: end it, and change your password.</p>
<form method="post">${csrf(visit)}${table}
${
  count > 1 ? html`<p class="submit"><button class="danger" name="id" value="others">End all others</button></p>` : ''
}</form></section>`,
  )
}

/** `POST /user/sessions/`: ends one of the own sessions, or all but this one. */
export async function endSessions(visit: Visit, session: string): Promise<Answer> {
  const which = (await readForm(visit)).all('id')[0] ?? ''
  const [message, tone] = await endSessionsOf(visit, ownId(visit), session, which)
  return leadTo(visit, accountHref(visit, 'sessions'), message, tone)
}
