import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/** What befalls a connection; nothing where all is left out. */
export interface Fate {
  /** Milliseconds that each piece is late. */
  delay?: number
  /** Bytes a second, in either direction. */
  rate?: number
  /** The connection breaks after so many bytes of requests, or of answers. */
  requestBytes?: number
  answerBytes?: number
  /** The answer ends after so many bytes as if it were over. */
  shortened?: number
  /** The requests reach the server twice; the client hears what it answers to the second. */
  isTwice?: boolean
  /** It answers this by itself, and nobody hears of the request; or after the server had it, with `isHeard`. */
  instead?: string
  isHeard?: boolean
}

interface BadNetwork {
  base: string
  /** Asked of each connection. */
  fate: () => Fate
  /** Connections so far. */
  count: number
}

/** A way to a server along which anything may happen. Ends after the tests of the file. */
export async function badNetwork(target: string): Promise<BadNetwork> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const network: BadNetwork = { base: '', fate: () => ({}), count: 0 }
  const reach = () => {
    const there = connect(Number(port), hostname)
    open.add(there)
    there.on('error', () => {}).on('close', () => open.delete(there))
    return there
  }
  const server = createServer((client) => {
    network.count++
    const fate = network.fate()
    open.add(client)
    client.on('error', () => {}).on('close', () => open.delete(client))
    if (fate.instead !== undefined && !fate.isHeard) {
      client.once('data', () => client.end(fate.instead ?? ''))
      return
    }
    const there = reach()
    const other = fate.isTwice ? reach() : undefined
    const cut = () => {
      for (const socket of [client, there, other]) socket?.destroy()
    }
    if (fate.instead !== undefined) {
      client.pipe(there)
      there.once('data', () => client.end(fate.instead ?? ''))
      client.on('close', cut)
      return
    }
    const shortened = fate.shortened === undefined ? undefined : () => client.end(() => cut())
    void carry(client, other ? [other, there] : [there], fate, fate.requestBytes, cut)
    void carry(there, [client], fate, fate.answerBytes ?? fate.shortened, shortened ?? cut)
    client.on('close', cut)
    there.on('close', () => client.end())
    other?.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  network.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return network
}

async function carry(
  from: Socket,
  to: readonly Socket[],
  { delay, rate }: Fate,
  most = Number.POSITIVE_INFINITY,
  cut: () => void,
): Promise<void> {
  let left = most
  try {
    for await (const whole of from) {
      for (let at = 0; at < whole.length; at += Slice) {
        const piece = (whole as Buffer).subarray(at, at + Slice)
        if (delay) await wait(delay)
        if (rate) await wait((1000 * piece.length) / rate)
        const part = piece.subarray(0, left)
        left -= part.length
        for (const socket of to)
          if (!socket.write(part)) await new Promise((done) => socket.once('drain', done).once('close', done))
        if (left === 0) return cut()
      }
    }
    for (const socket of to) socket.end()
  } catch {
    for (const socket of to) socket.destroy()
  }
}
const Slice = 8192
