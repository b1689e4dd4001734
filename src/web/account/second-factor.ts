import { html, raw } from 'hono/html'
import { isUserCode, userByPassword } from '../../http/password.ts'
import { type Answer, ApiError } from '../../http/request.ts'
import { seal, unseal } from '../../lib/sealed.ts'
import { newSecret, renewCodes, secondFactorOf, secretAddress, turnOff, turnOn } from '../../services/second-factor.ts'
import { type Html, moment } from '../cells.ts'
import { csrf, leadTo } from '../frame.ts'
import { readForm } from '../form-data.ts'
import { codePath } from '../label-sheet.ts'
import type { Visit } from '../visit.ts'
import { accountHref, accountPage, ownId } from './account.ts'
import { copied } from './tokens.ts'

type Errors = Partial<Record<'code' | 'password', string>>
/** Milliseconds in which a secret that is shown can be taken. */
const Shown = 1_800_000
const Purpose = 'second factor that is shown'

/**
 * `/user/second-factor/`: how to set a second factor up, or what there is of it; `secret`: one that was shown before.
 */
export function secondFactorPage(visit: Visit, errors: Errors = {}, status = 200, secret = newSecret()): Answer {
  const id = ownId(visit)
  const found = secondFactorOf(visit.store, id)
  const hasPassword = visit.store.rows.row('users.user', id)!.password !== ''
  const body = found
    ? standing(visit, found, errors)
    : hasPassword && visit.config.localLogin
      ? offered(visit, id, secret, errors)
      : html`<section class="panel">
<p>You do not log in with a password of this server: who says here who you are asks for a second factor, or does
not.</p></section>`
  return accountPage(visit, 'second-factor', body, { status, headers: { 'cache-control': 'no-store' } })
}

function offered(visit: Visit, id: number, secret: string, errors: Errors): Html {
  const { size, path } = codePath(secretAddress(visit.actor.username, secret), 3)
  const until = Date.now() + Shown
  const sealed = seal(visit.config.peppers, Purpose, `user ${id}`, JSON.stringify({ secret, until }))
  const groups = secret.match(/.{1,4}/g)!.join(' ')
  const kept = html`<input type="hidden" name="kept" value="${sealed}">`
  const user = html`<input type="hidden" name="username" autocomplete="username" value="${visit.actor.username}">`
  return html`<form class="form" method="post">${csrf(visit)}${kept}${user}
<fieldset><legend>Set up a second factor</legend>
<p>With it a password alone lets nobody in: a program on your phone shows another code every half minute, which is asked
for too.</p>
<ol class="steps"><li>Scan this with the program, or type the secret into it.
<svg class="qr" width="200" height="200" viewBox="0 0 ${size} ${size}" role="img"
  aria-label="QR code of the secret"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000"
    shape-rendering="crispEdges" d="${raw(path)}"/></svg>
<p class="help">Secret: <code>${groups}</code></p></li>
<li>Type the code that it shows, and your password.</li></ol>
${field('code', 'Code', '', errors)}${field('password', 'Password', '', errors)}</fieldset>
<p>Your other sessions end. API tokens go on, and are not asked for codes.</p>
<p class="submit"><button class="primary" name="do" value="on">Turn it on</button></p></form>`
}

function standing(visit: Visit, { since, codes }: { since: string; codes: number }, errors: Errors): Html {
  return html`<section class="panel">
<p>You have a second factor since ${moment(since)}. <strong>${String(codes)}</strong> recovery ${
    codes === 1 ? 'code is' : 'codes are'
  } left${codes < 3 ? ': make new ones soon' : ''}.</p></section>
<form class="form" method="post">${csrf(visit)}<input type="hidden" name="username"
  autocomplete="username" value="${visit.actor.username}"><fieldset><legend>Change it</legend>
${field('code', 'Code', 'Of your program, or a recovery code.', errors)}
${field('password', 'Password', '', errors)}</fieldset>
<p class="submit"><button class="primary" name="do" value="renew">New recovery codes</button><button class="danger"
  name="do" value="off">Turn it off</button></p></form>`
}

function field(name: 'code' | 'password', label: string, help: string, errors: Errors): Html {
  const error = errors[name]
  const more =
    name === 'code'
      ? raw(' autocomplete="one-time-code" maxlength="20" autocapitalize="none" spellcheck="false"')
      : raw(' type="password" autocomplete="current-password" maxlength="128"')
  return html`<div class="field${error ? ' wrong' : ''}"><label for="f-${name}">${label}</label><input id="f-${name}"
    name="${name}" required${more} aria-describedby="h-${name}" ${error ? 'aria-invalid=true' : ''}>
${error ? html`<p class="error" role="alert">${error}</p>` : ''}<p class="help" id="h-${name}">${help}</p></div>`
}

/**
 * `POST /user/second-factor/`: turns it on or off, or makes other recovery codes; each asks for the password and a
 * code.
 */
export async function changeSecondFactor(visit: Visit, session: string): Promise<Answer> {
  const id = ownId(visit)
  const data = await readForm(visit)
  const said = (name: string) => data.all(name)[0] ?? ''
  const wanted = said('do')
  const secret = wanted === 'on' ? keptSecret(visit, id, said('kept')) : undefined
  const again = (errors: Errors, status: number) => secondFactorPage(visit, errors, status, secret)
  if (wanted === 'on' && !secret) return again({ code: 'This took too long: scan the new one.' }, 400)
  try {
    if ((await userByPassword(visit, visit.actor.username, said('password'))) !== id)
      return again({ password: 'This is not your password.' }, 403)
    if (secret) {
      const codes = await turnOn(visit.store, id, { secret, code: said('code'), session }, visit)
      return codes ? codesPage(visit, codes) : again({ code: 'This is not the code that the program shows now.' }, 400)
    }
    if (!(await isUserCode(visit, id, said('code'))))
      return again({ code: 'This code is not right, or was used already.' }, 403)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    return { ...again({ code: error.message }, 429) }
  }
  if (wanted === 'renew') return codesPage(visit, await renewCodes(visit.store, id))
  await turnOff(visit.store, id, visit)
  return leadTo(visit, accountHref(visit, 'second-factor'), 'Your password alone logs you in now.')
}

function keptSecret({ config }: Visit, id: number, kept: string): string | undefined {
  const text = unseal(config.peppers, Purpose, `user ${id}`, kept)
  if (text === undefined) return undefined
  const { secret, until } = JSON.parse(text) as { secret: string; until: number }
  return until > Date.now() ? secret : undefined
}

const codesPage = (visit: Visit, codes: readonly string[]): Answer =>
  accountPage(
    visit,
    'second-factor',
    html`<p class="message odd"
      role="status">These are shown once. Keep them where you keep passwords, and not on the phone alone.</p>
<section class="panel"><p>Each of them stands for a code of your program, once: for when the phone is lost.</p>
${copied(visit, 'Recovery codes', codes.join('\n'))}</section>
<p><a class="button primary" href="${accountHref(visit, 'second-factor')}">Done</a></p>`,
    { title: 'Recovery codes', headers: { 'cache-control': 'no-store' } },
  )
