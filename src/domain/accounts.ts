import { System } from '../api/actor.ts'
import { modelNamed } from '../registry/catalog.ts'
import type { Store } from '../store/open.ts'
import { Writing } from '../store/write.ts'
import { now } from '../tools/datetime.ts'
import { deleteRows } from '../store/cascade.ts'
import { hashPassword, weaknessOf } from './passwords.ts'
import { digestOf, newKey, newPlaintext } from './tokens.ts'
import { randomUUID } from 'node:crypto'

const writing = (store: Store): Writing => new Writing(store, System, { userId: null, username: '', requestId: randomUUID(), message: '', now: now() })

export interface Account { id: number; username: string; superuser: boolean; active: boolean }

/** Makes a user, past the password rule: the command line warns instead. */
export function createUser(store: Store, username: string, password: string, superuser: boolean): number {
  return store.commit.now(() => Number(store.db.run(
    'insert into users_user (username, password, first_name, last_name, email, is_active, date_joined, is_superuser) values (?, ?, ?, ?, ?, 1, ?, ?)',
    username, hashPassword(password), '', '', '', now(), superuser ? 1 : 0).lastInsertRowid))
}

export function setPassword(store: Store, username: string, password: string): boolean {
  return store.commit.now(() => store.db.run('update users_user set password = ? where username = ?', hashPassword(password), username).changes === 1)
}

export const listUsers = (store: Store): Account[] =>
  store.db.all<{ id: number; username: string; is_superuser: number; is_active: number }>('select id, username, is_superuser, is_active from users_user order by username')
    .map((u) => ({ id: u.id, username: u.username, superuser: u.is_superuser === 1, active: u.is_active === 1 }))

/** Makes a token; answers what goes into the Authorization header. `text`: a token of one's own, 40 characters or `nbt_<key>.<token>`. */
export function createToken(store: Store, userId: number, text?: string, options: { writeEnabled?: boolean; description?: string } = {}): string {
  const given = /^nbt_([A-Za-z0-9]{12})\.([A-Za-z0-9]{40})$/.exec(text ?? '')
  const isFirst = text !== undefined && !given
  const plaintext = given ? given[2]! : isFirst ? text : newPlaintext()
  const key = isFirst ? null : given ? given[1]! : newKey()
  const [pepperId, pepper] = Object.entries(store.config.peppers).at(-1)!
  store.commit.now(() => store.db.run(
    'insert into users_token (version, key, user_id, description, created, enabled, write_enabled, pepper_id, allowed_ips, plaintext, hmac_digest) values (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)',
    isFirst ? 1 : 2, key, userId, options.description ?? '', now(), options.writeEnabled === false ? 0 : 1, isFirst ? null : Number(pepperId), '[]', isFirst ? plaintext : null, isFirst ? null : digestOf(plaintext, pepper)))
  return isFirst ? `Token ${plaintext}` : `Bearer nbt_${key}.${plaintext}`
}

export const listTokens = (store: Store): { id: number; username: string; shown: string; description: string }[] =>
  store.db.all("select t.id, u.username, coalesce('nbt_' || t.key, '…' || substr(t.plaintext, -6)) as shown, t.description from users_token t join users_user u on u.id = t.user_id order by t.id")

export function revokeToken(store: Store, id: number): boolean {
  if (!store.db.get('select 1 from users_token where id = ?', id)) return false
  store.commit.now(() => deleteRows(writing(store), modelNamed('users.token'), [id]))
  return true
}

/** In a database without users: the administrator, from the environment or with a password and token that are printed once. */
export function createAdministrator(store: Store, env: NodeJS.ProcessEnv): void {
  if (store.db.get('select 1 from users_user')) return
  const username = env.CABINET_SUPERUSER_NAME || 'admin'
  const password = env.CABINET_SUPERUSER_PASSWORD || newPlaintext().slice(0, 20)
  const weakness = env.CABINET_SUPERUSER_PASSWORD ? weaknessOf(env.CABINET_SUPERUSER_PASSWORD) : undefined
  if (weakness) process.stderr.write(`warning: the administrator's password is weak: ${weakness}\n`)
  const token = createToken(store, createUser(store, username, password, true), env.CABINET_SUPERUSER_API_TOKEN)
  if (!env.CABINET_SUPERUSER_PASSWORD) process.stderr.write(`administrator ${username}, password ${password} (shown this once)\n`)
  if (!env.CABINET_SUPERUSER_API_TOKEN) process.stderr.write(`API token for the Authorization header: ${token} (shown this once)\n`)
}
