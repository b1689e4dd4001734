import { html } from 'hono/html'
import { ownPage } from '../../http/own-objects.ts'
import { type Answer, ApiError } from '../../http/request.ts'
import { createOne, deleteOne, demand, updateOne } from '../../http/resource.ts'
import { may } from '../../engine/actor.ts'
import { Refused } from '../../declare/behaviour.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { Html } from '../cells.ts'
import { addObject } from '../form.ts'
import { fieldHtml } from '../form-page.ts'
import { errorsOf, refusal } from '../form-errors.ts'
import { csrf, icon, leadTo, page } from '../frame.ts'
import { type FormData, readForm } from '../form-data.ts'
import { bodyOf, type FormField, formGroups } from '../form-fields.ts'
import { listHref } from '../links.ts'
import { columnsBy, type Row, rowsOf, table } from '../table.ts'
import { NoSuchObject } from '../no-such-object.ts'
import type { Visit } from '../visit.ts'
import { accountHref, accountPage, ownId } from './account.ts'

const token = () => modelNamed('users.token')
const Columns = ['display', 'version', 'description', 'enabled', 'write_enabled', 'expires', 'last_used', 'allowed_ips']
const Fields = ['description', 'write_enabled', 'expires', 'allowed_ips', 'enabled']
/** So many tokens are listed. */
const MaxTokens = 200

/** `/user/api-tokens/`. */
export function tokensPage(visit: Visit): Answer {
  ownId(visit)
  const m = token()
  demand(visit, 'view', m)
  const { ids, count } = ownPage(visit, m, MaxTokens)
  const columns = columnsBy(m, Columns)
  const href = accountHref(visit, 'api-tokens')
  return accountPage(
    visit,
    'api-tokens',
    html`<p>A token lets a script do what you may do. Its secret is shown once, when it is made.</p>${
      ids.length
        ? table(visit, m, columns, rowsOf(visit, m, ids, columns), {
            caption: 'My tokens',
            href: ({ id }) => `${href}${id}/`,
            actions: ({ id, display }) => html`<a href="${href}${id}/" aria-label="Change or revoke ${display}">✎</a>`,
          })
        : html`<p class="empty">You have no tokens.</p>`
    }${(count ?? 0) > ids.length ? html`<p>These are the latest ${ids.length} of ${count}.</p>` : ''}`,
    {
      actions: may(visit.actor, 'add', m)
        ? html`<a class="button primary" href="${href}add/">${icon(visit, 'add')}Make a token</a>`
        : '',
    },
  )
}

/** `/user/api-tokens/add/`. */
export function tokenForm(visit: Visit): Answer {
  ownId(visit)
  demand(visit, 'add', token())
  const defaults = { write_enabled: true, enabled: true } as unknown as Row
  return form(visit, undefined, (field) => field.texts(defaults), {})
}

/** `POST /user/api-tokens/add/`: makes a token and shows its secret. */
export async function makeToken(visit: Visit): Promise<Answer> {
  const user = ownId(visit)
  demand(visit, 'add', token())
  return written(visit, undefined, async (body, data) => {
    const version = data.all('version')[0] === '1' ? 1 : 2
    const made = JSON.parse(String((await createOne(visit, token(), { ...body, version, user })).body)) as Made
    return tokenMade(visit, made, accountHref(visit, 'api-tokens'))
  })
}

/** `POST /users/tokens/add/`: an administrator makes a token for somebody, and sees its secret. */
export const addToken = (visit: Visit): Promise<Answer> =>
  addObject(visit, token(), (made) => tokenMade(visit, made as unknown as Made, listHref(visit, token())))

/** `/user/api-tokens/3/`: a token to be changed or revoked. */
export function tokenPage(visit: Visit, id: number): Answer {
  const row = ownToken(visit, id)
  return form(visit, row, (field) => field.texts(row), {})
}

/** `POST /user/api-tokens/3/`: changes it, or revokes it where the button says so. */
export async function changeToken(visit: Visit, id: number): Promise<Answer> {
  const row = ownToken(visit, id)
  const href = accountHref(visit, 'api-tokens')
  return written(visit, row, async (body, data) => {
    if (data.all('_revoke').length) {
      demand(visit, 'delete', token())
      await deleteOne(visit, token(), id, {})
      return leadTo(visit, href, 'The token is revoked: it opens nothing any more.')
    }
    demand(visit, 'change', token())
    await updateOne(visit, token(), id, body, null)
    return leadTo(visit, href, 'The token was changed.')
  })
}

