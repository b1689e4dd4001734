import { html } from 'hono/html'
import { userByPassword } from '../../http/password.ts'
import { type Answer, ApiError } from '../../http/request.ts'
import { changePassword } from '../../services/accounts.ts'
import { weaknessOf } from '../../rules/passwords.ts'
import { csrf, leadTo } from '../frame.ts'
import { readForm } from '../form-data.ts'
import type { Visit } from '../visit.ts'
import { accountHref, accountPage, ownId } from './account.ts'

type Name = 'old' | 'new' | 'again'
/** Longer passwords are refused, as the API does. */
const MaxLength = 128
const Demanded = 'At least 12 characters, with a capital letter, a small one and a digit.'

/** `/user/password/`: the form to choose another password. */
export function passwordPage(visit: Visit, errors: Partial<Record<Name, string>> = {}, status = 200): Answer {
  ownId(visit)
  const field = (name: Name, label: string, help: string, complete: string) =>
    html`<div class="field${errors[name] ? ' wrong' : ''}"><label for="f-${name}">${label}</label><input id="f-${name}"
      name="${name}" type="password" required autocomplete="${complete}" maxlength="${MaxLength}"
      aria-describedby="h-${name}" ${errors[name] ? 'aria-invalid=true' : ''}>
${
  errors[name] ? html`<p class="error" role="alert">${errors[name]}</p>` : ''
}<p class="help" id="h-${name}">${help}</p></div>`
  return accountPage(
    visit,
    'password',
    html`<form class="form" method="post">${csrf(visit)}<input type="hidden" name="username"
      autocomplete="username" value="${visit.actor.username}"><fieldset><legend>Change the password</legend>
${field('old', 'Password now', '', 'current-password')}
${field('new', 'New password', Demanded, 'new-password')}
${field('again', 'New password again', '', 'new-password')}</fieldset>
<p>Your other sessions end; this one goes on. API tokens stay as they are.</p>
<p class="submit"><button class="primary">Change it</button></p></form>`,
    { status },
  )
}

/** `POST /user/password/`: asks for the old one, as often as the login lets one try. */
export async function setOwnPassword(visit: Visit, session: string): Promise<Answer> {
  const id = ownId(visit)
  const data = await readForm(visit)
  const [old = '', wanted = '', again = ''] = (['old', 'new', 'again'] as const).map((name) => data.all(name)[0] ?? '')
  const weakness =
    weaknessOf(wanted) ?? (wanted.length > MaxLength ? `A password has ${MaxLength} characters at most.` : undefined)
  if (weakness) return passwordPage(visit, { new: weakness }, 400)
  if (wanted !== again) return passwordPage(visit, { again: 'This is not the same as the one above.' }, 400)
  try {
    if ((await userByPassword(visit, visit.actor.username, old)) !== id)
      return passwordPage(visit, { old: 'This is not your password.' }, 403)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    return { ...passwordPage(visit, { old: error.message }, 429) }
  }
  await changePassword(visit.store, id, wanted, session)
  return leadTo(visit, accountHref(visit, 'password'), 'Your password was changed. Your other sessions have ended.')
}
