import type { Config } from '../config.ts'
import { contains, parseAddress } from '../tools/ip.ts'

/** Whether the peer is one of the configured proxies, whose X-Forwarded headers are believed. */
function isTrusted(peer: string, config: Config): boolean {
  if (config.trustedProxies.length === 0) return false
  const address = parseAddress(peer)
  return (
    address !== undefined &&
    config.trustedProxies.some((proxy) => {
      const network = parseAddress(proxy)
      return network !== undefined && contains(network, address)
    })
  )
}

const first = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined

/** Scheme and host of the links in an answer. */
export function originOf(request: Request, url: URL, peer: string, config: Config): string {
  const trusted = isTrusted(peer, config)
  const scheme = (trusted && first(request.headers.get('x-forwarded-proto'))) || url.protocol.replace(':', '')
  const host = (trusted && first(request.headers.get('x-forwarded-host'))) || url.host
  return `${scheme}://${host}`
}

/** Address of the client: the peer, or what a trusted proxy says. */
export function clientOf(request: Request, peer: string, config: Config): string {
  if (!isTrusted(peer, config)) return peer
  return first(request.headers.get('x-forwarded-for')) ?? first(request.headers.get('x-real-ip')) ?? peer
}
