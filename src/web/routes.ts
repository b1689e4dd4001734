import { Hono, type MiddlewareHandler } from 'hono'
import { csrf } from 'hono/csrf'
import { toLogin } from '../api/admission.ts'
import type { Authenticator } from '../api/auth.ts'
import { media } from '../api/media.ts'
import { modelOfPage } from '../api/places.ts'
import { type Env, noSuchPage } from '../api/request.ts'
import { answering, commonHeaders } from '../api/send.ts'
import { actorBySession } from '../api/session.ts'
import { fileNamed } from './assets.ts'
import { login, loginForm, logout, ownPath } from './login.ts'

/** Forms come from pages of this server; a client that is no browser says nothing of where they come from. */
const ownForms = csrf({
  origin: (origin, c) => origin === new URL(c.var.call.base).origin,
  secFetchSite: (site) => site === 'same-origin' || site === 'none',
})

/** Everything for browsers: pages, the files they load, and uploads. */
export function pageRoutes(authenticator: Authenticator): Hono<Env> {
  const pages = new Hono<Env>()
  pages.get(
    '/assets/:name',
    answering((_, c) => assetAnswer(c.req.param('name')!)),
  )
  pages.get(
    '/media/*',
    answering((call, c) => {
      const header = call.request.headers.get('authorization')
      const actor = header ? authenticator.byHeader(header, call.client) : actorBySession(c, authenticator)
      if (!actor) return toLogin(call)
      call.actor = actor
      return media(call)
    }),
  )

  pages.use(commonHeaders)
  pages.use((c, next) => (c.req.header('origin') || c.req.header('sec-fetch-site') ? ownForms(c, next) : next()))
  pages.get('/', (c) => c.redirect(`${c.var.call.config.basePath}/api/`))
  pages.get('/login/', (c) => loginForm(c, ownPath(c.req.query('next'))))
  pages.post('/login/', login)
  pages.post('/logout/', logout)
  // A display_url leads to the API's own page of the object.
  pages.on('GET', ['/:app/:model/', '/:app/:model/:id{[0-9]+}/'], toApi)
  return pages
}

/** A display_url leads to the API's own page of the object. */
const toApi: MiddlewareHandler<Env> = async (c, next) => {
  const { app, model, id } = c.req.param() as { app: string; model: string; id?: string }
  const m = modelOfPage(`${app}/${model}`)
  return m ? c.redirect(`${c.var.call.config.basePath}/api/${m.path}/${id ? `${id}/` : ''}`) : next()
}

function assetAnswer(name: string) {
  const file = fileNamed(name)
  if (!file) throw noSuchPage()
  return {
    status: 200,
    body: file.body,
    headers: { 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' },
  }
}
