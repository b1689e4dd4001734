import { createHmac, randomInt } from 'node:crypto'

const Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const random = (length: number): string => Array.from({ length }, () => Alphabet[randomInt(Alphabet.length)]).join('')

/** Public part of a version 2 token. */
export const newKey = (): string => random(12)
/** Secret part of a token. */
export const newPlaintext = (): string => random(40)
/** HMAC-SHA256 of a version 2 token's plaintext with a pepper; all that is stored of it. */
export const digestOf = (plaintext: string, pepper: string): string =>
  createHmac('sha256', pepper).update(plaintext).digest('hex')
