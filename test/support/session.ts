import assert from 'node:assert/strict'
import type { Client } from './launch.ts'
import { send } from './send.ts'
import { creating } from './server.ts'

/** A browser without scripts: it keeps a session, follows no redirect, and sends forms with their token. */
export interface Session {
  cookie: string
  get: (path: string) => Promise<{ status: number; text: string; location: string | null }>
  /** Sends the fields of a form; a list sends a name several times, a `Blob` makes it a form with files. */
  post: (path: string, fields: Fields) => Promise<{ status: number; text: string; location: string | null }>
}
export type Fields = Readonly<Record<string, string | Blob | readonly string[]>>

/** Logs in at the form. */
export async function login(
  { base }: Pick<Client, 'base'>,
  username = 'admin',
  password = 'Cabinet-Test-Passw0rd',
): Promise<Session> {
  const form = await send(`${base}/login/`)
  const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie') ?? '')![1]!
  const entered = await send(`${base}/login/`, {
    method: 'POST',
    headers: { cookie: `csrftoken=${token}` },
    body: new URLSearchParams({ username, password, csrfmiddlewaretoken: token }),
  })
  assert.equal(entered.status, 302, 'logged in')
  const cookie = `csrftoken=${token}; sessionid=${/sessionid=([^;]+)/.exec(entered.headers.get('set-cookie')!)![1]}`
  const sent = async (path: string, init: Parameters<typeof send>[1]) => {
    const answer = await send(base + path, { ...init, headers: { cookie, accept: 'text/html' } })
    return { status: answer.status, text: answer.text, location: answer.headers.get('location') }
  }
  return {
    cookie,
    get: (path) => sent(path, {}),
    post: (path, fields) => {
      const pairs = [...Object.entries(fields), ['csrfmiddlewaretoken', token] as const].flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((each) => [name, each] as [string, string | Blob]),
      )
      const hasFiles = pairs.some(([, value]) => typeof value !== 'string')
      if (!hasFiles) return sent(path, { method: 'POST', body: new URLSearchParams(pairs as [string, string][]) })
      const body = new FormData()
      for (const [name, value] of pairs)
        if (typeof value === 'string') body.append(name, value)
        else body.append(name, value, 'sample.png')
      return sent(path, { method: 'POST', body })
    },
  }
}

/** What somebody may do: with which models, which actions, and by which constraints. */
type Grant = readonly [models: readonly string[], actions: readonly string[], constraints?: object]

/** Makes a user who may do just what is granted, and logs in as that one. */
export async function loginAs(
  client: Pick<Client, 'base' | 'call'>,
  username: string,
  grants: readonly Grant[],
): Promise<Session> {
  const make = creating(client)
  const user = (await make('users/users', { username, password: 'Cabinet-Test-Passw0rd' })).id
  for (const [i, [object_types, actions, constraints = null]] of grants.entries())
    await make('users/permissions', { name: `${username} ${i}`, object_types, actions, constraints, users: [user] })
  return login(client, username)
}

/** The fields of a page's form as a browser would send them untouched, by name. */
export function fieldsIn(page: string): Record<string, string[]> {
  const form = /<form class="form"[\s\S]*?<\/form>/.exec(page)?.[0].replace(/<noscript>[\s\S]*?<\/noscript>/g, '') ?? ''
  const fields: Record<string, string[]> = {}
  const add = (name: string, value: string) => {
    fields[name] = [...(fields[name] ?? []), unescaped(value)]
  }
  const at = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  const controls = form.matchAll(/<(input|textarea)([^>]*)>(?:([^<]*)<\/textarea>)?|<select([\s\S]*?)<\/select>/g)
  for (const [, tag, rest, inner, select] of controls) {
    if (select !== undefined) {
      const name = at(select.slice(0, select.indexOf('>')), 'name')!
      const options = [...select.matchAll(/<option value="([^"]*)"([^>]*)>/g)]
      const chosen = options.filter(([, , more]) => / selected/.test(more!)).map(([, value]) => value!)
      if (chosen.length) for (const value of chosen) add(name, value)
      else if (!/ multiple/.test(select.slice(0, select.indexOf('>'))) && options[0]) add(name, options[0][1]!)
      continue
    }
    const name = at(rest!, 'name')
    if (!name || at(rest!, 'type') === 'file') continue
    if (tag === 'textarea') add(name, inner ?? '')
    else if (at(rest!, 'type') !== 'checkbox' || / checked/.test(rest!)) add(name, at(rest!, 'value') ?? '')
  }
  return fields
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
