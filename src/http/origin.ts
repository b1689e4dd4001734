import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { type Address, contains, parseAddress } from '../lib/ip.ts'

/** Where a request comes from and which address it was sent to. */
interface Origin {
  /** Address of the client. */
  readonly client: string
  /** Scheme and host of the links in the answer. */
  readonly base: string
}

const Host = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Address of the other end of a connection; empty when there is none. IPv4 is written as such. */
export const peerOf = (incoming: IncomingMessage | undefined): string =>
  (incoming?.socket.remoteAddress ?? '').replace(/^::ffff:/, '')

/** Answers whether an address is that of a configured proxy. */
export function trustedBy({ trustedProxies }: Pick<Config, 'trustedProxies'>): (address: string) => boolean {
  const networks = trustedProxies.map((proxy) => parseAddress(proxy)).filter((each): each is Address => !!each)
  if (networks.length === 0) return () => false
  return remembering((text) => {
    const address = parseAddress(text)
    return address !== undefined && networks.some((network) => contains(network, address))
  })
}

/**
 * A question of an address whose answers are remembered: they take some microseconds, and every request behind a proxy
 * asks them.
 */
function remembering(ask: (text: string) => boolean): (text: string) => boolean {
  let known = new Map<string, boolean>()
  return (text) => {
    const answer = known.get(text)
    if (answer !== undefined) return answer
    const made = ask(text)
    if (known.size >= 1000) known = new Map()
    if (text.length <= 45) known.set(text, made)
    return made
  }
}
const isAddress = remembering((text) => parseAddress(text) !== undefined)

/**
 * Answers where a request comes from: the peer itself, or as far along the X-Forwarded headers as proxies are trusted.
 */
export function originBy(config: Config): (request: Request, peer: string) => Origin {
  const isTrusted = trustedBy(config)
  return (request, peer) => {
    const own = request.url.slice(0, request.url.indexOf('/', 8))
    if (!isTrusted(peer)) return { client: peer, base: own }
    const { client, hops } = behind((name) => request.headers.get(name), peer, isTrusted)
    // Each proxy adds what it saw at the right end, or the outermost alone has set it.
    const said = (name: string) => listOf(request.headers.get(name)).slice(-hops)[0] ?? ''
    const [scheme, host] = own.split('://') as [string, string]
    const [proto, forwarded] = [said('x-forwarded-proto').toLowerCase(), said('x-forwarded-host')]
    return {
      client,
      base: `${['http', 'https'].includes(proto) ? proto : scheme}://${Host.test(forwarded) ? forwarded : host}`,
    }
  }
}

/**
 * Answers the address of the client of a request as node read it, and of those that are a trusted proxy's own:
 * undefined.
 */
export function clientBy(config: Config): (incoming: IncomingMessage) => string | undefined {
  const isTrusted = trustedBy(config)
  return (incoming) => {
    const peer = peerOf(incoming)
    if (!isTrusted(peer)) return peer
    const { client } = behind((name) => [incoming.headers[name]].flat().join(), peer, isTrusted)
    return isTrusted(client) ? undefined : client
  }
}

const listOf = (header: string | null | undefined): string[] =>
  header ? header.split(',').map((part) => part.trim()) : []

/** The nearest address that is not a trusted proxy's, read from the right, and how many proxies stand before it. */
function behind(
  header: (name: string) => string | null | undefined,
  peer: string,
  isTrusted: (address: string) => boolean,
) {
  const chain = listOf(header('x-forwarded-for') || header('x-real-ip'))
  let client = peer
  let hops = 0
  while (isTrusted(client)) {
    hops++
    const next = withoutPort(chain[chain.length - hops] ?? '')
    if (!isAddress(next)) break
    client = next
  }
  return { client, hops: Math.max(hops, 1) }
}

/** "[2001:db8::1]:443" and "192.0.2.1:443" without their ports. */
const withoutPort = (text: string): string =>
  (/^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')).replace(/^::ffff:/i, '')
