import type { Configuration } from 'openid-client'
import { AnswerTooLarge, boundedFetch } from '../lib/bounded-fetch.ts'
import type { Config } from '../config.ts'
import type { Said, SignOnRules } from './sign-on.ts'

/** A sign-on that did not succeed; the message is for who signs on, `reason` for the log. */
export class ProviderError extends Error {
  readonly reason: string
  constructor(message: string, reason = message) {
    super(message)
    this.reason = reason
  }
}

/** What a browser keeps, sealed, between its way to the provider and its way back. */
export interface Going {
  state: string
  nonce: string
  verifier: string
  /** Where it comes back to. */
  redirect: string
}

/** Bytes that one answer of a provider may have. */
const MaxAnswer = 1_048_576
/** Milliseconds after which the provider is asked anew what it can do. */
const Fresh = 3_600_000
/** Sign-ons that may wait for the provider at once. */
const MaxAtOnce = 100

type Claims = Readonly<Record<string, unknown>>

/**
 * An OpenID Connect provider: discovered when it is first needed, with limits on time and size of its answers; no other
 * request waits for it.
 */
export class Provider {
  readonly #config: Config
  #found: { at: number; configuration: Promise<Configuration> } | undefined
  #waiting = 0

  constructor(config: Config) {
    this.#config = config
  }

