import { Accented, Accents, Letters, Marks, Raised, Spelled, Variants } from './natural-sort-table.ts'

/**
 * One collation element: first-level bytes (none for a combining mark), accent and shape; zero is the usual accent or
 * shape.
 */
interface Weight {
  readonly first: readonly number[]
  readonly accent: number
  readonly shape: number
}

/** Shapes a letter may have, as distances from the plain lower-case one. */
const Shape = {
  wide: 1,
  compat: 2,
  upper: 6,
  raised: 0x12,
  lowered: 0x13,
  unbroken: 0x19,
  raisedUpper: 0x1b,
  fraction: 0x1c,
} as const

/** What tells an upper-case letter from its lower case. */
export const UpperShape = Shape.upper

/** The lead byte of each ASCII character; zero for those that do not count, and for digits. */
export const Leads = new Uint8Array(128)

/**
 * Tells characters in their order with their first-level bytes, the first of them after `lead`; answers the last one.
 * Those of ASCII get a byte of their own; those between two of them share one and are told apart by a second.
 */
function eachFirst(chars: string, lead: number, tell: (char: string, ...first: number[]) => void): number {
  let last = lead
  let between = 0
  for (const char of chars)
    if (char < '\x80') {
      between = 0
      tell(char, ++last)
    } else {
      if (between++ === 0) last++
      tell(char, last, between)
    }
  return last
}

function noteLead(char: string, lead: number): void {
  if (char >= '\x80') return
  Leads[char.charCodeAt(0)] = lead
  Leads[char.toUpperCase().charCodeAt(0)] = lead
}

const FirstLead = 1
const OtherMark = eachFirst(Marks, FirstLead, noteLead) + 1
/** Lead byte of the number 0; single digits, then numbers by how many digits they have, take the bytes after it. */
export const NumberLead = OtherMark + 1
/** How many bytes numbers take: ten digits, lengths 2 to 30, and one for longer numbers. */
export const NumberLeads = 40
const DigitSign = NumberLead + NumberLeads
const OtherLetter = eachFirst(Letters, DigitSign, noteLead) + 1
const OtherAccent = Accents.length + Variants.length + 1

let known: Map<string, readonly Weight[]> | undefined

/** Only when a text goes beyond ASCII: this takes milliseconds of a start. */
function fill(weights: Map<string, readonly Weight[]>): void {
  const plain = (char: string, ...first: number[]) => weights.set(char, [{ first, accent: 0, shape: 0 }])
  eachFirst(Marks, FirstLead, plain)
  eachFirst(Letters, DigitSign, plain)
  for (let digit = 0; digit < 10; digit++) plain(String(digit), DigitSign, digit)
  const groups = [
    ...Accents.map((group) => group.split(' ').map((code) => String.fromCodePoint(parseInt(code, 16)))),
    ...Variants,
  ]
  groups.forEach((marks, i) => {
    for (const mark of marks) weights.set(mark, [{ first: [], accent: i + 1, shape: 0 }])
  })
  for (const entry of Accented.split(' ')) weights.set(entry[0]!, spell(entry.slice(1)))
  for (const entry of Spelled.split(' ')) weights.set(entry[0]!, reshaped(spell(entry.slice(1)), Shape.compat))
  for (const entry of Raised.split(' ')) weights.set(entry[0]!, reshaped(spell(entry.slice(1)), Shape.raised))
  for (const variant of Variants) weights.delete(variant)
}

/** The elements of one character of a decomposed text; empty for those that do not count. */
export function weightsOf(char: string): readonly Weight[] {
  if (!known) {
    known = new Map()
    fill(known)
  }
  let weights = known.get(char)
  if (weights) return weights
  weights = derived(char)
  if (char < '\u2e80') known.set(char, weights)
  return weights
}

/** Blocks of marks that join the letter before them: first and last code point. */
const JoiningMarks = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5c7],
  [0x64b, 0x65f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0x3099, 0x309a],
  [0xfe20, 0xfe2f],
] as const

function derived(char: string): readonly Weight[] {
  const lower = char.toLowerCase()
  if (lower !== char && lower.length === char.length && !/\p{Lt}/u.test(char)) return capitals(weightsOf(lower))
  const simple = char.normalize('NFKD')
  if (simple !== char) return compatible(char, spell(simple))
  const code = char.codePointAt(0)!
  const isJoined = JoiningMarks.some(([first, last]) => code >= first && code <= last)
  if (/[\p{Cc}\p{Cf}]/u.test(char) || (code >= 0xfe00 && code <= 0xfe0f)) return []
  if (isJoined) return [{ first: [], accent: OtherAccent, shape: 0 }]
  const group = /[\p{P}\p{S}\p{Z}]/u.test(char) ? OtherMark : OtherLetter
  return [{ first: [group, code >> 16, (code >> 8) & 0xff, code & 0xff], accent: 0, shape: 0 }]
}

function spell(text: string): Weight[] {
  return [...text].flatMap((char) => weightsOf(char))
}

function capitals(weights: readonly Weight[]): Weight[] {
  return weights.map((w) => (w.first.length ? { ...w, shape: w.shape + Shape.upper } : w))
}

function reshaped(weights: readonly Weight[], shape: number, upper = shape + Shape.upper): Weight[] {
  return weights.map((w) => ({ ...w, shape: w.shape === Shape.upper ? upper : shape }))
}

/** The shape of a character that stands for others: full width, raised, lowered, a fraction, or just another form. */
function compatible(char: string, weights: readonly Weight[]): Weight[] {
  if (/[\u00a0\u2007\u2011\u202f]/.test(char)) return reshaped(weights, Shape.unbroken)
  if (/[\u00bc-\u00be\u2150-\u215f]/.test(char)) return reshaped(weights, Shape.fraction)
  if (/[\uff00-\uffef]/.test(char)) return reshaped(weights, Shape.wide)
  if (/[\u1d62-\u1d6a\u2080-\u209c\u2c7c]/.test(char)) return reshaped(weights, Shape.lowered, Shape.lowered)
  if (/[\p{Lm}ªº²³¹\u2070-\u207f]/u.test(char))
    return reshaped(weights, Shape.raised, weights.length > 1 ? Shape.raised : Shape.raisedUpper)
  return reshaped(weights, Shape.compat)
}
