import type { Visit } from './visit.ts'
import { modelAt } from '../http/places.ts'
import type { AnyModel } from '../declare/model.ts'

/** Where the pages of a model begin: `/dcim/sites/`, below the base path. */
export const listHref = (call: Visit, m: AnyModel): string => `${call.config.basePath}/${m.displayUrl || m.path}/`

/** Whether each object of a model has a page. */
export const hasPage = (m: AnyModel): boolean => m.displayUrl !== false || m.pages?.ofEach === true

/** The page of an object, or of one of its tabs. */
export const objectHref = (call: Visit, m: AnyModel, id: number | string, tab = ''): string =>
  `${listHref(call, m)}${id}/${tab && `${tab}/`}`

/** The address of this page as menus have it: under its own name, also where it was asked for by the API's. */
export function hereIn(call: Visit): string {
  const [, path, rest] = /^\/([\w-]+\/[\w-]+)\/(.*)/.exec(call.path) ?? []
  const m = path === undefined ? undefined : modelAt(path)
  return m ? `${listHref(call, m)}${rest}` : `${call.config.basePath}${call.path}`
}

/** The page of an object that the API knows by an address (`…/api/dcim/sites/3/`); undefined where it has none. */
export function hrefOf(call: Visit, url: unknown): string | undefined {
  const [, path, id] = /\/api\/([\w-]+\/[\w-]+)\/(\d+)\/$/.exec(String(url ?? '')) ?? []
  const m = path ? modelAt(path) : undefined
  return m && hasPage(m) ? objectHref(call, m, id!) : undefined
}

/** The query of this page with some parameters changed, as a link from this page; null takes one away. */
export function queryWith(call: Visit, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(call.query)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    if (value !== null) query.append(name, value)
  }
  const text = query.toString()
  return text && `?${text}`
}

/** The address of this page with some parameters changed; null takes one away. */
export const withQuery = (call: Visit, changes: Readonly<Record<string, string | null>>): string =>
  `${call.config.basePath}${call.path}${queryWith(call, changes)}`

/** A path of this server; undefined for any other address, so that no form redirects elsewhere. */
export const safePath = (call: Visit, given: string | undefined): string | undefined =>
  given && /^\/(?![/\\])[\x21-\x7e]*$/.test(given) && given.startsWith(call.config.basePath) ? given : undefined
