import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Board } from './board.ts'

/**
 * Gives connections away that others are to have: with an answer, their clients are told to connect again. Not those of
 * clients that ask before they are answered: what they asked besides would be lost.
 */
export function balanced(board: Board, listener: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>()
  const eager = new WeakSet<Socket>()
  return (incoming, outgoing) => {
    const { socket } = incoming
    const before = last.get(socket)
    last.set(socket, outgoing)
    if (before && !before.writableEnded) {
      eager.add(socket)
      before.shouldKeepAlive = true
    }
    if (incoming.method === 'GET' && board.givesAway() && !eager.has(socket)) outgoing.shouldKeepAlive = false
    listener(incoming, outgoing)
  }
}
