import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { refuseUnparsed, type Unparsed } from './unparsed.ts'

/** The first byte that is not ASCII. */
const BeyondAscii = 0x80
const LineEnd = 0x0d

/**
 * A packet that begins with a request, with those letters of its address percent-encoded that are not ASCII; undefined
 * where it is no such letter that could not be read, or the address goes on in another packet.
 */
function encoded({ code, rawPacket: packet, bytesParsed: at = 0 }: Unparsed): Buffer | undefined {
  if (code !== 'HPE_INVALID_URL' || !packet || packet[at]! < BeyondAscii) return undefined
  const end = packet.indexOf(LineEnd)
  if (end < at) return undefined
  const line = packet.toString('latin1', 0, end)
  const ascii = line.replace(/[\x80-\xff]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return Buffer.concat([Buffer.from(ascii, 'latin1'), packet.subarray(end)])
}

/** What comes and goes over a socket after its first bytes, and these others instead of them. */
function beginningWith(bytes: Buffer, socket: Socket): Duplex {
  // The parser that could not read them is to read nothing more; it still hears when the socket closes.
  for (const event of ['data', 'end', 'drain', 'error']) socket.removeAllListeners(event)
  const whole = new Duplex({
    read: () => void socket.resume(),
    write: (piece: Buffer, _, done) => void socket.write(piece, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  const { remoteAddress } = socket
  Object.assign(whole, { remoteAddress, encrypted: (socket as TLSSocket).encrypted === true })
  whole.push(bytes)
  socket.on('data', (piece: Buffer) => whole.push(piece) || socket.pause())
  socket.on('end', () => whole.push(null))
  socket.on('error', (error) => whole.destroy(error))
  socket.on('close', () => whole.destroy())
  return whole
}

/**
 * Reads requests whose address has letters that are not ASCII, as curl sends them, though Node's parser does not: such
 * a connection is given to a second server, which listens nowhere, and ends with the answer. The function that is
 * answered says whether it took one that could not be read.
 */
export function readRawAddresses(
  limits: ServerOptions,
  listener: RequestListener,
): (socket: Socket, error: Unparsed) => boolean {
  const taken = new WeakSet<Socket>()
  const server = createServer(limits, (incoming, outgoing) => {
    outgoing.shouldKeepAlive = false
    listener(incoming, outgoing)
  })
  refuseUnparsed(server)
  let isWatched = false
  return (socket, error) => {
    if (taken.has(socket)) return true // the first parser says in vain that what it refused does not end
    const bytes = encoded(error)
    if (!bytes) return false
    taken.add(socket)
    if (!isWatched) server.emit('listening') // from then on Node looks for requests that come too slowly
    isWatched = true
    server.emit('connection', beginningWith(bytes, socket))
    return true
  }
}
