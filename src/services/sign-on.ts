import { createHash, randomUUID } from 'node:crypto'
import { System } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { sql } from '../declare/statement.ts'
import { now } from '../lib/datetime.ts'
import type { Store } from '../store/open.ts'
import { create, insertRow, update, Writing } from '../store/write.ts'

/** What a provider or a proxy says of who signs on. */
export interface Said {
  /** Address of the provider; empty for the proxy. */
  issuer: string
  /** What it calls the user for ever. */
  subject: string
  username: string
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  /** Undefined where groups are not its business. */
  groups?: readonly string[] | undefined
}

/** What comes of it here. */
export interface SignOnRules {
  creates: boolean
  /** Which user of the same name, who is here already, one who signs on first may become. */
  takes: 'any' | 'plain' | 'none'
  /** Whether the subject is the username itself, so that another name is another user. */
  isByName: boolean
  createsGroups: boolean
  /** Whether who signs on is a superuser; undefined leaves that as it is. */
  superuser: boolean | undefined
  /** Of users that are made: their groups, and what they may do by the name of the permission. */
  groups: readonly string[]
  permissions: Readonly<Record<string, unknown>>
}

/** A sign-on that is refused; the message is for who signs on. */
export class SignOnRefused extends Error {}

const Username = /^[\p{L}\p{N}_.@+-]{1,150}$/u
/** Names that may be shown in a command. */
const Plain = /^[\w.@:+|=-]{1,100}$/
/** Groups of one user that count. */
const MaxGroups = 500

const Alike = sql<{ username: string }>`select username from users_user where fold(username) = fold(?)`

/** Whether the same was said of the user last, so that nothing has to be written: the id of the user then. */
export function knownUser(store: Store, said: Said, rules: SignOnRules): number | undefined {
  const known = store.rows.first('users.identity', { issuer: said.issuer, subject: said.subject })
  if (!known || known.said !== digestOf(said, rules)) return undefined
  if (!rules.isByName) return known.user_id
  return store.rows.has('users.user', { id: known.user_id, username: said.username }) ? known.user_id : undefined
}

/** The id of the user who signs on, made or brought up to date by what is said. Rejects with `SignOnRefused`. */
export function signOn(store: Store, given: Said, rules: SignOnRules): Promise<number> {
  const said = { ...given, username: given.username.normalize('NFKC') }
  if (!Username.test(said.username))
    throw new SignOnRefused(
      `“${said.username.slice(0, 40)}” cannot be a username here: ` +
        'it may have letters, digits and @ . + - _ only, at most 150.',
    )
  return store.commit.run(() => signedOn(store, said, rules))
}

function signedOn(store: Store, said: Said, rules: SignOnRules): number {
  const { rows } = store
  const w = new Writing(store, System, {
    userId: null,
    username: '',
    requestId: randomUUID(),
    message: 'Signed on',
    now: now(),
  })
  const key = { issuer: said.issuer, subject: said.subject }
  let known = rows.first('users.identity', key)
  if (known && rules.isByName && rows.row('users.user', known.user_id)?.username !== said.username) {
    rows.drop('users.identity', key)
    known = undefined
  }
  const id = known?.user_id ?? taken(store, said, rules) ?? made(w, said, rules)
  if (rows.row('users.user', id)!.is_active !== 1) throw new SignOnRefused('This account is not active.')
  const digest = digestOf(said, rules)
  if (known) rows.set('users.identity', key, { said: digest, last_used: w.by.now })
  else
    insertRow(w, modelNamed('users.identity'), {
      ...key,
      user_id: id,
      said: digest,
      created: w.by.now,
      last_used: w.by.now,
    })
  apply(w, id, said, rules)
  return id
}

/** The user of that name who is here already, if one who signs on may become them. Throws `SignOnRefused` where not. */
function taken({ rows }: Store, { username, issuer, subject }: Said, { takes }: SignOnRules): number | undefined {
  const user = rows.first('users.user', { username })
  if (!user) {
    const [alike] = rows.all(Alike, username)
    if (alike) throw new SignOnRefused(`${username} is too much like ${alike.username}, who is here already.`)
    return undefined
  }
  const isFree =
    takes === 'plain' &&
    user.is_superuser !== 1 &&
    !rows.has('users.secondfactor', { user_id: user.id }) && // who set one up wants to be asked for it
    !rows.has('users.identity', { user_id: user.id, issuer })
  if (takes === 'any' || isFree) return user.id
  const command = `“cabinet user link”${Plain.test(subject) ? `: ${username} '${subject}'` : ''}`
  throw new SignOnRefused(`There is an account ${username} here already. An administrator connects it by ${command}.`)
}

