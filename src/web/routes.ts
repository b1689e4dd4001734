import { alreadySent } from '../http/already-sent.ts'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { csrf } from 'hono/csrf'
import { html } from 'hono/html'
import { toLogin } from '../http/admission.ts'
import { demandRead, isAnsweredThen, type LookingBack } from '../http/moment.ts'
import type { Authenticator } from '../http/auth.ts'
import { media } from '../http/media.ts'
import { modelOfPage } from '../http/places.ts'
import { type Answer, ApiError, type Env, forbidden, noSuchPage } from '../http/request.ts'
import { answering, commonHeaders, PagePolicy, send } from '../http/send.ts'
import { actorBySession, newToken, ownToken, tokenCookie } from '../http/session.ts'
import { AnsweredElsewhere } from '../lib/answered-elsewhere.ts'
import type { AnyModel } from '../declare/model.ts'
import { systemPage } from './admin/system.ts'
import { accountRoutes } from './account/routes.ts'
import { fileAnswer } from './assets.ts'
import { assign, assignPage } from './assign.ts'
import { release } from './release.ts'
import { columnsPage, keepColumns } from './columns.ts'
import { exportPage } from './export.ts'
import { deleteObject, deletePage } from './delete.ts'
import { failureBefore, failurePage } from './failure.ts'
import { bulkDelete } from './bulk-delete.ts'
import { addToMany } from './add-components.ts'
import { bulkEdit } from './bulk-edit.ts'
import { bulkRename } from './bulk-rename.ts'
import { addObject, addPage, editObject, editPage } from './form.ts'
import { leadTo, plainPage } from './frame.ts'
import { importObjects, importPage } from './import.ts'
import { homeRoutes } from './home/routes.ts'
import { listHref } from './links.ts'
import { filterChoices } from './filter-panel.ts'
import { labelsPage, labelsPost, sheetStyle } from './labels.ts'
import { listPage } from './list.ts'
import { codeForm, login, loginByCode, loginForm, loginOnce, loginOnceForm, logout, ownPath } from './login.ts'
import { typedBefore } from './logged-out.ts'
import { atMoment, demandSeen, hereAt, isKept, momentShown } from './moment.ts'
import { objectPage } from './object.ts'
import { nextFreeAddress } from './parts/next-address.ts'
import { searchPage, suggestions } from './search.ts'
import { bulkSync, ownAction } from './own-actions.ts'
import { elevationsPage } from './parts/rack-elevations.ts'
import { placeDevice } from './parts/rack-place.ts'
import { connectChosen } from './parts/connect-many.ts'
import { cableRoutes } from './parts/cable-routes.ts'
import { kitPage, settleKit } from './parts/kit.ts'
import { undo, undoPage } from './parts/undo.ts'
import { bulkDisconnect } from './parts/disconnect.ts'
import { beginSignOn, completeSignOn, leaveProvider } from './sign-on.ts'
import { tabPage, tabPost } from './tabs.ts'
import { type Visit, visitOf } from './visit.ts'

/** Refuses forms of other sites by Origin and Sec-Fetch-Site, which clients that are no browsers do not send. */
const ownForms = csrf({
  origin: (origin, c) => origin === new URL(c.var.call.base).origin,
  secFetchSite: (site) => site === 'same-origin' || site === 'none',
})

/** The same, and says so on a page. */
const withoutForeign: MiddlewareHandler<Env> = async (c, next) => {
  if (!c.req.header('origin') && !c.req.header('sec-fetch-site')) return next()
  try {
    return await ownForms(c, next)
  } catch (error) {
    return sendPage(c, failureBefore(visitOf(c, ownToken(c) ?? newToken()), error as Error))
  }
}

type Handler = (visit: Visit, c: Context<Env>) => Answer | Promise<Answer>
type Shown = ReturnType<typeof pageHandlers>

