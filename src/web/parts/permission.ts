import { parseExact, stringifyExact } from '../../lib/exact-json.ts'
import { html, raw } from 'hono/html'
import { tryConstraints } from '../../http/constraint-trial.ts'
import { may } from '../../engine/actor.ts'
import { models } from '../../engine/catalog.ts'
import type { Html } from '../cells.ts'
import { controlHtml } from '../controls.ts'
import type { Filled } from '../form-page.ts'
import type { FormField, FormGroup } from '../form-fields.ts'
import { messageOf } from '../form-errors.ts'
import { hasPage, listHref, objectHref } from '../links.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, words } from '../words.ts'
import type { SpecialTab } from './part.ts'

const Standard = words('view add change delete')
/** So many kinds of objects are tried out at once. */
const MaxTypes = 30

/** What stands in actions, whether as boxes or as words with commas between. */
const actionsIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(',').map((part) => part.trim())).filter(Boolean)),
]

/**
 * The form of a permission: boxes for the actions that all models know, and constraints that can be tried out before
 * they hold.
 */
export function permissionForm(visit: Visit, groups: readonly FormGroup[]): FormGroup[] {
  return groups.map((group) => {
    const [only] = group.fields
    if (group.fields.length !== 1 || !only) return group
    if (only.name === 'actions') {
      const field: FormField = { ...only, read: (data) => ({ actions: actionsIn(data.all('actions')) }) }
      return { ...group, fields: [field], html: (filled) => actionsHtml(field, filled) }
    }
    return only.name === 'constraints' ? { ...group, html: (filled) => constraintsHtml(visit, only, filled) } : group
  })
}

function actionsHtml(field: FormField, { texts, errors }: Filled): Html {
  const given = actionsIn(texts(field))
  const others = given.filter((action) => !Standard.includes(action))
  const wrong = errors.actions
  return html`<fieldset><legend>Actions</legend>
<div class="field"><span class="term" id="l-actions">Allowed</span><span class="boxes" role="group"
  aria-labelledby="l-actions">${Standard.map(
    (action) =>
      html`<label><input type="checkbox" name="actions" value="${action}"${
        given.includes(action) ? raw(' checked') : ''
      }> ${action}</label>`,
  )}</span></div>
<div class="field${wrong ? ' wrong' : ''}"><label for="f-actions">Other actions</label><input id="f-actions"
  name="actions" value="${others.join(', ')}" aria-describedby="h-actions">${
    wrong ? html`<p class="error" role="alert">${messageOf(wrong)}</p>` : ''
  }<p class="help"
    id="h-actions">Words with commas between: sync (data sources), render (config templates), render_config (devices),
grant (tokens of others) …</p></div></fieldset>`
}

const Explained = html`<details class="help"><summary>How constraints are written</summary>
<p>Without constraints the permission holds for all objects of its kinds. A JSON object holds for those of which
<b>all</b> its conditions are true; a list of objects for those of which <b>any</b> is.</p>
<table><thead><tr><th scope="col">Constraint</th><th scope="col">Holds for</th></tr></thead><tbody>
<tr><td><code>{"status": "active"}</code></td><td>active ones</td></tr>
<tr><td><code>{"site__region__slug": "north"}</code></td><td>those at sites of that region: two underscores lead on</td>
</tr>
<tr><td><code>{"name__startswith": "edge-"}</code></td><td>names that begin so; also
<code>__in</code> with a list, <code>__gte</code>, <code>__isnull</code> …</td></tr>
<tr><td><code>[{"tenant__slug": "a"}, {"tenant": null}]</code></td><td>those of tenant a, and those of none</td></tr>
<tr><td><code>{"user": "$user"}</code></td><td>what belongs to whoever asks</td></tr></tbody></table>
<p>A constraint that names something that a kind of object does not have allows none of that kind.</p></details>`

