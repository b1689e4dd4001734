import { Leads, NumberLead, NumberLeads, UpperShape, weightsOf } from './natural-sort-weights.ts'

/** ICU compares longer runs of digits piece by piece. */
const LongestNumber = 254
/** Numbers of up to this many digits have a lead byte of their own. */
const ShortNumber = 30
/** Weights of the second and third level lie above it, counts of usual weights before them below. */
const Usual = 0x40

/** One level of a key: bytes written, and how many usual weights wait to be written if an unusual one follows. */
interface Level {
  bytes: Buffer
  length: number
  usual: number
}
const level = (): Level => ({ bytes: Buffer.alloc(512), length: 0, usual: 0 })
const [first, accents, shapes] = [level(), level(), level()]

/**
 * Binary sort key: memcmp of keys is the root collation with numbers by value (P2 before P10). The first level tells
 * neither case nor accents, the second accents, the third shapes (lower before upper case); a zero byte parts them,
 * usual endings are left out.
 */
export function naturalKey(text: string): Buffer {
  for (const l of [first, accents, shapes]) l.length = l.usual = 0
  const chars = /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFD')
  for (let i = 0; i < chars.length; i++) {
    const code = chars.charCodeAt(i)
    if (code < 128) {
      const lead = Leads[code]!
      if (lead) {
        put(first, lead)
        accents.usual++
        add(shapes, code >= 65 && code <= 90 ? UpperShape : 0)
      } else if (isDigit(code)) i = number(chars, i) - 1
    } else i = other(chars, i) - 1
  }
  return joined()
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

function put(l: Level, byte: number): void {
  if (l.length === l.bytes.length) l.bytes = Buffer.concat([l.bytes], l.length * 2)
  l.bytes[l.length++] = byte
}

/** The more usual weights before an unusual one, the lighter: a long run gets a small byte. */
function add(l: Level, weight: number): void {
  if (weight === 0) {
    l.usual++
    return
  }
  while (l.usual > 0) {
    const run = Math.min(l.usual, Usual - 1)
    put(l, Usual - run)
    l.usual -= run
  }
  put(l, Usual + weight)
}

/** A character beyond ASCII; answers the position after it. */
function other(chars: string, at: number): number {
  const char = String.fromCodePoint(chars.codePointAt(at)!)
  if (digitValue(char) !== undefined) return number(chars, at)
  for (const weight of weightsOf(char)) {
    for (const byte of weight.first) put(first, byte)
    add(accents, weight.accent)
    add(shapes, weight.shape)
  }
  return at + char.length
}

/** Digits of any script come in rows of ten, some rows next to each other. */
function digitValue(char: string): number | undefined {
  if (!/\p{Nd}/u.test(char)) return undefined
  let before = 0
  for (let code = char.codePointAt(0)! - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code--) before++
  return before % 10
}

/** A run of digits; answers the position after it. */
function number(chars: string, start: number): number {
  const digits: number[] = []
  let at = start
  while (at < chars.length) {
    const char = String.fromCodePoint(chars.codePointAt(at)!)
    const value = char < '\x80' ? (isDigit(char.charCodeAt(0)) ? Number(char) : undefined) : digitValue(char)
    if (value === undefined) break
    digits.push(value)
    at += char.length
  }
  for (let i = 0; i < digits.length; ) {
    while (i < digits.length - 1 && digits[i] === 0) i++
    const end = Math.min(i + LongestNumber, digits.length)
    piece(digits, i, end)
    i = end
  }
  return at
}

/** Digits that begin with no zero: first how many, then two to a byte. */
function piece(digits: readonly number[], start: number, end: number): void {
  const count = end - start
  accents.usual++
  shapes.usual++
  if (count === 1) {
    put(first, NumberLead + digits[start]!)
    return
  }
  if (count <= ShortNumber) put(first, NumberLead + 8 + count)
  else {
    put(first, NumberLead + NumberLeads - 1)
    put(first, count)
  }
  for (let i = start; i < end; i += 2) put(first, digits[i]! * 10 + (i + 1 < end ? digits[i + 1]! : 0))
}

function joined(): Buffer {
  const written = shapes.length ? [first, accents, shapes] : accents.length ? [first, accents] : [first]
  const key = Buffer.allocUnsafe(written.reduce((size, l) => size + l.length + 1, -1))
  let at = 0
  for (const [i, l] of written.entries()) {
    if (i) key[at++] = 0
    at += l.bytes.copy(key, at, 0, l.length)
  }
  return key
}
