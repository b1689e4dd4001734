import { includesText } from './find-text.ts'
import { rangeName, rangeOf, unpackHost } from './ip.ts'
import { compactNumbers } from './number-runs.ts'
import { compileRegex } from './regex.ts'

/** First and last address, packed, of the network of a packed address. */
const networkRange = (host: unknown, mask: unknown) => rangeOf({ ...unpackHost(host as Buffer), length: Number(mask) })

/** Functions of ours that SQL calls, by name; the same arguments give the same value. Every connection has them. */
export const sqlFunctions: Readonly<Record<string, (...values: any[]) => string | number | Buffer | null>> = {
  fold: (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : (text as number | null)),
  ip_range_name: (first: unknown, last: unknown) => rangeName(String(first), String(last)),
  network_first: (host: unknown, mask: unknown) => networkRange(host, mask).first,
  network_last: (host: unknown, mask: unknown) => networkRange(host, mask).last,
  path_in_link: (path: unknown) => (path === null ? null : encodeURI(String(path))),
  text_holds: (text: unknown, sought: unknown, how: unknown) => {
    if (text === null) return null
    const [own, other] = [String(text), String(sought)]
    if (how === 'ic') return Number(includesText(own.toLowerCase(), other))
    if (how === 'iew') return Number(own.toLowerCase().endsWith(other))
    return Number(how === 'contains' ? includesText(own, other) : own.endsWith(other))
  },
  plain: (text: unknown) =>
    text === null ? null : String(text).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase(),
  port_list: (ports: unknown) => compactNumbers(JSON.parse(String(ports ?? '[]')) as number[]),
  regex_match: (pattern: unknown, text: unknown, insensitive: unknown) =>
    text === null
      ? null
      : Number(
          compileRegex(String(pattern), { insensitive: insensitive === 1, acrossLines: true })?.(String(text)) ?? false,
        ),
}
