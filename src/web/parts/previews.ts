import { html } from 'hono/html'
import { relatedFor } from '../../http/export.ts'
import { conditionOf } from '../../http/lists.ts'
import { type CustomLink, renderLink } from '../../rules/custom-links.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed, models } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { type Html, isSafeLink } from '../cells.ts'
import { controlHtml } from '../controls.ts'
import { objectHref } from '../links.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, titleOf } from '../words.ts'
import type { SpecialTab } from './part.ts'
import { rendered } from './render-config.ts'
import { plainTable } from '../plain-table.ts'

/** So many objects of each kind are shown with the link that they get. */
const MaxSamples = 3
const MaxTypes = 10

/** `/extras/custom-links/3/preview/`: what the templates of a link make of the first objects of its kinds. */
export const linkPreview: SpecialTab = {
  label: 'Preview',
  body: async (visit, _m, row) => {
    const link = visit.store.rows.row('extras.customlink', row.id) as CustomLink | undefined
    const kinds = ((row.object_types ?? []) as string[]).slice(0, MaxTypes).flatMap((type) => models[type] ?? [])
    const lines: Html[] = []
    for (const m of kinds) lines.push(...(link ? await linksOf(visit, m, link) : []))
    return plainTable('What the templates make', ['Object', 'Text', 'Address'], lines, { isFocusable: true })
  },
}

async function linksOf(visit: Visit, m: AnyModel, link: CustomLink): Promise<Html[]> {
  const none = (text: string) => html`<tr><th scope="row">${pluralOf(m)}</th><td colspan="2">${text}</td></tr>`
  if (!may(visit.actor, 'view', m)) return [none('You may not view these.')]
  const condition = conditionOf(visit, m, new URLSearchParams())
  const { ids } = visit.store.reader.page(m, condition, undefined, MaxSamples, 0)
  if (ids.length === 0) return [none('There are none yet.')]
  const objects = visit.store.reader
    .rows(m, ids, {}, visit.base)
    .map((bytes) => JSON.parse(bytes.toString()) as { id: number; display: string })
  const made = await Promise.all(
    objects.map((object) => renderLink(relatedFor(visit), m, link, object as never, visit.actor.userId)),
  )
  return objects.map(({ id, display }, i) => {
    const shown = made[i]
    const name = html`<th scope="row"><a href="${objectHref(visit, m, id)}">${display}</a></th>`
    if (!shown) return html`<tr>${name}<td colspan="2">The text is empty: this object gets no link.</td></tr>`
    if (shown.error !== undefined)
      return html`<tr>${name}<td colspan="2"><span class="error">${shown.error}</span></td></tr>`
    return html`<tr>${name}<td>${shown.text}</td><td>${shown.url}${
      isSafeLink(shown.url) ? '' : html` <span class="error">This is no address.</span>`
    }</td></tr>`
  })
}

const Rendered = ['dcim.device', 'virtualization.virtualmachine']

/** `/extras/config-templates/3/render/`: what a template makes of a device or virtual machine that one chooses. */
export const templateTrial: SpecialTab = {
  label: 'Try on an object',
  body: async (visit, _m, row) => {
    const [name, id] = Rendered.flatMap((each) => {
      const given = visit.query.get(each.split('.')[1]!)
      return given && /^\d{1,15}$/.test(given) ? [[each, Number(given)] as const] : []
    })[0] ?? ['', 0]
    const pickers = Rendered.map(modelNamed).filter((m) => may(visit.actor, 'view', m))
    const form = html`<form class="toolbar" method="get">${pickers.map((m) => {
      const field = m.name.split('.')[1]!
      return html`<label for="f-${field}">${titleOf(m)}</label>${controlHtml(
        visit,
        { as: 'pick', model: m.name },
        { name: field, values: m.name === name ? [String(id)] : [] },
      )}`
    })}<button>Try</button></form>`
    if (!name)
      return html`${form}<p class="empty">Choose a device or a virtual machine: nothing is changed by trying.</p>`
    const m = modelNamed(name)
    if (visit.store.reader.mayOn(visit.actor, 'view', m, id) !== true)
      return html`${form}<p class="message bad" role="alert">There is no such object.</p>`
    const object = JSON.parse(visit.store.reader.one(m, id, {}, visit.config.basePath)!)
    const query = new URLSearchParams({ config_template_id: String(row.id) })
    const made = await rendered({ ...visit, query }, m, object)
    return html`${form}${
      'error' in made
        ? html`<p class="message bad" role="alert">${made.error}</p>`
        : html`<section class="panel"><h2>For <a href="${objectHref(visit, m, id)}">${object.display}</a></h2>
<pre class="code" tabindex="0"><code>${made.content}</code></pre></section>`
    }`
  },
}