function made(w: Writing, said: Said, rules: SignOnRules): number {
  if (!rules.creates) throw new SignOnRefused(`There is no account ${said.username} here; an administrator makes one.`)
  const id = insertRow(w, modelNamed('users.user'), {
    username: said.username,
    password: '', // no password is this one
    is_active: 1,
    date_joined: w.by.now,
  })
  const { rows } = w.store
  const groups = rules.groups.flatMap((name) => rows.first('users.group', { name })?.id ?? [])
  if (groups.length && said.groups === undefined)
    update(w, modelNamed('users.user'), id, { groups }, { mode: 'update' })
  if (said.groups === undefined) for (const [name, rows] of Object.entries(rules.permissions)) permit(w, id, name, rows)
  return id
}

/** Gives a user a permission by its name, `dcim.view_site`; users with the same one share an object. */
function permit(w: Writing, user: number, name: string, given: unknown): void {
  const [, app, action, model] = /^([a-z]+)\.([a-z]+)_([a-z]+)$/.exec(name)!
  const isAll = given === null || (typeof given === 'object' && Object.keys(given as object).length === 0)
  const constraints = isAll ? null : given
  const m = modelNamed('users.objectpermission')
  const same = w.store.rows
    .rows('users.objectpermission', { name })
    .find(
      (each) =>
        (each.constraints === null ? null : JSON.stringify(JSON.parse(String(each.constraints)))) ===
        (constraints === null ? null : JSON.stringify(constraints)),
    )
  if (!same) {
    const body = { name, object_types: [`${app}.${model}`], actions: [action], constraints, users: [user] }
    create(w, m, body, { mode: 'create' })
    return
  }
  update(w, modelNamed('users.user'), user, { permissions: [...permissionsOf(w, user), same.id] }, { mode: 'update' })
}

const PermissionsOf = sql<{ id: number }>`select to_id as id from users_user_permissions where from_id = ?`
const permissionsOf = (w: Writing, user: number): number[] => w.store.rows.all(PermissionsOf, user).map(({ id }) => id)

const GroupsOf = sql<{ id: number }>`select to_id as id from users_user_groups where from_id = ?`

/** Makes a user what is said of them: names, address, groups, superuser. */
function apply(w: Writing, id: number, said: Said, rules: SignOnRules): void {
  const { rows } = w.store
  const user = rows.row('users.user', id)!
  const body: Record<string, unknown> = {}
  const texts = { email: said.email, first_name: said.firstName, last_name: said.lastName }
  for (const [name, text] of Object.entries(texts)) {
    const most = name === 'email' ? 254 : 150
    const value = text?.trim().slice(0, most)
    const fits = name === 'email' ? /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value ?? '') : value
    if (fits && value !== user[name as keyof typeof user]) body[name] = value
  }
  if (said.groups) {
    const groups = groupsNamed(w, said.groups, rules.createsGroups)
    const before = rows.all(GroupsOf, id).map((each) => each.id)
    if (groups.length !== before.length || groups.some((group) => !before.includes(group))) body.groups = groups
  }
  if (Object.keys(body).length) update(w, modelNamed('users.user'), id, body, { mode: 'update' })
  if (rules.superuser !== undefined && (user.is_superuser === 1) !== rules.superuser)
    rows.set('users.user', { id }, { is_superuser: rules.superuser ? 1 : 0 })
}

function groupsNamed(w: Writing, names: readonly string[], creates: boolean): number[] {
  const ids = new Set<number>()
  for (const name of [...new Set(names.map((each) => each.trim()))].slice(0, MaxGroups)) {
    if (name === '' || name.length > 150) continue
    const found = w.store.rows.first('users.group', { name })?.id
    const id = found ?? (creates ? create(w, modelNamed('users.group'), { name }, { mode: 'create' }).id : undefined)
    if (id !== undefined) ids.add(id)
  }
  return [...ids]
}

const digestOf = (said: Said, rules: SignOnRules): string =>
  createHash('sha256')
    .update(JSON.stringify([said, rules]))
    .digest('base64url')
