import { connect, type Socket } from 'node:net'
import { afterFile } from './endings.ts'

interface Raw {
  socket: Socket
  send: (text: string | Buffer) => void
  /** What came so far. */
  text: () => string
  /** Everything that came until the other side closed, or until `milliseconds` have passed. */
  rest: (milliseconds?: number) => Promise<{ text: string; isClosed: boolean }>
  /** The first line of the answer, once there is one. */
  status: (milliseconds?: number) => Promise<string>
}

const opened = new Set<Socket>()
afterFile(() => {
  for (const socket of opened) socket.destroy()
})

/** A connection that speaks for itself: what an attacker sends is no request that `fetch` would make. */
export async function raw(base: string): Promise<Raw> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  opened.add(socket)
  let text = ''
  let isClosed = false
  let wake: () => void = () => undefined
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    opened.delete(socket)
    wake()
  })
  const until = async (isMet: () => boolean, milliseconds: number) => {
    const end = performance.now() + milliseconds
    while (!isMet() && performance.now() < end)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, 50)
      })
  }
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return {
    socket,
    send: (chunk) => void socket.write(chunk),
    text: () => text,
    rest: async (milliseconds = 10_000) => {
      await until(() => isClosed, milliseconds)
      return { text, isClosed }
    },
    status: async (milliseconds = 10_000) => {
      await until(() => isClosed || text.includes('\r\n'), milliseconds)
      return text.split('\r\n')[0]!
    },
  }
}
