import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import Provider from 'oidc-provider'
import type { Config } from '../../src/config.ts'
import type { Client } from './launch.ts'

const ClientId = 'cabinet-test'
const ClientSecret = 'a secret of the test, long enough'

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

/** What a server has to be told of a provider. */
export const settings = (issuer: string, more: Partial<Config> = {}): Partial<Config> => ({
  oidcIssuer: issuer,
  oidcClientId: ClientId,
  oidcClientSecret: ClientSecret,
  ...more,
})

/**
 * A real OpenID provider on a port of its own, whose login page takes any name of `accounts`. `callbacks` may be added
 * to when the address of the server that comes back is known.
 */
export async function realProvider(accounts: Record<string, object>): Promise<{ issuer: string; callbacks: string[] }> {
  const callbacks: string[] = []
  let listener: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const issuer = await listening(createServer((request, response) => listener(request, response)))
  let provider: Provider | undefined
  const make = () => {
    const made = new Provider(issuer, {
      clients: [
        {
          client_id: ClientId,
          client_secret: ClientSecret,
          redirect_uris: callbacks,
          post_logout_redirect_uris: callbacks.map((each) => each.replace(/oauth\/complete\/oidc\/$/, 'login/')),
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'given_name', 'family_name', 'groups'],
        email: ['email', 'email_verified'],
      },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['of the test'] },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
      loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
        const grant = new made.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
    return made
  }
  listener = async (request, response) => {
    provider ??= make()
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response)
    if (request.method === 'POST') {
      const name = (await bodyOf(request)).get('name') ?? ''
      const result = Object.hasOwn(accounts, name)
        ? { login: { accountId: name } }
        : { error: 'access_denied', error_description: '<b>no such person</b>' }
      return provider.interactionFinished(request, response, result)
    }
    await provider.interactionDetails(request, response)
    response.setHeader('content-type', 'text/html')
    response.end(
      '<!doctype html><title>Provider</title><form method="post"><label>Name <input ' +
        'name="name"></label><button>Go on</button></form>',
    )
  }
  return { issuer, callbacks }
}

/** A browser without scripts that keeps the cookies of every host. */
export class Jar {
  readonly cookies = new Map<string, Map<string, string>>()

  /** One request, with the cookies of its host. */
  async ask(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const own = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, own)
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}), ...(init.headers as object) }
    const answer = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)) own.delete(name!)
      else own.set(name!, value!)
    }
    return answer
  }

  /** Follows redirects as far as they go; answers the last answer and its address. */
  async follow(url: string, init: RequestInit = {}, most = 12): Promise<{ url: string; status: number; text: string }> {
    let at = url
    let answer = await this.ask(url, init)
    for (let i = 0; i < most && answer.headers.get('location'); i++) {
      at = new URL(answer.headers.get('location')!, at).href
      answer = await this.ask(at)
    }
    return { url: at, status: answer.status, text: await answer.text() }
  }
}

/** Signs on at a real provider as one of its accounts; answers where that ends. */
export async function signOnAs(jar: Jar, { base }: Pick<Client, 'base'>, name: string, next = '') {
  const page = await jar.follow(`${base}/oauth/login/oidc/${next && `?next=${encodeURIComponent(next)}`}`)
  return page.url.startsWith(base)
    ? page
    : jar.follow(page.url, {
        method: 'POST',
        body: new URLSearchParams({ name }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
}

type Answers = Partial<Record<'discovery' | 'token' | 'userinfo' | 'jwks', (response: ServerResponse) => void>>

/**
 * A provider that does as the test says: it answers truly but where `answers` has something else, and gives the claims
 * of `next`.
 */
export async function wilfulProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }
  const state = {
    answers: {} as Answers,
    claims: {} as Record<string, unknown>,
    userinfo: {} as object,
    asked: [] as string[],
    codes: new Map<string, { nonce: string; challenge: string }>(),
  }
  const json = (response: ServerResponse, body: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  const idToken = (claims: object) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}`
    return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`
  }
  const issuer = await listening(
    createServer(async (request, response) => {
      const path = new URL(request.url!, 'http://x').pathname
      state.asked.push(path)
      const name = (
        {
          '/.well-known/openid-configuration': 'discovery',
          '/token': 'token',
          '/userinfo': 'userinfo',
          '/jwks': 'jwks',
        } as const
      )[path]
      if (!name) return json(response, {}, 404)
      const own = state.answers[name]
      if (own) return own(response)
      if (name === 'discovery')
        return json(response, {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      if (name === 'jwks') return json(response, { keys: [jwk] })
      if (name === 'userinfo') return json(response, { sub: state.claims.sub, ...state.userinfo })
      const given = await bodyOf(request)
      const code = state.codes.get(given.get('code') ?? '')
      state.codes.delete(given.get('code') ?? '') // once
      const verifier = createHash('sha256')
        .update(given.get('code_verifier') ?? '')
        .digest('base64url')
      if (!code || code.challenge !== verifier) return json(response, { error: 'invalid_grant' }, 400)
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: issuer, aud: ClientId, iat: now, exp: now + 300, nonce: code.nonce, ...state.claims }
      json(response, { access_token: 'a', token_type: 'Bearer', expires_in: 300, id_token: idToken(claims) })
    }),
  )
  return {
    ...state,
    state,
    issuer,
    /** Begins in a browser and answers what the provider would send it back with. */
    begin: async (jar: Jar, { base }: Pick<Client, 'base'>, next = '') => {
      const answer = await jar.ask(`${base}/oauth/login/oidc/${next && `?next=${encodeURIComponent(next)}`}`)
      const location = answer.headers.get('location')
      if (!location) return { answer, query: '', location: '' }
      const asked = new URL(location).searchParams
      const code = randomBytes(12).toString('hex')
      state.codes.set(code, { nonce: asked.get('nonce')!, challenge: asked.get('code_challenge')! })
      return { answer, location, query: new URLSearchParams({ code, state: asked.get('state')! }).toString() }
    },
  }
}
