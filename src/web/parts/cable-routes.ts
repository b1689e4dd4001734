import type { Context, Hono } from 'hono'
import type { Answer, Env } from '../../http/request.ts'
import type { Visit } from '../visit.ts'
import { connectionsPage } from './connections.ts'
import { mapPage } from './map.ts'

type Shown = (
  handle: (visit: Visit, c: Context<Env>) => Answer | Promise<Answer>,
) => (c: Context<Env>) => Promise<Response>

/** The lists of connections, and the map. */
export function cableRoutes(pages: Hono<Env>, shown: Shown): void {
  pages.get('/dcim/map/', shown(mapPage))
  for (const kind of ['interface', 'console', 'power'])
    pages.get(
      `/dcim/${kind}-connections/`,
      shown((visit) => connectionsPage(visit, kind)),
    )
}
