import { randomBytes } from 'node:crypto'
import { argon2 } from '../lib/addons.ts'
import { type Done, deferred, type BatchWorker } from '../lib/deferred.ts'

/** argon2id hash of a password, as stored. */
export const hashPassword = (password: string): string => argon2().hashSync(password)

/** The same, made in a thread. */
export const hashInThread = (password: string): Promise<string> => argon2().hash(password)

/** Hashes passwords one after the other; each takes some 40 ms of a processor, and logins need the other threads. */
const hashing: BatchWorker<string, string> = async (passwords) => {
  const done: Done<string>[] = []
  for (const password of passwords) {
    const before = lastHash
    const mine = before.then(() => argon2().hash(password))
    lastHash = mine.catch(() => undefined)
    done.push({ value: await mine })
  }
  return done
}
let lastHash: Promise<unknown> = Promise.resolve()

/**
 * The same within a write: hashed in a thread, and some other text until it is there. `whose` tells one from another.
 */
export const hashInWrite = (password: string, whose: string): string =>
  deferred(hashing, {
    key: `${whose}\n${password}`,
    input: password,
    inPlace: () => hashPassword(password),
    placeholder: '!',
  })

/** Whether a password is the one of a stored hash; takes as long when there is none. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const against = hash.startsWith('$argon2') ? hash : Decoy()
  const matches = await argon2()
    .verify(against, password)
    .catch(() => false)
  return matches && against === hash
}

let decoy: string | undefined
const Decoy = (): string => (decoy ??= hashPassword(randomBytes(16).toString('hex')))

/** Why a password is too weak, or nothing. */
export function weaknessOf(password: string): string | undefined {
  if (password.length < 12) return 'Password must be at least 12 characters in length.'
  if (!/\d/.test(password)) return 'Password must have at least one numeral.'
  if (!/[A-Z]/.test(password)) return 'Password must have at least one uppercase letter.'
  if (!/[a-z]/.test(password)) return 'Password must have at least one lowercase letter.'
  return undefined
}