  /**
   * The address at the provider where a browser signs on, and what it has to bring back. Rejects with `ProviderError`.
   */
  begin(redirect: string): Promise<{ address: string; going: Going }> {
    return this.#bounded(async (client, configuration) => {
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirect,
        scope: this.#config.oidcScopes.join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return { address: address.href, going: { state, nonce, verifier, redirect } }
    })
  }

  /** What the provider says of who came back with this query. Rejects with `ProviderError`. */
  finish(query: URLSearchParams, { state, nonce, verifier, redirect }: Going): Promise<Claims> {
    return this.#bounded(async (client, configuration) => {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(`${redirect}?${query}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      if (!configuration.serverMetadata().userinfo_endpoint) return claims
      return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
    })
  }

  /** Where one logs out of the provider too; undefined where it has no such place. */
  leave(redirect: string): Promise<string | undefined> {
    return this.#bounded(async (client, configuration) =>
      configuration.serverMetadata().end_session_endpoint
        ? client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: redirect }).href
        : undefined,
    )
  }

  async #bounded<T>(work: (client: typeof import('openid-client'), found: Configuration) => Promise<T>): Promise<T> {
    if (this.#waiting >= MaxAtOnce)
      throw new ProviderError('Too many people are signing on at the moment. Try again soon.')
    this.#waiting++
    try {
      const client = await import('openid-client')
      return await work(client, await this.#configuration(client))
    } catch (error) {
      throw this.#said(error as Failure)
    } finally {
      this.#waiting--
    }
  }

  #configuration(client: typeof import('openid-client')): Promise<Configuration> {
    if (this.#found && performance.now() - this.#found.at < Fresh) return this.#found.configuration
    const { oidcIssuer, oidcClientId, oidcClientSecret: secret, oidcTimeout } = this.#config
    const configuration = client.discovery(
      new URL(oidcIssuer),
      oidcClientId,
      undefined,
      secret ? client.ClientSecretBasic(secret) : client.None(),
      {
        // A token that came straight from the provider need not be signed; looking at it costs one answer more, and
        // nothing is left to TLS alone.
        execute: [
          client.enableNonRepudiationChecks,
          ...(oidcIssuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
        timeout: oidcTimeout,
        [client.customFetch]: boundedFetch(MaxAnswer, oidcTimeout * 1000) as never,
      },
    )
    const found = { at: performance.now(), configuration }
    this.#found = found
    configuration.catch(() => {
      if (this.#found === found) this.#found = undefined // the next one asks again
    })
    return configuration
  }

  /** A failure in words for who signs on; what the provider itself says stays in the log. */
  #said(error: Failure): ProviderError {
    if (error instanceof ProviderError) return error
    const { oidcName: name, oidcTimeout: seconds } = this.#config
    const causes = [error, error.cause, error.cause?.cause].filter((each) => each !== undefined)
    const reason = causes
      .map(({ message, error: code, error_description: more }) => [message, code, more].filter(Boolean).join(' '))
      .join(': ')
      .slice(0, 500)
    const has = (code: string) => causes.some((each) => each.code === code || each.name === code)
    const refusal = causes.find((each) => typeof each.error === 'string')?.error
    if (refusal === 'access_denied')
      return new ProviderError(`${name} did not let you in, or you called it off.`, reason)
    if (has('OAUTH_AUTHORIZATION_RESPONSE_ERROR') && refusal)
      return new ProviderError(
        `${name} refused: ${/^[a-z_]{1,50}$/.test(refusal) ? refusal : 'an error of its own'}.`,
        reason,
      )
    if (causes.some((each) => each instanceof AnswerTooLarge))
      return new ProviderError(`${name} said more of you than can be read here.`, reason)
    if (has('TimeoutError') || has('OAUTH_TIMEOUT') || has('AbortError'))
      return new ProviderError(`${name} did not answer within ${seconds} seconds. Try again later.`, reason)
    if (['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'EAI_AGAIN', 'EHOSTUNREACH'].some(has))
      return new ProviderError(`${name} cannot be reached at the moment. Try again later.`, reason)
    if (has('OAUTH_PARSE_ERROR') || has('OAUTH_RESPONSE_IS_NOT_JSON') || has('OAUTH_RESPONSE_IS_NOT_CONFORM'))
      return new ProviderError(`${name} gave an answer that cannot be read. The log of this server says more.`, reason)
    if (refusal === 'invalid_grant')
      return new ProviderError('This sign-on was used already, or took too long. Begin again.', reason)
    return new ProviderError(`The sign-on with ${name} failed. The log of this server says why.`, reason)
  }
}

type Failure = Error & { code?: string; error?: string; error_description?: string; cause?: Failure }

/**
 * What claims say of a user, in our words. Throws `ProviderError` for those that name nobody, or someone who is not let
 * in.
 */
export function saidBy(config: Config, claims: Claims): Said {
  const { oidcIssuer, oidcName, oidcUsernameClaim, oidcGroups, oidcGroupsClaim, oidcAllowedGroups } = config
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined)
  const [subject, username] = [text('sub'), text(oidcUsernameClaim)]
  if (!subject || subject.length > 255)
    throw new ProviderError(`${oidcName} does not say who you are.`, 'no sub, or too long')
  if (!username)
    throw new ProviderError(
      `${oidcName} does not say by which name you are known.`,
      `no claim ${oidcUsernameClaim} (oidc_username_claim)`,
    )
  const groups = groupsIn(claims, oidcGroupsClaim)
  if (oidcAllowedGroups.length && !groups.some((group) => oidcAllowedGroups.includes(group)))
    throw new ProviderError(
      'You are in none of the groups that may sign on here.',
      `groups: ${groups.slice(0, 20).join(', ')}`,
    )
  return {
    issuer: oidcIssuer,
    subject,
    username,
    email: claims.email_verified === false ? undefined : text('email'),
    firstName: text('given_name'),
    lastName: text('family_name'),
    groups: oidcGroups === 'none' ? undefined : groups,
  }
}

/** Names of groups in a claim: a list, one name, or either within objects (`realm_access.roles`). */
function groupsIn(claims: Claims, name: string): string[] {
  const within = (at: unknown, part: string) =>
    typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? (at as Record<string, unknown>)[part] : undefined
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(within, claims)
  return [found].flat().filter((each) => typeof each === 'string')
}

/** What the configuration makes of what a provider says. */
export function rulesOf(config: Config, claims: Claims): SignOnRules {
  const { oidcSuperuserGroups, oidcGroupsClaim } = config
  const groups = groupsIn(claims, oidcGroupsClaim)
  return {
    creates: config.oidcCreateUsers,
    takes: config.oidcTakeExisting ? 'plain' : 'none',
    isByName: false,
    createsGroups: config.oidcGroups === 'create',
    superuser: oidcSuperuserGroups.length ? groups.some((group) => oidcSuperuserGroups.includes(group)) : undefined,
    groups: [],
    permissions: {},
  }
}
