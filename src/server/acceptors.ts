import type { IncomingMessage, RequestListener } from 'node:http'
import type { Worker } from 'node:worker_threads'
import type { Use } from '../http/auth.ts'
import { complain } from '../lib/log.ts'
import type { Change } from '../store/changes.ts'
import type { Place } from '../store/open.ts'
import type { AcceptorData } from './acceptor.ts'
import { startAppThread } from './app-threads.ts'
import type { Board } from './board.ts'
import { openInnerDoor } from './inner-door.ts'
import type { Secrets } from './listening.ts'
import type { Counts, Meters } from './meters.ts'
import { type FromThread, incomingOf, ThreadAnswer, type ThreadRequest, type ToThread } from './thread-requests.ts'

interface AcceptorsOptions {
  place: Place
  board: Board
  host: string | undefined
  port: number
  secrets: Secrets | undefined
  /** Answers what threads hand on, and says what takes how many milliseconds, where that is known. */
  listener: RequestListener
  costOf: (incoming: IncomingMessage) => number | undefined
  /** Is told what threads count. */
  meters: Meters
  used: (use: Use) => void
}

interface Acceptor {
  worker: Worker
  thread: number
  /** Resolves when it takes connections, or is gone. */
  begun: Promise<void>
  isRetired: boolean
  /** Requests that it was answering when it last counted. */
  open: number
  /** Told once it has counted. */
  counted: (() => void) | undefined
}

/** Milliseconds that are waited for what a thread counted, and for its end. */
const [Counting, Ending] = [1000, 30_000]

/**
 * Threads that take connections beside the first one, answer what only reads, and hand the rest to it. The system deals
 * new connections out; who has many gives some away.
 */
export class Acceptors {
  readonly #options: AcceptorsOptions
  readonly #threads = new Set<Acceptor>()
  #door: ReturnType<typeof openInnerDoor> | undefined
  #isClosed = false
  /** The port cannot be shared, whatever the system promised. */
  #isFutile = false

  constructor(options: AcceptorsOptions) {
    this.#options = options
  }

  /** How many there are that take connections, or begin to. */
  get count(): number {
    let count = 0
    for (const { isRetired } of this.#threads) if (!isRetired) count++
    return count
  }

  /** How many there are, and how many requests they were answering when they last counted. */
  get counts(): { count: number; working: number; waiting: number } {
    return { count: this.#threads.size, working: this.#open, waiting: 0 }
  }

  get #open(): number {
    return [...this.#threads].reduce((sum, { open }) => sum + open, 0)
  }

  /** Starts one more; answers when it takes connections. */
  async start(): Promise<void> {
    const { place, listener, costOf } = this.#options
    this.#door ??= openInnerDoor(place.config, listener, costOf)
    const { door } = await this.#door
    const thread = this.#free()
    if (this.#isClosed || this.#isFutile || thread === undefined) return
    await this.#begin(thread, door).begun
  }

  /** Has one end when its connections are gone. */
  retire(): void {
    const last = [...this.#threads].findLast(({ isRetired }) => !isRetired)
    if (!last) return
    last.isRetired = true
    this.#say(last, { retire: true })
  }

  /** Tells them what was committed, before anybody else hears of it. */
  tell(changes: readonly Change[], commit: number | undefined): void {
    for (const acceptor of this.#threads) this.#say(acceptor, { changes, commit })
  }

  /** Has the meters know all that was counted so far; answers how many requests are being answered. */
  async gather(): Promise<number> {
    await Promise.all([...this.#threads].map((acceptor) => this.#count(acceptor)))
    return this.#open
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#threads].map((acceptor) => this.#end(acceptor)))
    await (await this.#door?.catch(() => undefined))?.close()
  }

  /** A number on the board that no thread has. */
  #free(): number | undefined {
    const taken = new Set([...this.#threads].map(({ thread }) => thread))
    for (let thread = 1; thread < this.#options.board.data.threads; thread++) if (!taken.has(thread)) return thread
    return undefined
  }

  #begin(thread: number, door: AcceptorData['door']): Acceptor {
    const { place, board, host, port, secrets } = this.#options
    const { descriptor } = board.commits!
    const accepts: AcceptorData = { host, port, secrets, door, board: board.data, thread, descriptor }
    const worker = startAppThread({ place, writes: false, threads: 1, accepts })
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const acceptor: Acceptor = { worker, thread, begun, isRetired: false, open: 0, counted: undefined }
    let isReady = false
    this.#threads.add(acceptor)
    worker.unref()
    worker.on('message', (said: FromThread) => {
      if ('used' in said) this.#options.used(said.used)
      else if ('asks' in said) this.#answer(acceptor, said.asks)
      else if ('counted' in said) this.#heed(acceptor, said.counted)
      else if ('ready' in said) {
        isReady = true
        begin()
      }
    })
    worker.on('error', (error) => {
      if (!this.#isClosed) complain(`cabinet: a thread ended: ${error.stack ?? error}\n`)
    })
    worker.on('exit', () => {
      this.#threads.delete(acceptor)
      board.clear(thread)
      if (!isReady) this.#isFutile = true
      acceptor.counted?.()
      begin()
    })
    return acceptor
  }

  #say({ worker }: Acceptor, message: ToThread): void {
    worker.postMessage(message)
  }

  #answer({ worker }: Acceptor, request: ThreadRequest): void {
    const outgoing = new ThreadAnswer(request.id, (answered, bytes) => worker.postMessage({ answered }, bytes))
    this.#options.listener(incomingOf(request), outgoing as never)
  }

  #heed(acceptor: Acceptor, counts: Counts): void {
    this.#options.meters.add(counts)
    acceptor.open = counts.open
    acceptor.counted?.()
  }

  #count(acceptor: Acceptor): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, Counting)
      acceptor.counted = () => {
        clearTimeout(late)
        resolve()
      }
      this.#say(acceptor, { count: true })
    })
  }

  #end(acceptor: Acceptor): Promise<unknown> {
    const ended = new Promise((resolve) => acceptor.worker.once('exit', resolve))
    this.#say(acceptor, { stop: true })
    const late = setTimeout(() => void acceptor.worker.terminate(), Ending)
    return ended.finally(() => clearTimeout(late))
  }
}
