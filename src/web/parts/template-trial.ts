import { demandRefusal } from '../refusal.ts'
import { html } from 'hono/html'
import { exportText, relatedFor } from '../../http/export.ts'
import { conditionOf } from '../../http/lists.ts'
import type { AnyModel } from '../../declare/model.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed, models } from '../../engine/catalog.ts'
import type { Row as Stored } from '../../fields/field.ts'
import { addRelated, namesIn } from '../../rules/template-objects.ts'
import { checkEnvironment, renderTemplate } from '../../rules/templates.ts'
import type { Html } from '../cells.ts'
import { controlHtml } from '../controls.ts'
import type { Filled } from '../form-page.ts'
import type { FormData } from '../form-data.ts'
import { listHref, objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, titleOf } from '../words.ts'
import type { SpecialForm } from './forms.ts'
import type { SpecialTab } from './part.ts'

/** So many objects of each kind, of so many kinds, are made into text by trying; so many letters of it are shown. */
const Max = { rows: 10, kinds: 5, letters: 20_000 }

/** What a template makes, or why it makes nothing. */
async function outcome(title: Html, make: () => Promise<string>): Promise<Html> {
  try {
    const text = await make()
    const rest = text.length - Max.letters
    return html`<section class="panel"><h2>${title}</h2>
<pre class="code" tabindex="0"><code>${text.slice(0, Max.letters)}</code></pre>${
      rest > 0 ? html`<p class="help">… and ${rest.toLocaleString('en')} more letters.</p>` : ''
    }</section>`
  } catch (error) {
    demandRefusal(error)
    const { detail } = (error.body ?? {}) as { detail?: string }
    return html`<section class="panel"><h2>${title}</h2><p class="message bad"
      role="alert">${detail ?? error.message}</p></section>`
  }
}

/** What an export template makes of the first objects of some kinds. */
async function exportTrial(visit: Visit, template: Stored, types: readonly string[]): Promise<Html> {
  const kinds = types.slice(0, Max.kinds).flatMap((type) => models[type] ?? [])
  if (kinds.length === 0) return html`<p class="message odd" role="status">Choose kinds of objects first.</p>`
  const made: Html[] = []
  for (const m of kinds) {
    const name = html`<a href="${listHref(visit, m)}">${pluralOf(m)}</a>`
    if (!may(visit.actor, 'view', m)) {
      made.push(html`<section class="panel"><h2>${name}</h2><p class="empty">You may not view these.</p></section>`)
      continue
    }
    const condition = conditionOf(visit, m, new URLSearchParams())
    const { ids, count } = visit.store.reader.page(m, condition, undefined, Max.rows, 0)
    const title = html`${name} <small>${ids.length} of ${(count ?? 0).toLocaleString('en')}</small>`
    made.push(await outcome(title, () => exportText(visit, m, template, ids)))
  }
  return html`${made}`
}

/** `/extras/export-templates/3/trial/`. */
export const exportTemplateTrial: SpecialTab = {
  label: 'Try out',
  body: (visit, m, row) =>
    exportTrial(visit, visit.store.rows.row(m, row.id)!, (row.object_types ?? []) as readonly string[]),
}

/** A template as a form has it, which need not be saved; or what is wrong with it. */
function typedTemplate(data: FormData): { template: Stored } | { problem: string } {
  const of = (name: string) => data.all(name)[0] ?? ''
  try {
    const params: unknown = of('environment_params').trim() ? JSON.parse(of('environment_params')) : null
    const problem = params === null ? undefined : checkEnvironment(params)
    if (problem) return { problem }
    const name = of('name') || 'without a name'
    const template_code = of('template_code')
    return {
      template: { name, template_code, debug: 1, environment_params: params === null ? null : JSON.stringify(params) },
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { problem: `The environment parameters are no JSON: ${error.message}` }
  }
}

/** The form of a template with a part to try it out in before it is saved. */
const withTrial = (
  asked: (visit: Visit, filled: Filled) => Html | '',
  trial: (visit: Visit, template: Stored, data: FormData) => Promise<Html>,
): SpecialForm => ({
  groups: (visit, groups) =>
    groups.map((group) =>
      group.fields.some(({ name }) => name === 'template_code')
        ? {
            ...group,
            after: (filled: Filled) =>
              html`<fieldset><legend>Try out</legend>${asked(visit, filled)}
<p class="submit"><button name="_redraw" value="1"
  formnovalidate>Try out</button> <span class="help">Nothing is saved by trying.</span></p>
${filled.tried ?? ''}</fieldset>`,
          }
        : group,
    ),
  tried: async (visit, data) => {
    const typed = typedTemplate(data)
    return 'problem' in typed
      ? html`<p class="message bad" role="alert">${typed.problem}</p>`
      : html`<div role="status">${await trial(visit, typed.template, data)}</div>`
  },
})

/** The form of an export template, tried out on the first objects of its kinds. */
export const exportTemplateForm = withTrial(
  () => '',
  (visit, template, data) => exportTrial(visit, template, data.all('object_types').filter(Boolean)),
)

/** What a config template may be rendered for, by the name that it has in templates. */
const Rendered: readonly (readonly [model: string, as: string])[] = [
  ['dcim.device', 'device'],
  ['virtualization.virtualmachine', 'virtualmachine'],
]

/** The form of a config template, tried out on a device or virtual machine. */
export const configTemplateForm = withTrial(
  (visit, { given }) =>
    html`${Rendered.map(([name, as]) => [modelNamed(name), as] as const)
      .filter(([m]) => may(visit.actor, 'view', m))
      .map(([m, as]) => {
        const values = (given?.(`_${as}`) ?? []).filter((value) => isRendered(visit, m, value))
        return html`<div class="field"><label for="f-_${as}">${titleOf(m)}</label>${controlHtml(
          visit,
          { as: 'pick', model: m.name },
          { name: `_${as}`, values },
        )}</div>`
      })}`,
  async (visit, template, data) => {
    for (const [name, as] of Rendered) {
      const m = modelNamed(name)
      const id = data.all(`_${as}`).findLast(Boolean)
      if (!id) continue
      if (!isRendered(visit, m, id))
        return html`<p class="message bad" role="alert">You may not render the configuration of this object.</p>`
      const object = JSON.parse(visit.store.reader.one(m, Number(id), {}, visit.base)!) as Row & {
        config_context: object | null
      }
      const title = html`For <a href="${objectHref(visit, m, object.id)}">${object.display}</a>`
      return outcome(title, () => {
        addRelated(relatedFor(visit), m, [object as never], namesIn(String(template.template_code)))
        const context = JSON.stringify({ ...object.config_context, [as]: object })
        return renderTemplate(template, context, [as], visit.actor.userId)
      })
    }
    return html`<p class="message odd">Choose a device or a virtual machine first.</p>`
  },
)

const isRendered = (visit: Visit, m: AnyModel, id: string): boolean =>
  /^\d{1,15}$/.test(id) &&
  ['view', 'render_config'].every((action) => visit.store.reader.mayOn(visit.actor, action, m, Number(id)) === true)
