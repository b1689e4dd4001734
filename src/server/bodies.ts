import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** Bytes of a body from which on it is looked at while it comes; what is smaller comes at once. */
const Small = 16_384
/** Pieces of a body from which on those of fewer bytes are tiny, on average: each costs as much as many bytes. */
const Pieces = { count: 1000, bytes: 16 }
/** Milliseconds between two reads, of 64 KiB at most, of a body that nobody wants, and of one in tiny pieces. */
const Rest = { unwanted: 20, tiny: 250 }

/** Has bodies cost little that come after their request was answered, or in tiny pieces: they are read slowly. */
export const boundBodies =
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    const { 'transfer-encoding': coding, 'content-length': length } = incoming.headers
    if (coding !== undefined || Number(length ?? 0) > Small) watch(incoming, outgoing)
    listener(incoming, outgoing)
  }

function watch(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming
  const push = incoming.push.bind(incoming)
  let pieces = 0
  let bytes = 0
  let rests = false
  const again = () => rests && socket.pause() // whoever wants more of the body resumes
  const rest = (ms: number) => {
    if (rests) return
    rests = true
    socket.on('resume', again)
    socket.pause()
    setTimeout(() => {
      rests = false
      socket.off('resume', again)
      socket.resume()
    }, ms)
  }
  incoming.push = (piece: Buffer | null, ...how) => {
    if (piece === null) return push(piece, ...how)
    bytes += piece.length
    if (++pieces >= Pieces.count && bytes < pieces * Pieces.bytes) rest(Rest.tiny)
    else if (outgoing.writableFinished) rest(Rest.unwanted)
    return push(piece, ...how)
  }
  outgoing.prependOnceListener('finish', () => {
    if (incoming.complete) return
    incoming.read() // else node has it dropped as it comes, without a look
    incoming.resume()
  })
}
