import { createHash, randomUUID } from 'node:crypto'
import { System } from '../engine/actor.ts'
import { Refused } from '../declare/behaviour.ts'
import { modelNamed } from '../engine/catalog.ts'
import { deleteRows } from '../store/cascade.ts'
import type { Store } from '../store/open.ts'
import { create, insertRow, Writing } from '../store/write.ts'
import { now, momentAt } from '../lib/datetime.ts'
import { refusalText } from '../lib/refusal-text.ts'
import { hashInThread, hashInWrite, hashPassword, weaknessOf } from '../rules/passwords.ts'
import { digestOf, newPlaintext } from '../rules/tokens.ts'
import { sql } from '../declare/statement.ts'

const Alike = sql`select 1 from users_user where fold(username) = fold(?)`
const AddUser = sql`
  insert into users_user (username, password, first_name, last_name, email, is_active, date_joined, is_superuser)
  values (?, ?, '', '', '', 1, ?, ?)`

interface Account {
  id: number
  username: string
  superuser: boolean
  active: boolean
  lastLogin: string | null
}
interface TokenLine {
  id: number
  username: string
  version: number
  shown: string
  writes: boolean
  enabled: boolean
  expires: string | null
  lastUsed: string | null
  description: string
}
interface TokenOptions {
  version?: 1 | 2
  readOnly?: boolean
  description?: string
  expires?: string
  allowedIps?: string[]
}

/** An account that cannot be made or found; the message says why. */
export class AccountError extends Error {}

const writing = (store: Store): Writing =>
  new Writing(store, System, { userId: null, username: '', requestId: randomUUID(), message: '', now: now() })

/** Makes a user and answers the id. The password rule is for the API: here a weak one is the caller's to warn of. */
export function createUser(store: Store, username: string, password: string, superuser: boolean): number {
  assertNew(store, username)
  const hash = hashPassword(password)
  return store.commit.now(() => addUser(store, username, hash, superuser))
}

function assertNew(store: Store, username: string): void {
  if (!/^[\w.@+-]{1,150}$/.test(username))
    throw new AccountError('a username has letters, digits and @ . + - _ only, at most 150')
  if (store.rows.get(Alike, username)) throw new AccountError(`there is a user ${username} already`)
}

function addUser(store: Store, username: string, hash: string, superuser: boolean): number {
  store.rows.run(AddUser, username, hash, now(), superuser ? 1 : 0)
  return store.rows.first('users.user', { username })!.id
}

/** Stores a password and ends the sessions that the old one began. Throws `AccountError` when there is no such user. */
export function setPassword(store: Store, username: string, password: string): void {
  const { id } = userNamed(store, username)
  const hash = hashPassword(password)
  store.commit.now(() => {
    store.rows.set('users.user', { id }, { password: hash })
    store.rows.drop('users.session', { user_id: id })
  })
}

/** Stores the password that a user chose; of their sessions only the one they chose it in goes on (by its digest). */
export const changePassword = (store: Store, id: number, password: string, session: string): Promise<void> =>
  store.commit.run(() => {
    const { username } = store.rows.row('users.user', id)!
    store.rows.set('users.user', { id }, { password: hashInWrite(password, username) })
    store.rows.drop('users.session', { user_id: id, digest: { not: session } })
  })

/**
 * Makes a user an administrator, or one no more. Throws `AccountError` when there is no such user, or no other
 * administrator.
 */
export function setSuperuser(store: Store, username: string, superuser: boolean): void {
  const { id } = userNamed(store, username)
  const others = listUsers(store).some((user) => user.superuser && user.active && user.id !== id)
  if (!superuser && !others) throw new AccountError(`${username} is the only administrator: promote another one first`)
  store.commit.now(() => store.db.run('update users_user set is_superuser = ? where id = ?', Number(superuser), id))
}

/**
 * Connects a user with whom the provider calls by `subject`. Throws `AccountError` when there is no such user, or that
 * one is somebody else here.
 */
export function linkIdentity(store: Store, username: string, subject: string): void {
  const { id } = userNamed(store, username)
  const issuer = store.config.oidcIssuer
  if (!issuer) throw new AccountError('there is no provider: oidc_issuer is empty')
  const known = store.rows.first('users.identity', { issuer, subject })
  if (known && known.user_id !== id)
    throw new AccountError(`${subject} is ${store.rows.row('users.user', known.user_id)!.username} here`)
  if (known) return
  store.commit.now(() => {
    insertRow(writing(store), modelNamed('users.identity'), { issuer, subject, user_id: id, created: now() })
  })
}

/** Minutes in which the key of `loginKey` counts. */
export const LoginKeyLasts = 10

/**
 * A key that logs a user in once, without password and second factor. Throws `AccountError` when there is no such
 * active user.
 */
export function loginKey(store: Store, username: string): string {
  const { id, active } = userNamed(store, username)
  if (!active) throw new AccountError(`${username} is not active`)
  const key = newPlaintext()
  store.commit.now(() => {
    insertRow(writing(store), modelNamed('users.session'), {
      digest: loginKeyDigest(key),
      user_id: id,
      expires: momentAt(Date.now() + LoginKeyLasts * 60_000),
      agent: 'a key of cabinet user login, not used yet',
    })
  })
  return key
}

/** What is stored of such a key: no session's cookie has this digest. */
export const loginKeyDigest = (key: string): string => createHash('sha256').update(`login key ${key}`).digest('hex')

