import type { Context, Hono } from 'hono'
import type { Answer, Env } from '../../http/request.ts'
import { sessionDigest } from '../../http/session.ts'
import type { Visit } from '../visit.ts'
import { changeMine, type MineName, minePage } from './mine.ts'
import { passwordPage, setOwnPassword } from './password.ts'
import { preferencesPage, setPreferences } from './preferences-page.ts'
import { profilePage } from './profile.ts'
import { changeSecondFactor, secondFactorPage } from './second-factor.ts'
import { endSessions, sessionsPage } from './sessions.ts'
import { addToken, changeToken, makeToken, tokenForm, tokenPage, tokensPage } from './tokens.ts'

type Shown = (
  handle: (visit: Visit, c: Context<Env>) => Answer | Promise<Answer>,
) => (c: Context<Env>) => Promise<Response>

/** The pages below `/user/`: a user's own. */
export function accountRoutes(pages: Hono<Env>, shown: Shown): void {
  const at = (name: string, get: Parameters<Shown>[0], post?: Parameters<Shown>[0]) => {
    pages.get(`/user/${name}/`, shown(get))
    if (post) pages.post(`/user/${name}/`, shown(post))
  }
  at('profile', (visit) => profilePage(visit))
  at(
    'password',
    (visit) => passwordPage(visit),
    (visit, c) => setOwnPassword(visit, sessionDigest(c)),
  )
  at(
    'second-factor',
    (visit) => secondFactorPage(visit),
    (visit, c) => changeSecondFactor(visit, sessionDigest(c)),
  )
  at(
    'sessions',
    (visit, c) => sessionsPage(visit, sessionDigest(c)),
    (visit, c) => endSessions(visit, sessionDigest(c)),
  )
  at(
    'preferences',
    (visit) => preferencesPage(visit),
    (visit) => setPreferences(visit),
  )
  at(':name{bookmarks|subscriptions|notifications}', ...mine)
  at('api-tokens', (visit) => tokensPage(visit))
  at(
    'api-tokens/add',
    (visit) => tokenForm(visit),
    (visit) => makeToken(visit),
  )
  at(
    'api-tokens/:id{[0-9]{1,15}}',
    (visit, c) => tokenPage(visit, Number(c.req.param('id'))),
    (visit, c) => changeToken(visit, Number(c.req.param('id'))),
  )
  pages.post('/users/tokens/add/', shown(addToken))
}

const nameIn = (c: Context<Env>): MineName => c.req.param('name') as MineName
const mine = [
  (visit: Visit, c: Context<Env>) => minePage(visit, nameIn(c)),
  (visit: Visit, c: Context<Env>) => changeMine(visit, nameIn(c)),
] as const
