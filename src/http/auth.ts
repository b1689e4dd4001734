import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Store } from '../store/open.ts'
import { contains, parseAddress } from '../lib/ip.ts'
import { digestOf } from '../rules/tokens.ts'
import { now } from '../lib/datetime.ts'
import { Lru } from '../lib/lru.ts'
import { AccountTables, Actors } from '../store/actors.ts'
import { complain } from '../lib/log.ts'
import { Locked } from '../store/commit.ts'
import type { Actor } from '../engine/actor.ts'
import { type ApiError, forbidden } from './request.ts'

interface Token {
  id: number
  version: number
  plaintext: string | null
  key: string | null
  hmac_digest: string | null
  pepper_id: number | null
  user_id: number
  enabled: number
  write_enabled: number
  expires: string | null
  last_used: string | null
  allowed_ips: string | null
}
/** That credentials were used, from which address. */
export interface Use {
  of: 'token' | 'session'
  id: number
  client: string
}
interface Known {
  token: Token
  actor: Actor
  stamp: number
  /** The address that it was used from last, which was among those that are allowed. */
  client: string | undefined
}

const Tables = ['users_token', ...AccountTables]
/**
 * Milliseconds between two times that the use of a token is stored, and after which that is tried again while the
 * database is locked.
 */
const Refresh = 60_000
const RetryUsed = 2000
/** Verified tokens that are remembered, the least recently used ones forgotten first. */
const MaxKnown = 5000

/** Finds out who makes a request, from its token; remembers verified tokens until an account changes. */
export class Authenticator {
  readonly #store: Store
  readonly #config: Config
  readonly #known = new Lru<string, Known>(MaxKnown)
  readonly #lastUsed = new Lru<string, number>(MaxKnown)
  readonly #actors: Actors
  #stamp = -1

  readonly #passOn: ((use: Use) => void) | undefined

  /** `passOn` is told of uses that another thread stores. */
  constructor(store: Store, config: Config, passOn?: (use: Use) => void) {
    this.#store = store
    this.#config = config
    this.#passOn = passOn
    this.#actors = new Actors({ db: store.db, config })
  }

  /** Where users are looked up: of an earlier state, who asks is what they are today. */
  get store(): Store {
    return this.#store
  }

  /** The actor of an Authorization header. Throws `ApiError` 403 for one that does not authenticate. */
  byHeader(header: string, client: string): Actor {
    this.#refresh()
    const text = tokenOf(header)
    let known = this.#known.get(text)
    if (!known) {
      const token = text.startsWith('nbt_') ? this.#second(text) : this.#first(text)
      const actor = this.actorOf(token.user_id, token.write_enabled === 1)
      known = { token, actor, stamp: this.#stamp, client: undefined }
      this.#known.set(text, known)
    }
    const { token } = known
    if (!token.enabled) throw forbidden('Token disabled')
    if (token.expires && Date.parse(token.expires) <= Date.now()) throw forbidden('Token expired')
    if (known.client !== client) {
      const allowed = JSON.parse(token.allowed_ips ?? '[]') as string[]
      if (allowed.length && !isAmong(client, allowed))
        throw forbidden(`Source IP ${client} is not permitted to authenticate using this token.`)
      known.client = client
    }
    this.noteUse({ of: 'token', id: token.id, client }, token.last_used)
    return known.actor
  }

  /** A session by the digest of its key: as it is today, whatever moment is shown. */
  session(digest: string): { id: number; user_id: number; expires: string; last_used: string | null } | undefined {
    return this.#store.db.get('select id, user_id, expires, last_used from users_session where digest = ?', digest)
  }

  /** The actor that a user is. Throws `ApiError` 403 for one who is not active. */
  actorOf(userId: number, writes: boolean): Actor {
    const actor = this.#actors.of(userId, writes)
    if (!actor) throw forbidden('User inactive')
    return actor
  }

  /** Nobody: sees what EXEMPT_VIEW_PERMISSIONS shows. */
  get anonymous(): Actor {
    return this.#actors.anonymous
  }

  #refresh(): void {
    const stamp = this.#store.db.stamp(Tables)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.#known.clear()
  }

  #first(plaintext: string): Token {
    const token = this.#store.db.get<Token>('select * from users_token where version = 1 and plaintext = ?', plaintext)
    if (!token) throw forbidden('Invalid v1 token')
    return token
  }

  #second(text: string): Token {
    const [key, plaintext, ...more] = text.slice(4).split('.') as [string, string?, ...string[]]
    if (more.length) throw forbidden('Invalid v2 token')
    const token = this.#store.db.get<Token>('select * from users_token where version = 2 and key = ?', key)
    const pepper = token && this.#config.peppers[String(token.pepper_id)]
    const digest = Buffer.from(digestOf(plaintext ?? '', pepper ?? 'no such pepper'))
    if (!token?.hmac_digest || !pepper || !timingSafeEqual(digest, Buffer.from(token.hmac_digest.padEnd(64))))
      throw forbidden('Invalid v2 token')
    return token
  }

  /** Keeps when a session was used, and from where. */
  sessionUsed({ id, last_used }: { id: number; last_used: string | null }, client: string): void {
    this.noteUse({ of: 'session', id, client }, last_used)
  }

  /** Stores a use a little later, at most once a minute and not in maintenance mode; `last` is what is stored. */
  noteUse(use: Use, last: string | null = null): void {
    const at = Date.now()
    const key = `${use.of} ${use.id}`
    const before = this.#lastUsed.get(key) ?? (last ? Date.parse(last) : 0)
    // One that is yet to come is of a clock that was ahead.
    if (Math.abs(at - before) <= Refresh || this.#config.maintenanceMode) return
    this.#lastUsed.set(key, at)
    if (this.#passOn) {
      this.#passOn(use)
      return
    }
    this.#store.commit
      .run(() => this.#keepUse(use))
      .catch((error: unknown) => {
        this.#lastUsed.set(key, at - Refresh + RetryUsed)
        if (!(error instanceof Locked))
          complain(`cabinet: the use of ${key} is not stored: ${(error as Error).message}\n`)
      })
  }

  /** What is remembered of tokens stays true. */
  #keepUse({ of, id, client }: Use): void {
    const { db } = this.#store
    if (of === 'session') {
      db.run('update users_session set last_used = ?, address = ? where id = ?', now(), client, id)
      return
    }
    const before = db.stamp(Tables)
    db.run('update users_token set last_used = ? where id = ?', now(), id)
    if (this.#stamp === before) this.#stamp = db.stamp(Tables) // of this write alone nothing need be forgotten
  }
}

/** The token of an Authorization header. Throws `ApiError` 403 for a header that has none. */
function tokenOf(header: string): string {
  const [keyword, ...parts] = header.trim().split(/\s+/)
  if (!/^(token|bearer)$/i.test(keyword ?? '')) throw forbidden('Authentication credentials were not provided.')
  if (parts.length !== 1) {
    const why = parts.length === 0 ? 'no credentials provided' : 'the token must not contain spaces'
    throw forbidden(`Invalid authorization header: ${why}`)
  }
  return parts[0]!
}

const isAmong = (client: string, networks: readonly string[]): boolean => {
  const address = parseAddress(client)
  return (
    address !== undefined &&
    networks.some((network) => {
      const parsed = parseAddress(network)
      return parsed !== undefined && contains(parsed, address)
    })
  )
}

/** 403 of a request without credentials where some are needed. */
export const noCredentials = (): ApiError => forbidden('Authentication credentials were not provided.')
