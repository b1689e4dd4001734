import { html } from 'hono/html'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { badge, cell, type Html, moment } from '../cells.ts'
import type { Filled } from '../form-page.ts'
import { leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import { find, pager } from '../list.ts'
import { markdown } from '../markdown.ts'
import { madeOf, type PartForm, partForm } from '../part-form.ts'
import { preferencesOf } from '../preferences.ts'
import { countOf } from '../related.ts'
import { rowLinks } from '../row-links.ts'
import { columnsBy, type Row, rowsOf } from '../table.ts'
import type { Visit } from '../visit.ts'
import type { SpecialTab } from './part.ts'

const entries = () => modelNamed('extras.journalentry')
const form = (): PartForm => ({
  m: entries(),
  names: ['kind', 'comments', 'tags'],
  title: 'Write an entry',
  button: 'Add entry',
})
const own = (m: AnyModel, row: Row): [string, string][] => [
  ['assigned_object_type', m.name],
  ['assigned_object_id', String(row.id)],
]
const Tones: Readonly<Record<string, string>> = { info: 'calm', success: 'good', warning: 'odd', danger: 'bad' }

function shown(visit: Visit, m: AnyModel, row: Row, refused?: Filled): Html {
  const asked: Visit = { ...visit, query: new URLSearchParams([...own(m, row), ...visit.query]) }
  const found = find(asked, entries(), preferencesOf(visit))
  const rows = rowsOf(visit, entries(), found.ids, columnsBy(entries(), ['created', 'created_by', 'kind', 'comments']))
  const links = rowLinks(visit, entries(), found.ids)
  return html`${partForm(visit, form(), refused)}${
    rows.length
      ? html`<div class="entries">${rows.map((entry) => {
          const kind = entry.kind as { value: string; label: string }
          return html`<article class="panel entry">
<header>${badge(kind.label, Tones[kind.value])} <a href="${objectHref(visit, entries(), entry.id)}">${moment(
            String(entry.created),
          )}</a> <span>${cell(visit, entry.created_by, entries().fields.created_by)}</span> ${links(entry)}</header>
<div class="prose">${markdown(String(entry.comments))}</div></article>`
        })}</div>${pager(visit, found)}`
      : html`<p class="empty">Nobody has written here yet.</p>`
  }`
}

/** What people write down of an object, newest first. */
export const journal: SpecialTab = {
  label: 'Journal',
  of: (m) => Boolean(m.features?.includes('journaling')),
  model: 'extras.journalentry',
  count: (visit, m, row) => countOf(visit, entries(), new URLSearchParams(own(m, row))),
  body: (visit, m, row) => shown(visit, m, row),
  post: async (visit, m, row, data) => {
    const outcome = await madeOf(visit, form(), data, Object.fromEntries(own(m, row)))
    if ('made' in outcome) return leadTo(visit, objectHref(visit, m, row.id, 'journal'), 'The entry was added.')
    return { again: shown(visit, m, row, outcome.refused), status: outcome.status }
  },
}
