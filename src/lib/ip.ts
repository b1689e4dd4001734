import ipaddr from 'ipaddr.js'

/** An address with its network's length. `bytes`: 4 or 16 of them, most significant first. */
export interface Address {
  family: 4 | 6
  bytes: Uint8Array
  length: number
}

const Width = { 4: 32, 6: 128 } as const

/** Reads "10.0.0.1", "10.0.0.1/24" or the IPv6 forms; without a mask it is one host. Undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const [host, mask, ...more] = text.trim().split('/') as [string, string?]
  if (more.length || /[%\s]/.test(host)) return undefined
  const bytes = hostBytes(host)
  if (!bytes) return undefined
  const family = bytes.length === 4 ? 4 : 6
  if (mask === undefined) return { family, bytes, length: Width[family] }
  return /^\d{1,3}$/.test(mask) && Number(mask) <= Width[family] ? { family, bytes, length: Number(mask) } : undefined
}

/** The same, also with a dotted mask (`10.0.0.1/255.255.255.0`), as queries may have it. */
export function parseAddressOrMasked(text: string): Address | undefined {
  const [host, mask, ...more] = text.trim().split('/') as [string, string?]
  if (mask === undefined || more.length || !ipaddr.IPv4.isValidFourPartDecimal(mask)) return parseAddress(text)
  const length = ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask()
  return length === null ? undefined : parseAddress(`${host}/${length}`)
}

function hostBytes(host: string): Uint8Array | undefined {
  if (!host.includes(':'))
    // The library throws inside for other forms, which takes long.
    return ipaddr.IPv4.isValidFourPartDecimal(host) ? Uint8Array.from(ipaddr.IPv4.parse(host).toByteArray()) : undefined
  const six = host.includes('.') ? undotted(host) : host
  return six !== undefined && ipaddr.IPv6.isValid(six)
    ? Uint8Array.from(ipaddr.IPv6.parse(six).toByteArray())
    : undefined
}

/**
 * IPv6 with its last four bytes in dotted form, in hexadecimal: the library reads "::1.2.3.4" as a mapped address, and
 * octal parts.
 */
function undotted(host: string): string | undefined {
  const at = host.lastIndexOf(':') + 1
  const tail = host.slice(at)
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return undefined
  const [a, b, c, d] = ipaddr.IPv4.parse(tail).octets as [number, number, number, number]
  return `${host.slice(0, at)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

/** The address alone, IPv6 compressed and in lower case (RFC 5952). */
export function formatHost(a: Pick<Address, 'bytes'>): string {
  const made = ipaddr.fromByteArray([...a.bytes])
  if (made.kind() === 'ipv4') return made.toString()
  const six = made as ipaddr.IPv6
  return six.isIPv4MappedAddress() ? `::ffff:${six.toIPv4Address().toString()}` : six.toRFC5952String()
}
/** The address with its length, "10.0.0.1/24". */
export const formatAddress = (a: Address): string => `${formatHost(a)}/${a.length}`

/** One byte of family, then the bytes: memcmp order is address order, IPv4 first. */
export const packHost = (family: 4 | 6, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([family]), bytes])
export const unpackHost = (packed: Buffer): { family: 4 | 6; bytes: Uint8Array } => ({
  family: packed[0] as 4 | 6,
  bytes: packed.subarray(1),
})

export const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
export const fromBigInt = (family: 4 | 6, n: bigint): Uint8Array =>
  Buffer.from(n.toString(16).padStart(Width[family] / 4, '0'), 'hex')

/** Number of host bits. */
const hostBits = (a: Address): bigint => BigInt(Width[a.family] - a.length)
const firstOf = (a: Address): bigint => (toBigInt(a.bytes) >> hostBits(a)) << hostBits(a)
const lastOf = (a: Address): bigint => firstOf(a) + (1n << hostBits(a)) - 1n

/** The network an address lies in: its host bits zero. */
export const networkOf = (a: Address): Address => ({ ...a, bytes: fromBigInt(a.family, firstOf(a)) })
/** First addresses, packed, in hexadecimal, of all networks that hold a network, from the widest on. */
export const networksAround = (a: Address): string[] => [
  ...new Set(Array.from({ length: a.length + 1 }, (_, length) => rangeOf({ ...a, length }).first.toString('hex'))),
]

/** First and last address of the network, packed. */
export const rangeOf = (a: Address): { first: Buffer; last: Buffer } => ({
  first: packHost(a.family, fromBigInt(a.family, firstOf(a))),
  last: packHost(a.family, fromBigInt(a.family, lastOf(a))),
})
export const isNetworkAddress = (a: Address): boolean => firstOf(a) === toBigInt(a.bytes)
export const isBroadcast = (a: Address): boolean => a.family === 4 && lastOf(a) === toBigInt(a.bytes)
/** True when `a` lies wholly inside `network`. */
export const contains = (network: Address, a: Address): boolean =>
  network.family === a.family &&
  network.length <= a.length &&
  firstOf(network) <= firstOf(a) &&
  lastOf(a) <= lastOf(network)

/** The fewest networks that cover a range of addresses exactly, ascending. */
export function cidrsOf(family: 4 | 6, first: bigint, last: bigint): Address[] {
  const found: Address[] = []
  const width = BigInt(Width[family])
  for (let at = first; at <= last; ) {
    let bits = 0n
    while (bits < width && (at & ((1n << (bits + 1n)) - 1n)) === 0n && at + (1n << (bits + 1n)) - 1n <= last) bits++
    found.push({ family, bytes: fromBigInt(family, at), length: Number(width - bits) })
    at += 1n << bits
  }
  return found
}

/** The fewest networks that cover what is left of a network when others are taken out, ascending. */
export function freeCidrs(network: Address, used: readonly Address[]): Address[] {
  const taken = used
    .filter((u) => u.family === network.family)
    .map((u) => [firstOf(u), lastOf(u)] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const found: Address[] = []
  const end = lastOf(network)
  let at = firstOf(network)
  for (const [first, last] of taken) {
    if (last < at || first > end) continue
    if (first > at) found.push(...cidrsOf(network.family, at, first - 1n))
    at = last + 1n
  }
  if (at <= end) found.push(...cidrsOf(network.family, at, end))
  return found
}
/** First and last address of a network as numbers. */
export const boundsOf = (a: Address): { first: bigint; last: bigint } => ({ first: firstOf(a), last: lastOf(a) })

/** A range in short: "10.0.0.100-110/24", what both ends share said once. */
export function rangeName(first: string, last: string): string {
  const [from, mask] = first.split('/') as [string, string]
  const to = last.split('/')[0]!
  const separator = from.includes(':') ? ':' : '.'
  const [a, b] = [from.split(separator), to.split(separator)]
  let shared = 0
  while (shared < Math.min(a.length, b.length) - 1 && a[shared] === b[shared]) shared++
  return `${from}-${from === to ? to : b.slice(shared).join(separator)}/${mask}`
}

/** The smallest network that holds two addresses of the same family. */
export function covering(a: Address, b: Address): Address {
  const apart = toBigInt(a.bytes) ^ toBigInt(b.bytes)
  return networkOf({ ...a, length: Width[a.family] - (apart === 0n ? 0 : apart.toString(2).length) })
}
