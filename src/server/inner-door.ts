import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'
import { isSame } from '../http/session.ts'
import { finish, listenOn, serverOf } from './listening.ts'

/** Where other threads hand requests to the first one, and what proves that they are threads of this server. */
export interface InnerDoor {
  path: string
  secret: string
}

/** For whom a request is handed on: the secret, whether their connection is encrypted, and their address. */
const Header = 'cabinet-peer'
/** What requests of its kind take, in ms, where the first thread knows: a header of the answer. */
const Cost = 'cabinet-cost'

/** The headers by which a thread says for whom it hands a request on. */
export const onBehalf = ({ secret }: InnerDoor, { socket }: IncomingMessage): Record<string, string> => ({
  [Header]: `${secret} ${Number(isEncrypted(socket))} ${socket.remoteAddress ?? ''}`,
})

/** Takes out of the headers of an answer what the first thread says of such requests: the milliseconds they take. */
export function costIn(headers: Record<string, string | string[]>): number | undefined {
  const cost = headers[Cost]
  delete headers[Cost]
  return cost === undefined ? undefined : Number(cost)
}

/** Connections that wait to be taken; those beyond are refused at once, unlike those of TCP. */
const Waiting = 4096

const isEncrypted = (socket: Socket): boolean => (socket as TLSSocket).encrypted === true

/**
 * Opens a door for requests that other threads hand on: `listener` takes them as if their clients were connected to it,
 * and `costOf` says what they take. It is a socket in Linux' abstract namespace, which leaves nothing behind in the
 * file system.
 */
export async function openInnerDoor(
  config: Config,
  listener: RequestListener,
  costOf: (incoming: IncomingMessage) => number | undefined,
): Promise<{ door: InnerDoor; close: () => Promise<void> }> {
  const door = { path: `\0cabinet-${randomUUID()}`, secret: randomBytes(24).toString('base64url') }
  const server = serverOf(config, (incoming, outgoing) => {
    if (!isPeer(door, incoming)) {
      incoming.socket.destroy()
      return
    }
    const cost = costOf(incoming)
    if (cost !== undefined) outgoing.setHeader(Cost, cost.toFixed(2))
    listener(incoming, outgoing)
  })
  // Threads keep their connections, and notice themselves who is silent: none is closed as a request comes over it.
  server.keepAliveTimeout = 0
  server.setTimeout(0)
  await listenOn(server, { path: door.path, backlog: Waiting })
  server.unref()
  return { door, close: () => finish(server) }
}

/** Whether a thread of this server hands a request on; its connection then tells of the client's. */
function isPeer({ secret }: InnerDoor, { headers, rawHeaders, socket }: IncomingMessage): boolean {
  const [given = '', encrypted, peer] = String(headers[Header] ?? '').split(' ')
  if (!isSame(given, secret)) return false
  delete headers[Header]
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === Header)
  rawHeaders.splice(at, 2)
  Object.defineProperties(socket, {
    remoteAddress: { value: peer, configurable: true },
    encrypted: { value: encrypted === '1', configurable: true },
  })
  return true
}
