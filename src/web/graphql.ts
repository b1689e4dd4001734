import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Answer, Call, Env } from '../http/request.ts'
import { PagePolicy } from '../http/send.ts'
import { newToken, ownToken, tokenCookie } from '../http/session.ts'
import { assetHref } from './assets.ts'
import { page } from './frame.ts'
import { visitOf } from './visit.ts'

const Example = `{
  device_list(pagination: {limit: 10}) {
    name
    site { name }
    interfaces(pagination: {limit: 3}) { name }
  }
}`

/** The page with an editor of queries, and what may be asked beside it. */
export function graphqlPage(call: Call, c: Context<Env>): Answer {
  const own = ownToken(c)
  const visit = visitOf(c, own ?? newToken())
  const href = (name: 'graphql.js' | 'graphql.css') => assetHref(call.config.basePath, name)
  const answer = page(visit, {
    title: 'GraphQL',
    body: html`<link rel="stylesheet" href="${href('graphql.css')}">
<form class="graphql" hx-boost="false">
<div><label for="query">Query</label>
<textarea id="query" name="query" rows="22" spellcheck="false" autocapitalize="off" autocomplete="off"
  aria-describedby="keys">${Example}</textarea>
<label for="variables">Variables (JSON)</label>
<textarea id="variables" name="variables" rows="4" spellcheck="false" autocomplete="off"></textarea>
<button>Run</button> <small id="keys">Ctrl+Enter runs the query, too.</small></div>
<div><h2 id="answered">Answer</h2><output for="query variables" aria-labelledby="answered" tabindex="0"></output></div>
<nav aria-label="What may be asked"><h2 class="where">What may be asked</h2><ul class="members"></ul></nav>
</form><script src="${href('graphql.js')}" defer></script>`,
  })
  const cookie: Record<string, string> = own ? {} : { 'set-cookie': tokenCookie(c, visit.token) }
  return { ...answer, headers: { ...answer.headers, ...cookie, 'content-security-policy': PagePolicy } }
}
