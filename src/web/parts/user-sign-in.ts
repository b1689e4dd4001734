import { html } from 'hono/html'
import { forbidden } from '../../http/request.ts'
import { now } from '../../lib/datetime.ts'
import { endSessionsOf, sessionsTable } from '../account/sessions.ts'
import type { Html } from '../cells.ts'
import { csrf, leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import type { SpecialTab } from './part.ts'

/** Of another user no session is the one that asks. */
const None = ''

function sessions(visit: Visit, row: Row): Html {
  const { count, table } = sessionsTable(visit, row.id, None)
  return html`<section class="panel"><h2>Sessions <small>${count}</small></h2>${
    count
      ? html`<form method="post">${csrf(visit)}${table}<p class="submit"><button class="danger" name="id" value="others">End all</button></p></form>`
      : html`<p class="empty">This user is not logged in in any browser.</p>`
  }</section>`
}

/** `/users/users/3/sign-in/`: for superusers, how a user logs in and where they are. */
export const userSignIn: SpecialTab = {
  label: 'Sign-in',
  model: 'users.session', // which no permission gives
  count: (visit, _m, row) =>
    visit.store.rows.rows('users.session', { user_id: row.id, expires: { from: now() } }).length,
  body: (visit, _m, row) => sessions(visit, row),
  post: async (visit, m, row, data) => {
    if (!visit.actor.superuser || !visit.actor.writes) throw forbidden('Only a superuser can do this.')
    const [message, tone] = await endSessionsOf(visit, row.id, None, data.all('id')[0] ?? '')
    return leadTo(visit, objectHref(visit, m, row.id, 'sign-in'), message, tone)
  },
}
