import { html } from 'hono/html'
import type { Answer } from '../../http/request.ts'
import { transact } from '../../http/resource.ts'
import { moment, Nothing } from '../cells.ts'
import { csrf, leadTo } from '../frame.ts'
import { readForm } from '../form-data.ts'
import type { Visit } from '../visit.ts'
import { now } from '../../lib/datetime.ts'
import { accountHref, accountPage, ownId } from './account.ts'

/** `/user/sessions/`: where the user is logged in; `session` is the digest of this one. */
export function sessionsPage(visit: Visit, session: string): Answer {
  const rows = visit.store.rows.rows(
    'users.session',
    { user_id: ownId(visit), expires: { from: now() } },
    { order: ['expires'] },
  )
  const lines = rows.reverse().map(({ id, created, last_used: used, address, expires, digest }) => {
    const isThis = digest === session
    return html`<tr><th scope="row">${isThis ? 'This one' : `Session ${id}`}</th><td>${created ? moment(created) : Nothing}</td><td>${used ? moment(used) : Nothing}</td><td>${address || Nothing}</td><td>${moment(expires)}</td><td>${
      isThis ? '' : html`<button name="id" value="${id}" aria-label="End session ${id}">End</button>`
    }</td></tr>`
  })
  return accountPage(
    visit,
    'sessions',
    html`<section class="panel"><p>You are logged in ${rows.length === 1 ? 'here only' : `in ${rows.length} browsers`}. A session that you do not know: end it, and change your password.</p>
<form method="post">${csrf(visit)}<div class="scroll"><table><thead><tr><th scope="col">Session</th><th scope="col">Began (UTC)</th><th scope="col">Last used</th><th scope="col">From</th><th scope="col">Ends</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead><tbody>${lines}</tbody></table></div>
${rows.length > 1 ? html`<p class="submit"><button class="danger" name="id" value="others">End all others</button></p>` : ''}</form></section>`,
  )
}

/** `POST /user/sessions/`: ends one of the own sessions, or all but this one. */
export async function endSessions(visit: Visit, session: string): Promise<Answer> {
  const user_id = ownId(visit)
  const which = (await readForm(visit)).all('id')[0] ?? ''
  const others = { user_id, digest: { not: session } }
  const gone = await transact(visit, () =>
    which === 'others'
      ? visit.store.rows.drop('users.session', others)
      : /^\d{1,15}$/.test(which)
        ? visit.store.rows.drop('users.session', { ...others, id: Number(which) })
        : 0,
  )
  return leadTo(
    visit,
    accountHref(visit, 'sessions'),
    gone === 0
      ? 'There is no such session any more.'
      : gone === 1
        ? 'The session has ended.'
        : `${gone} sessions have ended.`,
    gone ? 'good' : 'bad',
  )
}