function ownToken(visit: Visit, id: number): Row {
  const user = ownId(visit)
  const m = token()
  demand(visit, 'view', m)
  const isOwn = visit.store.rows.has('users.token', { id, user_id: user })
  if (!isOwn || visit.store.reader.mayOn(visit.actor, 'view', m, id) !== true) throw new NoSuchObject(m, id)
  return JSON.parse(visit.store.reader.one(m, id, {}, visit.config.basePath)!) as Row
}

async function written(
  visit: Visit,
  row: Row | undefined,
  write: (body: Record<string, unknown>, data: FormData) => Promise<Answer>,
): Promise<Answer> {
  const data = await readForm(visit)
  const { body, errors } = bodyOf(formGroups(visit, token(), Fields), data, row === undefined, row)
  const texts = (field: FormField) => data.all(field.name)
  if (Object.keys(errors).length && !data.all('_revoke').length) return form(visit, row, texts, errors, 400)
  try {
    return await write(body, data)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Refused) || error.status !== 400) throw error
    return form(visit, row, texts, errorsOf(error.body), 400)
  }
}

function form(
  visit: Visit,
  row: Row | undefined,
  texts: (field: FormField) => readonly string[],
  errors: Readonly<Record<string, unknown>>,
  status = 200,
): Answer {
  const byName = new Map(
    formGroups(visit, token(), Fields).flatMap(({ fields }) => fields.map((field) => [field.name, field] as const)),
  )
  const fields = Fields.flatMap((name) => byName.get(name) ?? []).map((field) => ({
    ...field,
    help: Helps[field.name],
  }))
  return accountPage(
    visit,
    'api-tokens',
    html`${refusal(fields, { texts, errors })}
<form class="form" method="post">${csrf(visit)}
<fieldset><legend>Token</legend>${fields.map((field) => fieldHtml(visit, field, { texts, errors }))}${
      row
        ? ''
        : html`<div class="field"><label for="f-version">Version</label><select id="f-version" name="version"
          aria-describedby="h-version"><option value="2">2</option><option value="1">1</option></select>
<p class="help"
  id="h-version">Of version 2 the server keeps a digest only. Version 1 is for clients that know no other.</p></div>`
    }</fieldset><p class="submit"><button class="primary">${row ? 'Save' : 'Make it'}</button>${
      row
        ? html`<button class="danger" name="_revoke" value="1" formnovalidate>${icon(visit, 'delete')}Revoke</button>`
        : ''
    }<a class="button" href="${accountHref(visit, 'api-tokens')}">Cancel</a></p></form>`,
    { status, title: row ? `Token ${row.display}` : 'Make a token' },
  )
}

const Helps: Readonly<Record<string, string>> = {
  description: 'What it is for: you will be glad of it later.',
  write_enabled: 'Without it the token reads only.',
  expires: 'In UTC. Empty: never.',
  allowed_ips: 'Addresses and networks from which it may be used, with commas between. Empty: from anywhere.',
}

/** What making a token answers. */
interface Made {
  id: number
  version: number
  key: string | null
  token: string | null
}

/** The page after a token was made: its secret with examples of its use, this once. */
function tokenMade(visit: Visit, made: Made, back: string): Answer {
  const whole = made.version === 1 ? made.token! : `nbt_${made.key}.${made.token}`
  const header = `Authorization: ${made.version === 1 ? 'Token' : 'Bearer'} ${whole}`
  const curl = `curl -H "${header}" \\\n  -H "Accept: application/json" \\\n  ${visit.base}/api/dcim/sites/`
  const python = [
    'import pynetbox',
    `nb = pynetbox.api("${visit.base}", token="${whole}")`,
    'print(list(nb.dcim.sites.all()))',
  ].join('\n')
  return page(visit, {
    status: 201,
    title: 'The token is made',
    crumbs: [[back, 'Tokens']],
    headers: { 'cache-control': 'no-store' },
    body: html`<p class="message odd" role="status">This is shown once. Keep it where you keep passwords.</p>
<section class="panel">${copied(visit, 'Token', whole)}${copied(visit, 'Header', header)}</section>
<section class="panel"><h2>Examples</h2>${copied(visit, 'curl', curl)}${copied(visit, 'Python (pynetbox)', python)}
</section>
<p><a class="button primary" href="${back}">Done</a></p>`,
  })
}

/** A text with a button that copies it; without scripts it can be selected. */
export function copied(visit: Visit, label: string, text: string): Html {
  const id = `copy-${label.toLowerCase().replace(/\W+/g, '-')}`
  return html`<div class="copied"><h3>${label}</h3><pre class="code" id="${id}" tabindex="0">${text}</pre>
<button type="button" data-copy="${id}"
  hidden>${icon(visit, 'copy')}Copy<span class="unseen"> ${label}</span></button></div>`
}
