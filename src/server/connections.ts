import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { trustedBy } from '../http/origin.ts'
import type { Config } from '../config.ts'
import { logWarning } from '../lib/log.ts'
import { parseAddress } from '../lib/ip.ts'

/** Milliseconds between two lines of the log about refused connections. */
const Pause = 60_000

/** Closes connections beyond those that one address may have; trusted proxies speak for many, and are not counted. */
export function boundConnections(server: Server, config: Config): void {
  const most = config.maxConnectionsPerAddress
  if (most === 0) return
  const isTrusted = trustedBy(config)
  const open = new Map<string, number>()
  let refused = 0
  let told = 0
  const refuse = (socket: Socket, peer: string) => {
    socket.destroy()
    refused++
    if (Date.now() - told < Pause) return
    logWarning(config, 'too many connections of one address', { client: peer, refused })
    told = Date.now()
    refused = 0
  }
  server.on('connection', (socket: Socket) => {
    const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    if (isTrusted(peer)) return
    const key = neighbourhoodOf(peer)
    const count = open.get(key) ?? 0
    if (count >= most) return refuse(socket, peer)
    open.set(key, count + 1)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
  })
}

/** An IPv4 address itself; of IPv6 the first 64 bits, which one household has for itself. */
export function neighbourhoodOf(peer: string): string {
  if (!peer.includes(':')) return peer
  const address = parseAddress(peer)
  return address?.family === 6 ? Buffer.from(address.bytes.subarray(0, 8)).toString('hex') : peer
}
