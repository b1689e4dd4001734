import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, openSync, readSync, statSync } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { argon2 } from './addons.ts'

/** Says that a file is sealed, and how: a key by argon2id (64 MB, 3 passes) of a passphrase, AES-256-GCM. */
const Magic = Buffer.from('cabinet sealed 1\n')
const [SaltBytes, NonceBytes, TagBytes] = [16, 12, 16]
const HeadBytes = Magic.length + SaltBytes + NonceBytes
const Cost = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1, outputLen: 32 }

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> => argon2().hashRaw(passphrase, { ...Cost, salt })

/** A stream that seals what passes with a passphrase: head, sealed bytes, tag. */
export async function sealing(passphrase: string): Promise<Transform> {
  const [salt, nonce] = [randomBytes(SaltBytes), randomBytes(NonceBytes)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  const head = Buffer.concat([Magic, salt, nonce])
  cipher.setAAD(head)
  const seal = new Transform({
    transform: (chunk: Buffer, _, done) => done(null, cipher.update(chunk)),
    flush: (done) => done(null, Buffer.concat([cipher.final(), cipher.getAuthTag()])),
  })
  seal.push(head)
  return seal
}

/**
 * Opens a sealed file into another, which is whole only when this ends. Throws where the passphrase is wrong or the
 * file was changed.
 */
export async function unseal(file: string, into: string, passphrase: string): Promise<void> {
  const size = statSync(file).size
  const [head, tag] = [Buffer.alloc(HeadBytes), Buffer.alloc(TagBytes)]
  const handle = openSync(file, 'r')
  try {
    readSync(handle, head, 0, HeadBytes, 0)
    if (size < HeadBytes + TagBytes || !head.subarray(0, Magic.length).equals(Magic))
      throw new Error(`${file} is not sealed by Cabinet, or damaged`)
    readSync(handle, tag, 0, TagBytes, size - TagBytes)
  } finally {
    closeSync(handle)
  }
  const [salt, nonce] = [head.subarray(Magic.length, Magic.length + SaltBytes), head.subarray(-NonceBytes)]
  const cipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  cipher.setAAD(head)
  cipher.setAuthTag(tag)
  try {
    const bytes = { start: HeadBytes, end: size - TagBytes - 1 }
    const sealed = bytes.end < bytes.start ? [] : createReadStream(file, bytes)
    await pipeline(sealed, cipher, createWriteStream(into, { fd: openSync(into, 'w', 0o600), flush: true }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('E')) throw error
    throw new Error(`the passphrase is wrong, or ${file} was changed`)
  }
}