/** Every user, by name. */
export const listUsers = (store: Store): Account[] =>
  store.rows.rows('users.user', {}, { order: ['username'] }).map((u) => ({
    id: u.id,
    username: u.username,
    superuser: u.is_superuser === 1,
    active: u.is_active === 1,
    lastLogin: u.last_login,
  }))

/** The user of a name. Throws `AccountError` when there is none. */
export function userNamed(store: Store, username: string): Account {
  const found = listUsers(store).find((user) => user.username === username)
  if (!found) throw new AccountError(`no user ${username}`)
  return found
}

/** Makes a token by the rules of the API; answers the value of the Authorization header, which cannot be had again. */
export function createToken(store: Store, username: string, options: TokenOptions = {}): string {
  const user = userNamed(store, username).id
  const { version = 2, readOnly = false, description = '', expires, allowedIps = [] } = options
  const body = {
    user,
    version,
    description,
    write_enabled: !readOnly,
    allowed_ips: allowedIps,
    ...(expires === undefined ? {} : { expires }),
  }
  try {
    return store.commit.now(() => {
      const { id, shownOnce } = create(writing(store), modelNamed('users.token'), body, { mode: 'create' })
      const { key } = store.rows.row('users.token', id)!
      return key === null ? `Token ${shownOnce.token}` : `Bearer nbt_${key}.${shownOnce.token}`
    })
  } catch (error) {
    throw error instanceof Refused ? new AccountError(refusalText(error.body, body)) : error
  }
}

const AllTokens = sql<Omit<TokenLine, 'writes' | 'enabled'> & { writes: number; enabled: number }>`
  select t.id, u.username, t.version, coalesce('nbt_' || t.key, '…' || substr(t.plaintext, -6)) as shown,
    t.write_enabled as writes, t.enabled, t.expires, t.last_used as lastUsed, t.description
  from users_token t join users_user u on u.id = t.user_id order by t.id`

/** Every token, as far as it may be shown. */
export const listTokens = (store: Store): TokenLine[] =>
  store.rows.all(AllTokens).map((t) => ({ ...t, writes: t.writes === 1, enabled: t.enabled === 1 }))

/** Deletes a token. Throws `AccountError` when there is none of this id. */
export function revokeToken(store: Store, id: number): void {
  if (!store.rows.has('users.token', { id })) throw new AccountError(`no token ${id}`)
  store.commit.now(() => deleteRows(writing(store), modelNamed('users.token'), [id]))
}

const AddToken = sql`
  insert into users_token (user_id, description, created, enabled, write_enabled, allowed_ips,
    version, key, pepper_id, plaintext, hmac_digest)
  values (?, '', ?, 1, 1, null, ?, ?, ?, ?, ?)`

/** Stores a token that was chosen outside: 40 hexadecimal digits are version 1, `nbt_<key>.<token>` is version 2. */
function storeToken(store: Store, userId: number, text: string): void {
  const [, key, plaintext] = /^nbt_([A-Za-z0-9]{12})\.([A-Za-z0-9]{40})$/.exec(text) ?? []
  const [pepperId, pepper] = Object.entries(store.config.peppers).at(-1)!
  const columns = plaintext
    ? [2, key!, Number(pepperId), null, digestOf(plaintext, pepper)]
    : [1, null, null, text, null]
  store.rows.run(AddToken, userId, now(), ...columns)
}

/** The password of the administrator that the environment names, one of its own where it names none. */
export interface FirstPassword {
  password: string
  /** What is stored of it, once a thread has made that. */
  hash: Promise<string>
}

/** Begins to hash the password of the administrator, which takes as long as opening a new database. */
export function firstPassword({ CABINET_SUPERUSER_PASSWORD: given }: NodeJS.ProcessEnv): FirstPassword {
  const password = given || newPlaintext().slice(0, 20)
  const hash = hashInThread(password)
  hash.catch(() => undefined) // told to who waits for it
  return { password, hash }
}

/**
 * In a database without users: what makes the administrator that the environment names, with a password and a token of
 * its own where it gives none, and answers lines to show, once. Where there are users it makes none. `begun`: where the
 * password is being hashed already.
 */
export async function administratorOf(
  store: Store,
  env: NodeJS.ProcessEnv,
  begun?: FirstPassword,
): Promise<() => string[]> {
  if (store.rows.has('users.user', {})) return () => []
  const {
    CABINET_SUPERUSER_NAME: username = 'admin',
    CABINET_SUPERUSER_PASSWORD: given,
    CABINET_SUPERUSER_API_TOKEN: text,
  } = env
  if (text && !/^([0-9a-f]{40}|nbt_[A-Za-z0-9]{12}\.[A-Za-z0-9]{40})$/i.test(text)) {
    throw new AccountError(
      'CABINET_SUPERUSER_API_TOKEN must be 40 hexadecimal digits, or nbt_<key of 12>.<token of 40>',
    )
  }
  const weakness = given ? weaknessOf(given) : undefined
  assertNew(store, username)
  const first = begun ?? firstPassword(env)
  const { password } = first
  const hash = await first.hash
  return () =>
    store.commit.now(() => {
      const id = addUser(store, username, hash, true)
      if (text) storeToken(store, id, text)
      return [
        ...(weakness ? [`warning: the administrator's password is weak: ${weakness}`] : []),
        ...(given ? [] : [`administrator ${username}, password ${password} (shown this once)`]),
        ...(text
          ? []
          : [
              `API token of ${username}, for the Authorization header: ${createToken(store, username)} ` +
                '(shown this once)',
            ]),
      ]
    })
}