/** Everything for browsers: pages, the files they load, and uploads. */
export function pageRoutes(authenticator: Authenticator, past?: LookingBack): Hono<Env> {
  const pages = new Hono<Env>()
  fileRoutes(pages, authenticator)
  pages.use(commonHeaders)
  pages.use(withoutForeign)
  signInRoutes(pages)
  const shown = pageHandlers(authenticator, past)
  homeRoutes(pages, shown)
  cableRoutes(pages, shown)
  pages.get('/search/', shown(searchPage))
  pages.get('/search/suggestions/', shown(suggestions))

  accountRoutes(pages, shown)
  pages.get('/core/system/', shown(systemPage))

  pages.get('/ipam/prefixes/next-free/', shown(nextFreeAddress))
  pages.get('/labels/', shown(labelsPage))
  pages.post('/labels/', shown(labelsPost))
  pages.get('/labels/sheet.css', shown(sheetStyle))
  pages.get('/dcim/rack-elevations/', shown(elevationsPage))
  pages.post('/dcim/racks/place/', shown(placeDevice))
  pages.get(
    '/kit/',
    shown((visit) => kitPage(visit)),
  )
  pages.post('/kit/', shown(settleKit))
  for (const path of ['/core/changelog/:id{[0-9]{1,15}}/undo/', '/core/object-changes/:id{[0-9]{1,15}}/undo/']) {
    pages.get(
      path,
      shown((visit, c) => undoPage(visit, Number(c.req.param('id')))),
    )
    pages.post(
      path,
      shown((visit, c) => undo(visit, Number(c.req.param('id')))),
    )
  }
  modelRoutes(pages, shown)
  pages.get('*', withSlash(new Set(pages.routes.map(({ path }) => path))))
  return pages
}

/** Files of the pages, and those that were uploaded. */
function fileRoutes(pages: Hono<Env>, authenticator: Authenticator): void {
  pages.get(
    '/assets/:name',
    answering((call, c) =>
      fileAnswer(c.req.param('name')!, /\bgzip\b/.test(call.request.headers.get('accept-encoding') ?? '')),
    ),
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
}

/** Ways in and out; what fails there is a page as well. */
function signInRoutes(all: Hono<Env>): void {
  const pages = new Hono<Env>()
  pages.onError((error, c) => sendPage(c, failureBefore(visitOf(c, ownToken(c) ?? newToken()), error)))
  pages.get('/login/', (c) => loginForm(c, ownPath(c.req.query('next'))))
  pages.post('/login/', login)
  pages.get('/login/code/', (c) => codeForm(c))
  pages.post('/login/code/', loginByCode)
  pages.get('/login/once/', loginOnceForm)
  pages.post('/login/once/', loginOnce)
  pages.post('/logout/', logout)
  pages.get('/oauth/login/oidc/', beginSignOn)
  pages.get('/oauth/complete/oidc/', completeSignOn)
  pages.get('/oauth/logout/oidc/', leaveProvider)
  all.route('/', pages)
}

/** Lists and objects of every model, with what is done on them. */
function modelRoutes(pages: Hono<Env>, shown: Shown): void {
  const of = (handle: (visit: Visit, m: AnyModel, id: number, c: Context<Env>) => Answer | Promise<Answer>) =>
    shown((visit, c) => {
      const { app, model, id } = c.req.param() as { app: string; model: string; id?: string }
      const m = modelOfPage(`${app}/${model}`)
      if (!m) throw noSuchPage()
      return handle(visit, m, Number(id), c)
    })
  const [list, object] = ['/:app/:model/', '/:app/:model/:id{[0-9]{1,15}}/']
  pages.get(list, of(listPage))
  pages.get(`${list}add/`, of(addPage))
  pages.get(`${list}assign/`, of(assignPage))
  pages.post(`${list}assign/`, of(assign))
  pages.post(`${list}release/`, of(release))
  pages.get(`${list}choices/`, of(filterChoices))
  pages.get(`${list}columns/`, of(columnsPage))
  pages.post(`${list}columns/`, of(keepColumns))
  pages.get(`${list}export/`, of(exportPage))
  pages.get(`${list}import/`, of(importPage))
  pages.post(`${list}import/`, of(importObjects))
  pages.post(
    `${list}add/`,
    of((visit, m) => addObject(visit, m)),
  )
  for (const [part, work] of Object.entries({
    edit: bulkEdit,
    rename: bulkRename,
    delete: bulkDelete,
    components: addToMany,
    connect: connectChosen,
    disconnect: bulkDisconnect,
    sync: bulkSync,
  })) {
    pages.post(`${list}${part}/`, of(work))
    pages.get(`${list}${part}/`, of(toList)) // reloaded: what was chosen is known no more
  }
  pages.get(object, of(objectPage))
  pages.get(`${object}edit/`, of(editPage))
  pages.post(`${object}edit/`, of(editObject))
  pages.get(`${object}delete/`, of(deletePage))
  pages.post(`${object}delete/`, of(deleteObject))
  pages.get(
    `${object}:tab/`,
    of((visit, m, id, c) => tabPage(visit, m, id, c.req.param('tab')!)),
  )
  pages.post(
    `${object}:action{bookmark|subscribe|sync}/`,
    of((visit, m, id, c) => ownAction(visit, m, id, c.req.param('action')!)),
  )
  pages.post(
    `${object}:tab/`,
    of((visit, m, id, c) => tabPost(visit, m, id, c.req.param('tab')!)),
  )
}

const toList = (visit: Visit, m: AnyModel): Answer => leadTo(visit, listHref(visit, m))

/** A reader who forgot the last slash of a model's page, or of one of these paths, is led to where it is. */
const withSlash =
  (paths: ReadonlySet<string>): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { call } = c.var
    const isPage = paths.has(`${call.path}/`) || modelOfPage(call.path.split('/').slice(1, 3).join('/'))
    return isPage && !call.path.endsWith('/')
      ? c.redirect(`${call.config.basePath}${call.path}/${call.query.size ? `?${call.query}` : ''}`)
      : next()
  }

