import type { Context, Hono } from 'hono'
import type { Answer, Env } from '../../http/request.ts'
import type { Visit } from '../visit.ts'
import { addWidget, addWidgetPage, arrange, homePage, reset, setWidget, widgetPage } from './home.ts'

type Shown = (
  handle: (visit: Visit, c: Context<Env>) => Answer | Promise<Answer>,
) => (c: Context<Env>) => Promise<Response>

/** The home page, and what arranges it. */
export function homeRoutes(pages: Hono<Env>, shown: Shown): void {
  const widgets = '/extras/dashboard/widgets'
  const id = (c: Context<Env>): string => c.req.param('id')!
  pages.get('/', shown(homePage))
  pages.post('/extras/dashboard/reset/', shown(reset))
  pages.get(`${widgets}/add/`, shown(addWidgetPage))
  pages.post(`${widgets}/add/`, shown(addWidget))
  pages.post(
    `${widgets}/:id/`,
    shown((visit, c) => arrange(visit, id(c))),
  )
  pages.get(
    `${widgets}/:id/configure/`,
    shown((visit, c) => widgetPage(visit, id(c))),
  )
  pages.post(
    `${widgets}/:id/configure/`,
    shown((visit, c) => setWidget(visit, id(c))),
  )
}
