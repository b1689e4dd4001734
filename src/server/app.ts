import { Hono } from 'hono'
import { admission } from '../http/admission.ts'
import { alreadySent } from '../http/already-sent.ts'
import { Authenticator } from '../http/auth.ts'
import { handOn, TooLongHere } from '../http/long-writes.ts'
import type { LookingBack } from '../http/moment.ts'
import { failure } from '../http/failures.ts'
import { remoteUser } from '../http/remote-user.ts'
import { logging, requestContext, pathBelow } from '../http/request-context.ts'
import { type Call, type Env, jsonAnswer, noSuchPage } from '../http/request.ts'
import { apiRoutes } from '../http/routes.ts'
import { answering, send } from '../http/send.ts'
import type { Config } from '../config.ts'
import type { Store } from '../store/open.ts'
import { KnownRoutes } from './known-routes.ts'
import { metricsAnswer, readyAnswer, type Watched } from './metrics.ts'
import { graphqlRoutes } from '../graphql/route.ts'
import { browse } from '../web/browse.ts'
import { graphqlPage } from '../web/graphql.ts'
import { pageRoutes } from '../web/routes.ts'

/**
 * The whole service: what every request passes, then the routes of the API and those of the pages. `watched`: of the
 * thread that answers how the server is.
 */
export function createApp(
  store: Store,
  config: Config,
  authenticator = new Authenticator(store, config),
  past?: LookingBack,
  watched?: Watched,
): Hono<Env> {
  const app = new Hono<Env>({ getPath: pathBelow(config.basePath), router: new KnownRoutes() })
  app.onError((error, c) => {
    const { outgoing } = c.env ?? {}
    if (!outgoing || !(error instanceof TooLongHere)) return send(c, failure(error))
    handOn(outgoing)
    return alreadySent()
  })
  app.notFound((c) => send(c, failure(noSuchPage())))
  app.use(requestContext(store, config, authenticator))
  app.use(logging(config))
  app.get('/healthz', answering(health))
  if (config.remoteAuthEnabled) app.use(remoteUser(authenticator.store, config))
  if (watched) {
    const metrics = metricsAnswer(watched, authenticator)
    app.get('/metrics', async (c) => send(c, await metrics(c)))
    app.get('/readyz', answering(readyAnswer(watched)))
  }
  app.get('/api', (c) => c.redirect(`${config.basePath}/api/`))
  app.route('/api/', apiRoutes(admission(authenticator, browse), past))
  app.route('/', graphqlRoutes(authenticator, graphqlPage, past))
  app.route('/', pageRoutes(authenticator, past))
  return app
}

/** For load balancers, without credentials: 200 as long as the database can be read. */
function health({ store }: Call) {
  store.db.get('select 1')
  return jsonAnswer(200, { status: 'ok' })
}