/** Makes handlers of pages: who is not logged in is led to where one does; what fails is a page too. */
const pageHandlers =
  (authenticator: Authenticator, past: LookingBack | undefined) =>
  (handle: Handler) =>
  async (c: Context<Env>): Promise<Response> => {
    const { call } = c.var
    const header = c.req.header('authorization')
    const isRead = call.method === 'GET' || call.method === 'HEAD' // forms are for browsers, which have a session
    const refused = c.get('remoteUser')
    if (typeof refused === 'string') return sendPage(c, refusedPage(visitOf(c, newToken()), refused))
    const asked = () =>
      header && isRead ? authenticator.byHeader(header, call.client) : actorBySession(c, authenticator)
    const session = asked()
    if (!session && (call.config.loginRequired || call.config.exemptViewPermissions.length === 0))
      return sendPage(c, await loginFirst(visitOf(c, ownToken(c) ?? newToken())))
    call.actor = session ?? authenticator.anonymous
    call.renew = () => {
      call.store.db.sync()
      const still = asked()
      if (session && !still) throw forbidden('You are no longer logged in.')
      return still ?? authenticator.anonymous
    }
    const own = ownToken(c)
    const visit = visitOf(c, own ?? newToken(), momentShown(call))
    const answer = await answerTo(() => {
      if (visit.at && !isKept(visit, `${visit.config.basePath}${visit.path}`)) return leadTo(visit, hereAt(visit, null))
      demandRead(call)
      demandSeen(visit)
      return isAnsweredThen(c, past) ? undefined : handle(visit, c)
    }, visit)
    if (!answer) return alreadySent()
    const response = sendPage(c, answer)
    if (!own) response.headers.append('set-cookie', tokenCookie(c, visit.token))
    return response
  }

const sendPage = (c: Context<Env>, answer: Answer): Response =>
  send(c, { ...answer, headers: { 'content-security-policy': PagePolicy, ...answer.headers } })

/** Leads who is not logged in to where one does; who was while typing a form keeps what was typed. */
const loginFirst = async (visit: Visit): Promise<Answer> =>
  (visit.method === 'POST' ? await typedBefore(visit) : undefined) ?? toLogin(visit)

/** A page for whom a proxy names, and who may not come in. */
const refusedPage = (visit: Visit, why: string): Answer =>
  plainPage(visit, { title: 'Not allowed', status: 403, body: html`<p class="message bad" role="alert">${why}</p>` })

/** Whether a refusal is about the moment that was asked for. */
const isOfMoment = (error: unknown): boolean =>
  error instanceof ApiError && typeof error.body === 'object' && error.body !== null && 'at' in error.body

/** What a handler answers, or of what it refuses a page; undefined where the answer comes from elsewhere. */
async function answerTo(handle: () => Answer | undefined | Promise<Answer>, visit: Visit): Promise<Answer | undefined> {
  try {
    const answer = await handle()
    return answer && atMoment(visit, answer)
  } catch (error) {
    if (error instanceof AnsweredElsewhere) throw error
    const isRefused = error instanceof ApiError && error.status === 403
    if (isRefused && visit.actor.userId === null) return loginFirst(visit)
    const shown = isOfMoment(error) ? { ...visit, at: undefined } : visit
    return atMoment(shown, failurePage(shown, error as Error))
  }
}
