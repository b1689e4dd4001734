import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Board } from './board.ts'
import { asksAhead } from './in-turn.ts'

/** Writes in a row by which a connection is taken to be one that only writes. */
const Writes = 16
const writes = new WeakMap<Socket, number>()

/** Whether a connection has only written for a while; called with each of its requests. */
function onlyWrites(socket: Socket, method: string | undefined): boolean {
  const before = writes.get(socket) ?? 0
  const count = method === 'GET' || method === 'HEAD' ? 0 : before + 1
  if (count !== before) writes.set(socket, count)
  return count >= Writes
}

/**
 * Gives connections away that others are to have: with an answer, their clients are told to connect again. Those that
 * only write stay with the first thread, which does what they ask for, and others give them away until it has them. Not
 * those of clients that ask before they are answered: what they asked besides would be lost.
 */
export const balanced =
  (board: Board, listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    const { method, socket } = incoming
    const isWriting = onlyWrites(socket, method)
    const isLeaving = method === 'GET' ? board.givesAway() : isWriting && board.isBesideFirst
    if (isLeaving && !asksAhead(socket)) outgoing.shouldKeepAlive = false
    listener(incoming, outgoing)
  }
