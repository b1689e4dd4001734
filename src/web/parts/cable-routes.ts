import type { Context, Hono } from 'hono'
import type { Answer, Env } from '../../api/request.ts'
import type { Visit } from '../visit.ts'
import { connectionsPage } from './connections.ts'

type Shown = (
  handle: (visit: Visit, c: Context<Env>) => Answer | Promise<Answer>,
) => (c: Context<Env>) => Promise<Response>

/** The lists of connections. */
export function cableRoutes(pages: Hono<Env>, shown: Shown): void {
  for (const kind of ['interface', 'console', 'power'])
    pages.get(
      `/dcim/${kind}-connections/`,
      shown((visit) => connectionsPage(visit, kind)),
    )
}
