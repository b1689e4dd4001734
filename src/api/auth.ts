import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Store } from '../store/open.ts'
import { contains, parseAddress } from '../tools/ip.ts'
import { digestOf } from '../domain/tokens.ts'
import { now } from '../tools/datetime.ts'
import { Lru } from '../tools/lru.ts'
import { allModels, fieldsOf } from '../registry/catalog.ts'
import { type Actor, System } from '../registry/actor.ts'
import { isBusy } from '../store/database.ts'
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
interface Known {
  token: Token
  actor: Actor
  stamp: number
}

const AccountTables = [
  'users_token',
  'users_user',
  'users_group',
  'users_objectpermission',
  'users_user_groups',
  'users_user_permissions',
  'users_group_permissions',
]
/** Milliseconds between two times that the use of a token is stored, and after which that is tried again while the database is locked. */
const Refresh = 60_000
const RetryUsed = 2000
/** Verified tokens that are remembered, the least recently used ones forgotten first. */
const MaxKnown = 5000

/** Finds out who makes a request, from its token; remembers verified tokens until an account changes. */
export class Authenticator {
  readonly #store: Store
  readonly #config: Config
  readonly #known = new Lru<string, Known>(MaxKnown)
  readonly #lastUsed = new Map<number, number>()
  #actors = new Map<number, Actor>()
  #stamp = -1

  constructor(store: Store, config: Config) {
    this.#store = store
    this.#config = config
  }

  /** The actor of an Authorization header. Throws `ApiError` 403 for one that does not authenticate. */
  byHeader(header: string, client: string): Actor {
    this.#refresh()
    const text = tokenOf(header)
    let known = this.#known.get(text)
    if (!known) {
      const token = text.startsWith('nbt_') ? this.#second(text) : this.#first(text)
      known = { token, actor: this.actorOf(token.user_id, token.write_enabled === 1), stamp: this.#stamp }
      this.#known.set(text, known)
    }
    const { token } = known
    if (!token.enabled) throw forbidden('Token disabled')
    if (token.expires && Date.parse(token.expires) <= Date.now()) throw forbidden('Token expired')
    const allowed = JSON.parse(token.allowed_ips ?? '[]') as string[]
    if (allowed.length && !isAmong(client, allowed))
      throw forbidden(`Source IP ${client} is not permitted to authenticate using this token.`)
    this.#used(token)
    return known.actor
  }

  /** The actor that a user is, with the grants of the user and of their groups. */
  actorOf(userId: number, writes: boolean): Actor {
    this.#refresh()
    const key = writes ? userId : -userId
    const known = this.#actors.get(key)
    if (known) return known
    const user = this.#store.db.get<{ id: number; username: string; is_superuser: number; is_active: number }>(
      'select id, username, is_superuser, is_active from users_user where id = +?',
      userId,
    )
    if (!user?.is_active) throw forbidden('User inactive')
    const actor: Actor = {
      userId: user.id,
      username: user.username,
      superuser: user.is_superuser === 1,
      grants: this.#grants(user.id),
      exempt: this.exempt,
      writes,
    }
    this.#actors.set(key, actor)
    return actor
  }

  /** Nobody: sees what EXEMPT_VIEW_PERMISSIONS shows. */
  get anonymous(): Actor {
    return { ...System, superuser: false, exempt: this.exempt, writes: false }
  }

  readonly exempt = (model: string): boolean => {
    const list = this.#config.exemptViewPermissions
    return !showsSecrets().has(model) && (list.includes(model) || (list.includes('*') && !NeverExempt.has(model)))
  }

  #refresh(): void {
    const stamp = this.#store.db.stamp(AccountTables)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.#known.clear()
    this.#actors = new Map()
  }

  #grants(userId: number): Map<string, unknown[]> {
    const grants = new Map<string, unknown[]>()
    const add = (name: string, constraints: unknown) => grants.set(name, [...(grants.get(name) ?? []), constraints])
    for (const [name, constraints] of Object.entries(this.#config.defaultPermissions)) add(name, constraints)
    const rows = this.#store.db.all<{ object_types: string; actions: string; constraints: string | null }>(
      `select object_types, actions, constraints from users_objectpermission p where enabled = 1 and (
         p.id in (select to_id from users_user_permissions where from_id = +?)
         or p.id in (select gp.to_id from users_group_permissions gp join users_user_groups ug on ug.to_id = gp.from_id where ug.from_id = +?))`,
      userId,
      userId,
    )
    for (const row of rows) {
      const constraints = row.constraints === null ? null : JSON.parse(row.constraints)
      for (const type of JSON.parse(row.object_types) as string[])
        for (const action of JSON.parse(row.actions) as string[]) add(type.replace('.', `.${action}_`), constraints)
    }
    return grants
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

  /** Sets last_used, at most once a minute and not in maintenance mode. What is remembered of tokens stays true. */
  #used(token: Token): void {
    const at = Date.now()
    const before = this.#lastUsed.get(token.id) ?? (token.last_used ? Date.parse(token.last_used) : 0)
    if (at - before <= Refresh || this.#config.maintenanceMode) return
    this.#lastUsed.set(token.id, at)
    const { commit, db } = this.#store
    try {
      commit.now(() => db.run('update users_token set last_used = ? where id = ?', now(), token.id))
      this.#stamp = db.stamp(AccountTables) // this write alone: what was written before it has been seen by `#refresh`
    } catch (error) {
      if (!isBusy(error)) throw error
      this.#lastUsed.set(token.id, at - Refresh + RetryUsed)
    }
  }
}

const NeverExempt = new Set([
  'users.user',
  'users.group',
  'users.objectpermission',
  'users.token',
  'core.configrevision',
])

let withSecrets: ReadonlySet<string> | undefined
/** Names of the models whose answers have secret members: nobody sees them without a permission. */
const showsSecrets = (): ReadonlySet<string> =>
  (withSecrets ??= new Set(
    allModels
      .filter((m) => fieldsOf(m).some(([, { options: o }]) => o.secret && !o.hidden && !o.writeOnly))
      .map((m) => m.name),
  ))

/** The token of an Authorization header. Throws `ApiError` 403 for a header that has none. */
function tokenOf(header: string): string {
  const [keyword, ...parts] = header.trim().split(/\s+/)
  if (!/^(token|bearer)$/i.test(keyword ?? '')) throw forbidden('Authentication credentials were not provided.')
  if (parts.length !== 1)
    throw forbidden(
      `Invalid authorization header: ${parts.length === 0 ? 'no credentials provided' : 'the token must not contain spaces'}`,
    )
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
