import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests of all connections that may wait for those before them; who has one that waits and asks for more is cut off.
 * One may wait of each: it may come while the end of an answer is still noted.
 */
const MostWaiting = 10_000

/** The requests of a connection: the one that is being answered, or was last, and those that wait for it. */
interface Line {
  current: ServerResponse
  waiting: [IncomingMessage, ServerResponse][]
}

const lines = new WeakMap<Socket, Line>()
const ahead = new WeakSet<Socket>()

/** Whether the client of a connection has ever asked for something before it was answered. */
export const asksAhead = (socket: Socket): boolean => ahead.has(socket)

/** Whether an answer goes out on a connection, or is worked on: its request came whole. */
export function isAnswered(socket: Socket): boolean {
  const current = lines.get(socket)?.current
  return current !== undefined && !current.closed && (current.headersSent || current.req.complete)
}

/** Ends a connection once all that was asked on it is answered, where `isAnswered`. */
export function endAnswered(socket: Socket): void {
  const { current, waiting } = lines.get(socket)!
  const last = waiting.at(-1)?.[1] ?? current
  last.shouldKeepAlive = false
  last.once('close', () => socket.end(() => socket.destroy()))
}

/**
 * Has the requests of one connection answered one after the other, as their client gets the answers anyway: what it
 * asks for ahead costs no work, nor memory for answers that it does not take. Nothing more is read from it meanwhile.
 */
export function inTurn(listener: RequestListener): RequestListener {
  let waiting = 0

  function next(socket: Socket, line: Line): void {
    if (socket.destroyed) waiting -= line.waiting.splice(0).length
    const first = line.waiting.shift()
    if (!first) return
    waiting--
    line.current = first[1]
    if (line.waiting.length === 0) socket.resume()
    else line.current.once('close', () => next(socket, line))
    setImmediate(() => socket.destroyed || listener(...first)) // others come in between
  }

  return (incoming, outgoing) => {
    const { socket } = incoming
    const line = lines.get(socket)
    if (!line || line.current.closed) {
      if (line) line.current = outgoing
      else lines.set(socket, { current: outgoing, waiting: [] })
      listener(incoming, outgoing)
      return
    }
    if (waiting >= MostWaiting && line.waiting.length > 0) {
      socket.destroy()
      return
    }
    waiting++
    line.current.shouldKeepAlive = true // even if the connection was to be given away after it
    if (line.waiting.push([incoming, outgoing]) > 1) return
    if (!ahead.has(socket)) {
      ahead.add(socket)
      socket.on('resume', () => line.waiting.length > 0 && socket.pause()) // as the one before has its body read
    }
    socket.pause()
    line.current.once('close', () => next(socket, line))
  }
}
