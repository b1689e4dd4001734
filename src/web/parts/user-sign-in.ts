import { html } from 'hono/html'
import { forbidden } from '../../http/request.ts'
import { now } from '../../lib/datetime.ts'
import { endSessionsOf, sessionsTable } from '../account/sessions.ts'
import { logWarning } from '../../lib/log.ts'
import { transact } from '../../http/resource.ts'
import { secondFactorOf, turnOff } from '../../services/second-factor.ts'
import { type Html, moment, Nothing } from '../cells.ts'
import { csrf, leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import type { SpecialTab } from './part.ts'
import { actionsHead, plainTable } from '../plain-table.ts'

/** Of another user no session is the one that asks. */
const None = ''

function sessions(visit: Visit, row: Row): Html {
  const { count, table } = sessionsTable(visit, row.id, None)
  return html`<section class="panel"><h2>Sessions <small>${count}</small></h2>${
    count
      ? html`<form method="post">${csrf(visit)}${table}
<p class="submit"><button class="danger" name="id" value="others">End all</button></p></form>`
      : html`<p class="empty">This user is not logged in in any browser.</p>`
  }</section>`
}

function factor(visit: Visit, row: Row): Html {
  const found = secondFactorOf(visit.store, row.id)
  return html`<section class="panel"><h2>Second factor</h2>${
    found
      ? html`<p>Since ${moment(found.since)}; ${String(found.codes)} recovery ${
          found.codes === 1 ? 'code is' : 'codes are'
        } left.</p><form method="post">${csrf(visit)}
<p class="submit"><button class="danger" name="factor" value="off">Take it off</button></p></form>`
      : html`<p class="empty">None: a password is enough.</p>`
  }</section>`
}

function identities(visit: Visit, row: Row): Html | '' {
  const found = visit.store.rows.rows('users.identity', { user_id: row.id }, { order: ['issuer', 'subject'] })
  if (!found.length) return ''
  const lines = found.map(({ id, issuer, subject, last_used: used }) => {
    const where = issuer || 'the proxy in front of this server'
    const end = html`<button name="identity" value="${id}" aria-label="Disconnect ${subject}">Disconnect</button>`
    const cells = [where, used ? moment(used) : Nothing, end].map((each) => html`<td>${each}</td>`)
    return html`<tr><th scope="row">${subject}</th>${cells}</tr>`
  })
  const heads = ['Name there', 'Where', 'Last told of (UTC)', actionsHead]
  const table = plainTable('Accounts elsewhere', heads, lines, { isFocusable: true })
  return html`<section class="panel"><h2>Signs on as</h2><form method="post">${csrf(visit)}${table}</form></section>`
}

/** `/users/users/3/sign-in/`: for superusers, how a user logs in and where they are. */
export const userSignIn: SpecialTab = {
  label: 'Sign-in',
  model: 'users.session', // which no permission gives
  count: (visit, _m, row) =>
    visit.store.rows.rows('users.session', { user_id: row.id, expires: { from: now() } }).length,
  body: (visit, _m, row) => html`${sessions(visit, row)}${factor(visit, row)}${identities(visit, row)}`,
  post: async (visit, m, row, data) => {
    if (!visit.actor.superuser || !visit.actor.writes) throw forbidden('Only a superuser can do this.')
    const here = objectHref(visit, m, row.id, 'sign-in')
    if (data.all('factor')[0] === 'off') {
      const isGone = await turnOff(visit.store, row.id, visit)
      if (!isGone) return leadTo(visit, here, 'There is no second factor any more.', 'bad')
      logWarning(visit.config, 'second factor taken off', { user: row.username, by: visit.actor.username })
      return leadTo(visit, here, `${row.username} logs in with a password alone now.`)
    }
    const identity = data.all('identity')[0] ?? ''
    if (/^\d{1,15}$/.test(identity)) {
      const gone = await transact(visit, () =>
        visit.store.rows.drop('users.identity', { id: Number(identity), user_id: row.id }),
      )
      return leadTo(visit, here, gone ? 'They are not connected any more.' : 'They were not connected.')
    }
    const [message, tone] = await endSessionsOf(visit, row.id, None, data.all('id')[0] ?? '')
    return leadTo(visit, here, message, tone)
  },
}
