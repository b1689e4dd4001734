import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { type Address, contains, parseAddress } from './ip.ts'

/** An address that must not be called. */
class DeniedAddress extends Error {}

const refusal = (host: string, address: string): DeniedAddress =>
  new DeniedAddress(host === address ? `${host} must not be called` : `${host} is ${address}, which must not be called`)

/**
 * IPv6 networks whose last four bytes are an IPv4 address that is called in the end: mapped, compatible, and translated
 * ones.
 */
const Carriers = ['::ffff:0:0/96', '::/96', '64:ff9b::/96'].map((text) => parseAddress(text)!)

/** The address itself and the IPv4 address that it carries. */
function meant(address: Address): Address[] {
  if (!Carriers.some((network) => contains(network, address))) return [address]
  return [address, { family: 4, bytes: address.bytes.subarray(12), length: 32 }]
}

const isIn = (networks: readonly string[], text: string): boolean => {
  const address = parseAddress(text.replace(/%.*$/, ''))
  return !address || meant(address).some((each) => networks.some((network) => contains(parseAddress(network)!, each)))
}

/** Throws `DeniedAddress` for a URL whose host is an address in one of the networks; names are for `lookupPast`. */
export function demandAllowed(url: URL, networks: readonly string[]): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && isIn(networks, host)) throw refusal(host, host)
}

/**
 * Resolves names for a connection, which goes to one of the addresses that were looked at: an address in one of the
 * networks fails.
 */
export const lookupPast =
  (networks: readonly string[]): LookupFunction =>
  (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const denied = error ? undefined : found.find(({ address }) => isIn(networks, address))
      const failure = error ?? (denied && refusal(host, denied.address))
      if (failure) return callback(failure, '', 0)
      if (options.all) callback(null, found)
      else callback(null, found[0]!.address, found[0]!.family)
    })
