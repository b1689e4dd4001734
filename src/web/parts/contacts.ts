import { html } from 'hono/html'
import { ancestorsOf } from '../../rules/trees.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { icon } from '../frame.ts'
import { listHref, withQuery } from '../links.ts'
import { chosen, find, pager } from '../list.ts'
import { mayAdd } from '../part-form.ts'
import { preferencesOf } from '../preferences.ts'
import { countOf } from '../related.ts'
import { rowLinks } from '../row-links.ts'
import { columnsBy, type Row, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { words } from '../words.ts'
import { toolsOf } from './ends.ts'
import type { SpecialTab } from './part.ts'

const assignments = () => modelNamed('tenancy.contactassignment')
const own = (m: AnyModel, row: Row): [string, string][] => [
  ['object_type', m.name],
  ['object_id', String(row.id)],
]
const Columns = 'contact role priority contact.title contact.phone contact.email tags'

/** What finds the contacts of an object, and of what is above it in its tree. */
const inherited = (visit: Visit, m: AnyModel, row: Row): [string, string][] => [
  ...own(m, row),
  ...ancestorsOf(toolsOf(visit), m, row.id).map((id): [string, string] => ['object_id', String(id)]),
]

/** Who is to be asked about an object: those who are named for what is above it in its tree, too. */
export const contacts: SpecialTab = {
  label: 'Contacts',
  of: (m) => Boolean(m.features?.includes('contacts')),
  model: 'tenancy.contactassignment',
  count: (visit, m, row) => countOf(visit, assignments(), new URLSearchParams(inherited(visit, m, row))),
  body: (visit, m, row) => {
    const asked: Visit = { ...visit, query: new URLSearchParams([...inherited(visit, m, row), ...visit.query]) }
    const found = find(asked, assignments(), preferencesOf(visit))
    const columns = columnsBy(assignments(), words(m.tree ? `${Columns} object` : Columns))
    const add = new URLSearchParams([...own(m, row), ['_back', withQuery(visit, {})]])
    const rows = rowsOf(visit, assignments(), found.ids, columns)
    return html`<div class="toolbar">${
      mayAdd(visit, assignments())
        ? html`<a class="button primary" href="${listHref(visit, assignments())}add/?${add}">${icon(
            visit,
            'add',
          )}Add a contact</a>`
        : ''
    }</div>${
      rows.length
        ? html`${chosen(asked, assignments(), (isOffered) =>
            table(visit, assignments(), columns, rows, {
              chosen: isOffered,
              ordered: true,
              caption: 'Contacts',
              actions: rowLinks(visit, assignments(), found.ids),
            }),
          )}${pager(visit, found)}`
        : html`<p class="empty">Nobody is named here yet.</p>`
    }`
  },
}
