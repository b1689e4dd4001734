import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Secrets by their number; the last one seals, all of them open. */
type Secrets = Readonly<Record<string, string>>

const keys = new Map<string, Buffer>()
function keyOf(secret: string, purpose: string): Buffer {
  const name = `${purpose}\0${secret}`
  const key = keys.get(name) ?? Buffer.from(hkdfSync('sha256', secret, '', `cabinet ${purpose}`, 32))
  keys.set(name, key)
  return key
}

/** A text that only who has the secret can read or make, for one purpose and one bearer: AES-256-GCM. */
export function seal(secrets: Secrets, purpose: string, bearer: string, text: string): string {
  const [number, secret] = Object.entries(secrets).at(-1)!
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), iv).setAAD(Buffer.from(bearer))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${number}.${sealed.toString('base64url')}`
}

/** The text that was sealed for this purpose and bearer; undefined for anything else. */
export function unseal(secrets: Secrets, purpose: string, bearer: string, sealed: string): string | undefined {
  const [, number, body] = /^(\d{1,4})\.([\w-]{38,8000})$/.exec(sealed) ?? []
  const secret = number === undefined ? undefined : secrets[number]
  if (!secret || !body) return undefined
  const bytes = Buffer.from(body, 'base64url')
  try {
    const opened = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), bytes.subarray(0, 12))
      .setAAD(Buffer.from(bearer))
      .setAuthTag(bytes.subarray(-16))
    return Buffer.concat([opened.update(bytes.subarray(12, -16)), opened.final()]).toString('utf8')
  } catch {
    return undefined // not ours, or of another bearer
  }
}
