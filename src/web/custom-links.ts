import { html, raw } from 'hono/html'
import { relatedFor } from '../http/export.ts'
import { customLinksOf, type Linked, renderLink } from '../rules/custom-links.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { isSafeLink } from './cells.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'

/** Classes of buttons by the colours that a custom link may have. */
const Tones: Readonly<Record<string, string>> = { red: 'danger', blue: 'primary', primary: 'primary', danger: 'danger' }

/** Custom links of the model as buttons, grouped. */
export async function customLinks(call: Visit, m: AnyModel, row: Row): Promise<Html | ''> {
  const links = m.features?.includes('custom_links') ? customLinksOf(call.store.db, m.name) : []
  if (links.length === 0) return ''
  const object = call.store.reader.one(m, row.id, {}, call.base)
  if (!object) return ''
  const made = await Promise.all(
    links.map((link) => renderLink(relatedFor(call), m, link, JSON.parse(object.toString()), call.actor.userId)),
  )
  const drawn = made.flatMap((each) => (each ? [{ group: each.link.group_name, shown: button(each) }] : []))
  if (drawn.length === 0) return ''
  return html`<div class="custom-links">${[...Map.groupBy(drawn, ({ group }) => group)].map(([group, all]) =>
    group
      ? html`<details class="drop"><summary class="button">${group}</summary><ul>${all.map(
          ({ shown }) => html`<li>${shown}</li>`,
        )}</ul></details>`
      : all.map(({ shown }) => shown),
  )}</div>`
}

function button({ link, text, url, error }: Linked): Html {
  if (error !== undefined || !isSafeLink(url))
    return html`<span class="button broken" title="${error ?? `This is no address: ${url}`}">⚠ ${link.name}</span>`
  const window = link.new_window ? raw(' target="_blank" rel="noreferrer"') : raw(' rel="noreferrer"')
  return html`<a class="button ${Tones[link.button_class] ?? ''}" href="${url}" hx-boost="false"${window}>${text}</a>`
}