function constraintsHtml(visit: Visit, field: FormField, filled: Filled): Html {
  const given = filled.given
  const isTried = given !== undefined && given('_redraw').length > 0
  const user = given?.('_user')[0] ?? ''
  const wrong = filled.errors.constraints
  return html`<fieldset><legend>Constraints</legend>
<div class="field tall${wrong ? ' wrong' : ''}"><label for="f-constraints">${field.label}</label><textarea
  id="f-constraints" name="constraints" rows="8" class="code" spellcheck="false"${
    wrong ? raw(' aria-invalid="true" aria-describedby="e-constraints"') : ''
  }>${filled.texts(field)[0] ?? ''}</textarea>${
    wrong ? html`<p class="error" id="e-constraints">${messageOf(wrong)}</p>` : ''
  }${Explained}</div>
<div class="field"><label for="f-_user">Try out for</label>${controlHtml(
    visit,
    { as: 'pick', model: 'users.user' },
    { name: '_user', values: user ? [user] : [] },
  )}<p class="help">Who stands for <code>$user</code>. Nothing is saved by trying.</p></div>
<p class="submit"><button name="_redraw" value="1" formnovalidate>Try out</button></p>${
    isTried ? results(visit, given('object_types').filter(Boolean), filled.texts(field)[0] ?? '', user) : ''
  }</fieldset>`
}

/** What constraints allow of each kind of object, as a table. */
function results(visit: Visit, types: readonly string[], text: string, user: string): Html {
  let constraints: unknown
  try {
    constraints = text.trim() ? parseExact(text) : null
  } catch (error) {
    return html`<p class="message bad" role="alert">This is no JSON: ${(error as Error).message}</p>`
  }
  if (types.length === 0) return html`<p class="message odd" role="status">Choose kinds of objects first.</p>`
  const userId = /^\d{1,15}$/.test(user) ? Number(user) : visit.actor.userId
  return html`<div class="scroll" role="status"><table><caption class="unseen">What these constraints allow</caption>
<thead><tr><th scope="col">Objects</th><th scope="col" class="number">Allowed</th><th scope="col">For example</th></tr>
</thead><tbody>${types
    .slice(0, MaxTypes)
    .map((type) => outcome(visit, type, constraints, userId))}</tbody></table></div>`
}

function outcome(visit: Visit, type: string, constraints: unknown, userId: number | null): Html {
  const m = models[type]
  if (!m) return html`<tr><th scope="row">${type}</th><td colspan="2">There is no such kind.</td></tr>`
  const head = html`<th scope="row"><a href="${listHref(visit, m)}">${pluralOf(m)}</a></th>`
  if (!may(visit.actor, 'view', m)) return html`<tr>${head}<td colspan="2">You may not view these yourself.</td></tr>`
  const trial = tryConstraints(visit, m, constraints, userId)
  if ('problem' in trial)
    return html`<tr>
${head}<td class="number">0</td><td><span class="error">These constraints allow none: ${trial.problem}.</span></td>
</tr>`
  const rows = visit.store.reader.rows(m, trial.ids, { members: ['id', 'display'] }, '')
  const names = rows.map((bytes) => JSON.parse(bytes.toString()) as { id: number; display: string })
  return html`<tr>
${head}<td class="number">${trial.count.toLocaleString('en')} of ${trial.all.toLocaleString('en')}</td><td>${names.map(
    ({ id, display }, i) =>
      html`${i ? ', ' : ''}${hasPage(m) ? html`<a href="${objectHref(visit, m, id)}">${display}</a>` : display}`,
  )}${trial.count > trial.ids.length ? ' …' : ''}</td></tr>`
}

interface Permission {
  object_types: string[]
  constraints: unknown
}

/** `/users/permissions/3/try/`: what a permission allows, for a user one chooses. */
export const tryPermission: SpecialTab = {
  label: 'Try out',
  body: (visit, _m, row) => {
    const { object_types: types, constraints } = row as unknown as Permission
    const user = visit.query.get('user') ?? ''
    return html`<form class="toolbar"
      method="get"><label for="f-user">Who stands for <code>$user</code></label>${controlHtml(
        visit,
        { as: 'pick', model: 'users.user' },
        { name: 'user', values: user ? [user] : [] },
      )}<button>Try out</button></form>
<section class="panel">${results(
      visit,
      types,
      constraints === null ? '' : stringifyExact(constraints),
      user,
    )}</section>`
  },
}
