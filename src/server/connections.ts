import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { trustedBy } from '../http/origin.ts'
import type { Config } from '../config.ts'
import { logWarning } from '../lib/log.ts'
import { parseAddress } from '../lib/ip.ts'
import type { Board } from './board.ts'

/** Milliseconds between two lines of the log about refused connections. */
const Pause = 60_000

/**
 * Counts the connections of a server on the board, and closes those beyond what one address may have; trusted proxies
 * speak for many, and have no bound.
 */
export function boundConnections(server: Server, config: Config, board: Board): void {
  board.watch(server)
  const most = config.maxConnectionsPerAddress
  if (most === 0) return
  const isTrusted = trustedBy(config)
  let refused = 0
  let told = Number.NEGATIVE_INFINITY
  const refuse = (socket: Socket, peer: string) => {
    socket.destroy()
    refused++
    if (performance.now() - told < Pause) return
    logWarning(config, 'too many connections of one address', { client: peer, refused })
    told = performance.now()
    refused = 0
  }
  server.on('connection', (socket: Socket) => {
    const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    if (isTrusted(peer)) return
    const place = board.placeOf(neighbourhoodOf(peer))
    if (board.count(place) >= most) return refuse(socket, peer)
    board.note(place, 1)
    socket.once('close', () => board.note(place, -1))
  })
}

/** An IPv4 address itself; of IPv6 the first 64 bits, which one household has for itself. */
export function neighbourhoodOf(peer: string): string {
  if (!peer.includes(':')) return peer
  const address = parseAddress(peer)
  return address?.family === 6 ? Buffer.from(address.bytes.subarray(0, 8)).toString('hex') : peer
}
