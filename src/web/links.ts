import type { Visit } from './visit.ts'
import { modelAt } from '../http/places.ts'
import type { AnyModel } from '../declare/model.ts'

/** Where the pages of a model begin: `/dcim/sites/`, below the base path. */
export const listHref = (call: Visit, m: AnyModel): string => `${call.config.basePath}/${m.displayUrl || m.path}/`

/** The page of an object, or of one of its tabs. */
export const objectHref = (call: Visit, m: AnyModel, id: number | string, tab = ''): string =>
  `${listHref(call, m)}${id}/${tab && `${tab}/`}`

/** The page of an object that the API knows by an address (`…/api/dcim/sites/3/`); undefined where it has none. */
export function hrefOf(call: Visit, url: unknown): string | undefined {
  const [, path, id] = /\/api\/([\w-]+\/[\w-]+)\/(\d+)\/$/.exec(String(url ?? '')) ?? []
  const m = path ? modelAt(path) : undefined
  return m && m.displayUrl !== false ? objectHref(call, m, id!) : undefined
}

/** The address of this page with some parameters changed; null takes one away. */
export function withQuery(call: Visit, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(call.query)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    if (value !== null) query.append(name, value)
  }
  const text = query.toString()
  return `${call.config.basePath}${call.path}${text && `?${text}`}`
}
