import { createHash } from 'node:crypto'
import { LoginThrottle, TooManyTries } from '../rules/login-throttle.ts'
import { verifyPassword } from '../rules/passwords.ts'
import { logWarning } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { useCode } from '../services/second-factor.ts'
import { ApiError, type Call } from './request.ts'

const throttles = new WeakMap<Store, LoginThrottle>()
/** The login throttle of a server: wrong passwords count together, whichever endpoint they were sent to. */
function throttleOf({ store, config }: Call): LoginThrottle {
  const throttle = throttles.get(store) ?? new LoginThrottle(config)
  throttles.set(store, throttle)
  return throttle
}

/**
 * Id of the active user of a name and password; undefined when they are not right. Throws `ApiError` 429 where too many
 * were wrong before.
 */
export async function userByPassword(call: Call, username: string, password: string): Promise<number | undefined> {
  const named = () =>
    call.store.db.get<{ id: number; password: string; is_active: number }>(
      'select id, password, is_active from users_user where username = ?',
      username,
    )
  const user = named()
  // Other names are not logged: now and then one is a password.
  const facts = { client: call.client, user: user ? username : '(unknown)', request_id: call.requestId }
  const passed = begun(call, throttleOf(call), username, call.client, facts)
  const isRight = await verifyPassword(user?.password ?? '', password)
  const now = named() // it takes a while, in which the password may be changed
  if (isRight && now?.is_active && now.id === user?.id && now.password === user.password) {
    passed()
    return now.id
  }
  logWarning(call.config, 'wrong name or password', facts)
  return undefined
}

/** Tells the password of a user from every other one: what follows from one that was right ends with it. */
export const digestOfPassword = ({ store }: Pick<Call, 'store'>, user: number): string =>
  createHash('sha256')
    .update(store.rows.row('users.user', user)?.password ?? '')
    .digest('base64url')

const codeThrottles = new WeakMap<Store, LoginThrottle>()
/** Codes are counted by their user alone, from wherever they come: who tries them knows the password. */
function codeThrottleOf({ store, config }: Call): LoginThrottle {
  const settings = { ...config, loginAttemptsPerAddress: 0 }
  const throttle = codeThrottles.get(store) ?? new LoginThrottle(settings, undefined, 'codes')
  codeThrottles.set(store, throttle)
  return throttle
}

/**
 * Whether a one-time or recovery code of a user is right, which uses it up. Throws `ApiError` 429 where too many were
 * wrong before.
 */
export async function isUserCode(call: Call, userId: number, code: string): Promise<boolean> {
  const facts = { client: call.client, user_id: userId, request_id: call.requestId }
  const passed = begun(call, codeThrottleOf(call), String(userId), '', facts)
  if (await useCode(call.store, userId, code)) {
    passed()
    return true
  }
  logWarning(call.config, 'wrong one-time code', facts)
  return false
}

function begun(call: Call, throttle: LoginThrottle, name: string, client: string, facts: object): () => void {
  try {
    return throttle.begin(name, client)
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error
    logWarning(call.config, 'too many wrong passwords or codes', { ...facts, seconds: error.seconds })
    throw new ApiError(429, { detail: error.message }, { 'retry-after': String(error.seconds) })
  }
}
