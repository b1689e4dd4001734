/** ASCII in root collation order: space and controls, punctuation, symbols; digits and letters follow. */
const Marks = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'
const Digit = 0x40
const LetterA = 0x50
/** Letters of other alphabets sort after Latin. */
const Beyond = 0x70

const primary = new Uint8Array(128)
for (let i = 0; i < Marks.length; i++) primary[Marks.charCodeAt(i)] = 0x08 + i
for (let i = 0; i < 26; i++) primary[97 + i] = primary[65 + i] = LetterA + i

/** Latin letters without a decomposition, as the letters that they sort with. */
const Ligatures: Record<string, string> = { 'ß': 'ss', 'æ': 'ae', 'Æ': 'AE', 'œ': 'oe', 'Œ': 'OE', 'ø': 'o', 'Ø': 'O', 'ł': 'l', 'Ł': 'L', 'đ': 'd', 'Đ': 'D', 'ð': 'd', 'þ': 'th' }
const plain = (text: string): string => (/^[\0-\x7f]*$/.test(text) ? text : text.replace(/[ßæÆœŒøØłŁđĐðþ]/g, (c) => Ligatures[c]!).normalize('NFD'))

/**
 * Binary sort key: memcmp of keys is the root collation with numbers by value (P2 before P10), without case and accents at first,
 * then accents, then lower before upper case. Levels are separated by a zero byte and left out when they add nothing.
 */
export function naturalKey(text: string): Buffer {
  const first: number[] = []
  const accents: number[] = []
  const cases: number[] = []
  const chars = plain(text)
  for (let i = 0; i < chars.length; i++) {
    const code = chars.charCodeAt(i)
    if (code >= 48 && code <= 57) {
      i = number(chars, i, first) - 1
    } else if (code < 128) {
      if (primary[code] === 0) continue
      first.push(primary[code]!)
      if (code >= 65 && code <= 90) while (cases.length < first.length) cases.push(cases.length === first.length - 1 ? 2 : 1)
    } else if (code >= 0x300 && code < 0x370) {
      while (accents.length < first.length) accents.push(1)
      accents.push(code - 0x300 + 2)
    } else {
      const lower = chars[i]!.toLowerCase()
      const low = lower.charCodeAt(0)
      first.push(Beyond, low >> 8, (low & 0xff) || 1)
      if (lower !== chars[i]) while (cases.length < first.length) cases.push(cases.length === first.length - 1 ? 2 : 1)
    }
  }
  if (cases.length) return Buffer.from([...first, 0, ...accents, 0, ...cases])
  return Buffer.from(accents.length ? [...first, 0, ...accents] : first)
}

/** A run of digits: its weight, how many digits count, and the digits; answers the position after it. */
function number(chars: string, start: number, into: number[]): number {
  let end = start
  while (end < chars.length && chars.charCodeAt(end) >= 48 && chars.charCodeAt(end) <= 57) end++
  let from = start
  while (from < end - 1 && chars.charCodeAt(from) === 48) from++
  into.push(Digit, Math.min(end - from, 255))
  for (let i = from; i < end; i++) into.push(chars.charCodeAt(i) - 47)
  return end
}
