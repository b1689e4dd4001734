import { html } from 'hono/html'
import { conditionOf } from '../http/lists.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { listHref } from './links.ts'
import { bayLinks } from './parts/bays.ts'
import { portLinks } from './parts/connection.ts'
import type { Row } from './table.ts'
import { Here, type Visit } from './visit.ts'

/** Which of some objects the user may do this to, asked at once. */
export function allowed(visit: Visit, action: string, m: AnyModel, ids: readonly number[]): ReadonlySet<number> {
  const method = action === 'delete' ? 'DELETE' : 'PATCH'
  if (!(m.methods ?? [method]).includes(method) || !visit.actor.writes || !may(visit.actor, action, m)) return new Set()
  if (visit.actor.superuser || ids.length === 0) return new Set(ids)
  const asked = new URLSearchParams(ids.map((id): [string, string] => ['id', String(id)]))
  return new Set(visit.store.reader.page(m, conditionOf(visit, m, asked, action), undefined, ids.length, 0).ids)
}

/** Links to connect ports and to fill bays. `changed`: those that the user may change. */
export function partLinks(
  visit: Visit,
  m: AnyModel,
  ids: readonly number[],
  changed: ReadonlySet<number>,
): (row: Row) => Html {
  const [ports, bays] = [portLinks(visit, m, ids, changed), bayLinks(visit, m, ids, changed)]
  return (row) => html`${ports(row)}${bays(row)}`
}

/** Links to connect or fill, to edit and to delete each of some objects, which come back to this page. */
export function rowLinks(visit: Visit, m: AnyModel, ids: readonly number[]): (row: Row) => Html {
  const [changed, deleted] = [allowed(visit, 'change', m, ids), allowed(visit, 'delete', m, ids)]
  const parts = partLinks(visit, m, ids, changed)
  const at = (row: Row, what: string) => `${listHref(visit, m)}${row.id}/${what}/?_back=${Here}`
  return (row) =>
    html`${parts(row)}${
      changed.has(row.id) ? html`<a class="act" href="${at(row, 'edit')}" aria-label="Edit ${row.display}">✎</a>` : ''
    }${
      deleted.has(row.id)
        ? html`<a class="act" href="${at(row, 'delete')}" aria-label="Delete ${row.display}">✕</a>`
        : ''
    }`
}
