import { html } from 'hono/html'
import { writingFor } from '../http/resource.ts'
import { modelNamed } from '../engine/catalog.ts'
import { ancestorsOf } from '../rules/trees.ts'
import type { Html } from './cells.ts'
import { displaysOf, MaxNamed, visibleOf } from './displays.ts'
import { hasPage, objectHref } from './links.ts'
import type { Column } from './table.ts'
import type { Visit } from './visit.ts'

/** What lies above the object of a tree that a value is, from the top down, as far as the user may view it. */
export function above(visit: Visit, { field }: Column, value: unknown): Html | '' {
  const m = field?.target && modelNamed(field.target.model)
  const { id } = (value ?? {}) as { id?: number }
  if (!m?.tree || !hasPage(m) || id === undefined) return ''
  const ids = ancestorsOf(writingFor(visit).tools, m, id).slice(0, MaxNamed).reverse()
  const names = ids.length ? displaysOf(visit, m, visibleOf(visit, m, ids)) : new Map<number, string>()
  return html`${ids.map((each) => {
    const name = names.get(each)
    return name === undefined ? '' : html`<a href="${objectHref(visit, m, each)}">${name}</a> / `
  })}`
}
