import { html } from 'hono/html'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Html } from '../cells.ts'
import type { Filled } from '../form-page.ts'
import { leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import { find, pager } from '../list.ts'
import { madeOf, mayAdd, type PartForm, partForm } from '../part-form.ts'
import { preferencesOf } from '../preferences.ts'
import { countOf } from '../related.ts'
import { rowLinks } from '../row-links.ts'
import { columnsBy, type Row, rowsOf } from '../table.ts'
import type { Visit } from '../visit.ts'
import { may } from '../../engine/actor.ts'
import type { SpecialPanel, SpecialTab } from './part.ts'

const images = () => modelNamed('extras.imageattachment')
const form = (): PartForm => ({
  m: images(),
  names: ['image', 'name', 'description'],
  title: 'Attach an image',
  button: 'Attach',
})
const own = (m: AnyModel, row: Row): [string, string][] => [
  ['object_type', m.name],
  ['object_id', String(row.id)],
]
const Columns = ['name', 'image', 'description', 'image_width', 'image_height', 'image_size']

function rowsFor(visit: Visit, ids: readonly number[]): Row[] {
  return rowsOf(visit, images(), ids, columnsBy(images(), Columns))
}

function figure(row: Row, more: Html | '' = ''): Html {
  const about = [`${row.image_width} × ${row.image_height}`, size(Number(row.image_size))].join(', ')
  const image = html`<img src="${row.image as string}" alt="${row.display}" loading="lazy">`
  return html`<figure><a href="${row.image as string}" hx-boost="false">${image}</a>
<figcaption><b>${row.display}</b> <small>${about}</small>${
    row.description ? html`<br>${row.description as string}` : ''
  } ${more}</figcaption></figure>`
}
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

function shown(visit: Visit, m: AnyModel, row: Row, refused?: Filled): Html {
  const asked: Visit = { ...visit, query: new URLSearchParams([...own(m, row), ...visit.query]) }
  const found = find(asked, images(), preferencesOf(visit))
  const links = rowLinks(visit, images(), found.ids)
  return html`${partForm(visit, form(), refused)}${
    found.ids.length
      ? html`<div class="images">${rowsFor(visit, found.ids).map((each) => figure(each, links(each)))}</div>${pager(
          visit,
          found,
        )}`
      : html`<p class="empty">There are no images yet.</p>`
  }`
}

const isPictured = (m: AnyModel) => Boolean(m.features?.includes('image_attachments'))

/** Pictures of an object, with a form to add one. */
export const imageTab: SpecialTab = {
  label: 'Images',
  of: isPictured,
  model: 'extras.imageattachment',
  count: (visit, m, row) => countOf(visit, images(), new URLSearchParams(own(m, row))),
  body: (visit, m, row) => shown(visit, m, row),
  post: async (visit, m, row, data) => {
    const outcome = await madeOf(visit, form(), data, { object_type: m.name, object_id: row.id })
    if ('made' in outcome)
      return leadTo(visit, objectHref(visit, m, row.id, 'image-attachments'), 'The image was attached.')
    return { again: shown(visit, m, row, outcome.refused), status: outcome.status }
  },
}

/** How many pictures the page of an object shows itself. */
const MaxShown = 6

/** The first pictures on the page of the object. */
export const imagePanel: SpecialPanel = {
  of: isPictured,
  side: 'right',
  show: (visit, m, row) => {
    if (!may(visit.actor, 'view', images())) return ''
    const asked: Visit = { ...visit, query: new URLSearchParams([...own(m, row), ['per_page', '25']]) }
    const found = find(asked, images(), {})
    if (found.count === 0 && !mayAdd(visit, images())) return ''
    const tab = objectHref(visit, m, row.id, 'image-attachments')
    return html`<section class="panel"><h2>Images <small>${found.count}</small>${
      mayAdd(visit, images()) ? html`<a class="add" href="${tab}">Attach</a>` : ''
    }</h2>${
      found.count
        ? html`<div class="images small">${rowsFor(visit, found.ids.slice(0, MaxShown)).map((each) =>
            figure(each),
          )}</div>${found.count > MaxShown ? html`<p><a href="${tab}">All ${found.count}</a></p>` : ''}`
        : html`<p class="empty">None</p>`
    }</section>`
  },
}
