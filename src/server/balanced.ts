import type { RequestListener } from 'node:http'
import type { Board } from './board.ts'
import { asksAhead } from './in-turn.ts'

/**
 * Gives connections away that others are to have: with an answer, their clients are told to connect again. Not those of
 * clients that ask before they are answered: what they asked besides would be lost.
 */
export const balanced =
  (board: Board, listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (incoming.method === 'GET' && board.givesAway() && !asksAhead(incoming.socket)) outgoing.shouldKeepAlive = false
    listener(incoming, outgoing)
  }
