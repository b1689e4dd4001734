import type { AnyModel } from '../../src/declare/model.ts'
import { models } from '../../src/engine/catalog.ts'
import { memberNames } from '../../src/engine/select.ts'
import { components, pathsOf } from '../../src/http/schema.ts'

type Json = Record<string, any>

/** A shown value as a query parameter gives it; undefined where there is none. */
export const plain = (shown: any): string | undefined => {
  const value = typeof shown === 'object' && shown !== null ? (shown.value ?? shown.id) : shown
  return value === null || value === '' || value === undefined ? undefined : String(value)
}

/** The OpenAPI document with what it leaves out: models that are Cabinet's own. */
export function withOwn(openapi: Json): Json {
  const own = Object.values(models).filter((m) => m.own)
  const schemas = Object.assign({}, openapi.components.schemas, ...own.map(components))
  return {
    ...openapi,
    paths: Object.assign({}, openapi.paths, ...own.map((m) => pathsOf(m))),
    components: { ...openapi.components, schemas },
  }
}

/** Query parameters of a model's list, as the OpenAPI document has them. */
export const parametersOf = (openapi: Json, m: AnyModel): Json[] => openapi.paths[`/api/${m.path}/`].get.parameters

/** A value to try: the row's own where it has such a member, else one by the parameter's schema. */
export function valueFor({ name, schema }: Json, row: Json): string {
  const [bare] = name.split('__')
  const { type, enum: listed, format } = schema.items ?? schema
  const member = row[bare] ?? row[bare.replace(/_id$/, '')]
  const own = plain(Array.isArray(member) ? member[0] : member)
  if (own !== undefined) return own
  if (listed) return String(listed[0])
  if (type === 'boolean') return 'true'
  if (type === 'integer' || type === 'number') return '1'
  if (format === 'date-time') return '2025-01-02T03:04:05Z'
  return format === 'date' ? '2025-01-02' : 'x'
}

/**
 * Everything that may be asked of a model: paths of its list and of one row, with each view, page, filter and order.
 */
export function questionsOf(openapi: Json, m: AnyModel, row: Json): string[] {
  const list = `/api/${m.path}/`
  const views = ['', 'brief=1', 'fields=id,display', 'omit=url', 'limit=1', 'limit=1&offset=1', 'limit=1&start=0']
  const ofNow = parametersOf(openapi, m).filter(({ name }) => name !== 'at') // other moments have tests of their own
  const filters = ofNow.map((each) => new URLSearchParams({ [each.name]: valueFor(each, row) }).toString())
  const orders = memberNames(m).flatMap((name) => [`ordering=${name}`, `ordering=-${name}`])
  const details = row.id ? ['', '?brief=1', '?fields=display'].map((view) => `${list}${row.id}/${view}`) : []
  return [...[...views, ...filters, ...orders].map((query) => `${list}?${query}`), ...details]
}
