import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { sql } from '../declare/statement.ts'
import { modelNamed } from '../engine/catalog.ts'
import { now } from '../lib/datetime.ts'
import { seal, unseal } from '../lib/sealed.ts'
import { type Actor, System } from '../engine/actor.ts'
import type { Store } from '../store/open.ts'
import { insertRow, Writing } from '../store/write.ts'

const Purpose = 'second factor'
const bearerOf = (user: number): string => `user ${user}`

/** Seconds of one code, and how many codes before and after this one count too, for clocks that are wrong. */
const Period = 30
const Window = 1
/** How many recovery codes there are, their characters (none that look alike), and how many each has. */
const Codes = 10
const Letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const CodeLength = 12

/** A new secret, in the letters (base 32) in which programs take it. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (username: string, secret: string): TOTP =>
  new TOTP({ issuer: 'Cabinet', label: username, secret: Secret.fromBase32(secret), period: Period })

/** What programs read off a QR code: whose secret it is, and where. */
export const secretAddress = (username: string, secret: string): string => totpOf(username, secret).toString()

/** The step of time of a code, if it is one of a secret at about this moment (milliseconds). */
export function stepOf(secret: string, code: string, at = Date.now()): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf('', secret).validate({ token, timestamp: at, window: Window })
  return delta === null ? undefined : Math.floor(at / 1000 / Period) + delta
}

/** Since when a user has a second factor, and how many recovery codes are left; undefined for one who has none. */
export function secondFactorOf({ rows }: Store, user: number): { since: string; codes: number } | undefined {
  const found = rows.first('users.secondfactor', { user_id: user })
  return found && { since: found.created, codes: rows.count('users.recoverycode', { user_id: user }) }
}

/** Who does something to an account, for its change record. */
interface By {
  actor: Pick<Actor, 'userId' | 'username'>
  requestId: string
}

/**
 * Gives a user a second factor by a secret that was shown, where `code` is one of it. Other sessions than that of this
 * digest end. Answers recovery codes, to be shown once; undefined where the code is not right.
 */
export function turnOn(
  store: Store,
  user: number,
  { secret, code, session }: { secret: string; code: string; session: string },
  by: By,
): Promise<string[] | undefined> {
  const step = stepOf(secret, code)
  if (step === undefined) return Promise.resolve(undefined)
  return store.commit.run(() => {
    if (store.rows.has('users.secondfactor', { user_id: user })) return undefined
    insertRow(writing(store), modelNamed('users.secondfactor'), {
      user_id: user,
      secret: seal(store.config.peppers, Purpose, bearerOf(user), secret),
      step,
      created: now(),
    })
    store.rows.drop('users.session', { user_id: user, digest: { not: session } })
    note(store, user, 'Second factor set up', true, by)
    return renewed(store, user)
  })
}

/**
 * Takes a user's second factor and recovery codes away, and writes a change record of it. Answers false where there was
 * none.
 */
export function turnOff(store: Store, user: number, by: By): Promise<boolean> {
  return store.commit.run(() => dropped(store, user, by))
}

/** The same for the command line, beside a server. */
export const turnOffNow = (store: Store, user: number): boolean =>
  store.commit.now(() => dropped(store, user, { actor: System, requestId: randomUUID() }))

function dropped(store: Store, user: number, by: By): boolean {
  if (store.rows.drop('users.secondfactor', { user_id: user }) === 0) return false
  store.rows.drop('users.recoverycode', { user_id: user })
  note(store, user, 'Second factor taken off', false, by)
  return true
}

/** Other recovery codes in place of those that there are, to be shown once. */
export const renewCodes = (store: Store, user: number): Promise<string[]> =>
  store.commit.run(() => renewed(store, user))

function renewed(store: Store, user: number): string[] {
  const codes = Array.from({ length: Codes }, () =>
    Array.from({ length: CodeLength }, () => Letters[randomInt(Letters.length)]).join(''),
  )
  store.rows.drop('users.recoverycode', { user_id: user })
  const [number, pepper] = Object.entries(store.config.peppers).at(-1)!
  const w = writing(store)
  for (const code of codes)
    insertRow(w, modelNamed('users.recoverycode'), { user_id: user, digest: codeDigest(user, code, number, pepper) })
  return codes.map((code) => code.match(/.{4}/g)!.join('-'))
}

/** With a secret that the database does not hold: from the database alone no code can be tried out. */
const codeDigest = (user: number, code: string, number: string, pepper: string): string =>
  `${number}.${createHmac('sha256', pepper).update(`recovery code of ${user}: ${code}`).digest('base64url')}`

/** Whether a code of a user's program, or a recovery code, is right; it counts once. */
export function useCode(store: Store, user: number, code: string): Promise<boolean> {
  return store.commit.run(() => isStep(store, user, code) || isRecovery(store, user, code))
}

function isStep({ rows, config }: Store, user: number, code: string): boolean {
  const found = rows.first('users.secondfactor', { user_id: user })
  const secret = found && unseal(config.peppers, Purpose, bearerOf(user), found.secret)
  const step = secret && stepOf(secret, code)
  if (!found || typeof step !== 'number') return false
  // One that was used and is yet to come is of a clock that was ahead: nobody is kept out until then.
  if (step <= found.step && found.step <= step + 2 * Window) return false
  rows.set('users.secondfactor', { id: found.id }, { step })
  return true
}

function isRecovery({ rows, config }: Store, user: number, code: string): boolean {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  if (plain.length !== CodeLength) return false
  return Object.entries(config.peppers).some(
    ([number, pepper]) =>
      rows.drop('users.recoverycode', { user_id: user, digest: codeDigest(user, plain, number, pepper) }) > 0,
  )
}

const writing = (store: Store): Writing =>
  new Writing(store, System, { userId: null, username: '', requestId: randomUUID(), message: '', now: now() })

const AddRecord = sql`
  insert into core_objectchange (time, user_id, user_name, request_id, action, changed_object_type, changed_object_id,
    message, object_repr, prechange_data, postchange_data)
  values (?, ?, ?, ?, 'update', 'users.user', ?, ?, ?, ?, ?)`

/** Users have no change records, as in the reference; this is worth one all the same. */
function note(store: Store, user: number, message: string, isOn: boolean, { actor, requestId }: By): void {
  const { username } = store.rows.row('users.user', user)!
  const said = (on: boolean) => JSON.stringify({ second_factor: on })
  store.rows.run(
    AddRecord,
    now(),
    actor.userId,
    actor.username,
    requestId,
    user,
    message,
    username,
    said(!isOn),
    said(isOn),
  )
}
