import { html } from 'hono/html'
import { forbidden } from '../../http/request.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { AccountError, setSuperuser } from '../../services/accounts.ts'
import { Actors } from '../../store/actors.ts'
import { permissionsHtml } from '../account/profile.ts'
import type { Html } from '../cells.ts'
import { csrf, leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import type { SpecialTab } from './part.ts'

/** Whether the viewer may view any permission: these are told together, with their constraints. */
const maySee = ({ actor, store }: Visit, row: Row): boolean =>
  row.id === actor.userId || !store.reader.asksOfRows(actor, 'view', modelNamed('users.objectpermission'))

function shown(visit: Visit, row: Row, problem = ''): Html {
  const actor = new Actors(visit.store).of(row.id, true)
  const isSuperuser = visit.store.rows.has('users.user', { id: row.id, is_superuser: 1 })
  const button =
    visit.actor.superuser && visit.actor.writes
      ? html`<form method="post">${csrf(visit)}
<p class="submit"><button name="superuser" value="${String(!isSuperuser)}"${
          isSuperuser ? html` class="danger"` : ''
        }>${isSuperuser ? 'Make a user like others' : 'Make a superuser'}</button></p></form>`
      : ''
  return html`${
    problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''
  }<section class="panel"><h2>Superuser</h2><p>${
    isSuperuser
      ? 'Yes: this user may do everything, and no permission counts.'
      : 'No: what this user may do stands below.'
  }</p>${button}</section>${
    actor
      ? isSuperuser
        ? ''
        : maySee(visit, row)
          ? permissionsHtml(actor)
          : html`<p class="message odd"
          role="status">You may not view all permissions, so those of this user are not told here.</p>`
      : html`<p class="message odd" role="status">This user is not active, and can do nothing.</p>`
  }`
}

/**
 * `/users/users/3/access/`: all that a user may do, by their own permissions, their groups' and those that everybody
 * has.
 */
export const userAccess: SpecialTab = {
  label: 'Access',
  model: 'users.objectpermission',
  body: (visit, _m, row) => shown(visit, row),
  post: async (visit, m, row, data) => {
    if (!visit.actor.superuser || !visit.actor.writes) throw forbidden('Only a superuser can do this.')
    const isWanted = data.all('superuser')[0] === 'true'
    try {
      setSuperuser(visit.store, String(row.username), isWanted)
    } catch (error) {
      if (!(error instanceof AccountError)) throw error
      return { again: shown(visit, row, `${error.message}.`), status: 409 }
    }
    return leadTo(
      visit,
      objectHref(visit, m, row.id, 'access'),
      isWanted ? `${row.username} is a superuser now.` : `${row.username} is a user like others now.`,
    )
  },
}
