import { LoginThrottle, TooManyTries } from '../rules/login-throttle.ts'
import { verifyPassword } from '../rules/passwords.ts'
import { logWarning } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { ApiError, type Call } from './request.ts'

const throttles = new WeakMap<Store, LoginThrottle>()
/** The one throttle of a server: what is guessed at one door counts at the others. */
function throttleOf({ store, config }: Call): LoginThrottle {
  const throttle = throttles.get(store) ?? new LoginThrottle(config)
  throttles.set(store, throttle)
  return throttle
}

/** Id of the active user of a name and password; undefined when they are not right. Throws `ApiError` 429 where too many were wrong before. */
export async function userByPassword(call: Call, username: string, password: string): Promise<number | undefined> {
  const user = call.store.db.get<{ id: number; password: string; is_active: number }>(
    'select id, password, is_active from users_user where username = ?',
    username,
  )
  // Other names are not logged: now and then one is a password.
  const facts = { client: call.client, user: user ? username : '(unknown)', request_id: call.requestId }
  const passed = begun(call, username, facts)
  if ((await verifyPassword(user?.password ?? '', password)) && user?.is_active) {
    passed()
    return user.id
  }
  logWarning(call.config, 'wrong name or password', facts)
  return undefined
}

function begun(call: Call, username: string, facts: object): () => void {
  try {
    return throttleOf(call).begin(username, call.client)
  } catch (error) {
    if (!(error instanceof TooManyTries)) throw error
    logWarning(call.config, 'too many wrong passwords', { ...facts, seconds: error.seconds })
    throw new ApiError(429, { detail: error.message }, { 'retry-after': String(error.seconds) })
  }
}
