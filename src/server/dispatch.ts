import { stat } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import type { Use } from '../http/auth.ts'
import { mayHandOn } from '../http/long-writes.ts'
import { writeTimeOf } from '../http/write-time.ts'
import { threadTime } from '../lib/thread-time.ts'
import { Common } from '../http/request-context.ts'
import type { Change } from '../store/changes.ts'
import { LogLimit, type Place } from '../store/open.ts'
import { AppThreads, type Task } from './app-threads.ts'
import type { Acceptors } from './acceptors.ts'
import { threadRequest, incomingOf } from './thread-requests.ts'
import type { Board } from './board.ts'
import { Costs, kindOf } from './costs.ts'
import { burdenOf, Demand } from './demand.ts'
import { Load } from './load.ts'
import { guessOf, isForFirst, isLongWrite, mayRewrite, placingOf, ShortBody } from './placing.ts'

/** Bytes of a body from which on a write may take long. */
const LargeBody = 10_000
/** POST requests that only read. */
const Query = /^\/graphql\/$/
/** Bodies with files, which are kept while they are read: they are not read twice. */
const Multipart = /^multipart\//i
/** Milliseconds without work after which threads are ended. */
const Patience = 300_000
/** Threads with connections of their own relieve the first one sooner than those to which it hands requests. */
const Alone = { isRelieved: false, isFull: false }
/** Milliseconds between two looks at whether more threads should take connections. */
const Look = 500
/** How much the last look counts against those before it. */
const Freshness = 0.3

/**
 * Bytes of the log of writes past which it is moved into the database, more than it has where nobody who reads holds it
 * back; and commits between two looks at it.
 */
const [MaxLog, CommitsBetweenLooks] = [(LogLimit * 4) / 3, 200]

/** Paths that may change very many rows, or try to, whatever the method and however small the body. */
const Undo = /^\/(?:api\/(?:core|extras)\/object-changes\/revert|core\/(?:changelog|object-changes)\/\d+\/undo)\//

/** Paths by which a kit exchanges data with this server: the bodies may be large. */
const Kits = /^\/(?:api\/core\/kits\/\d+\/(?:pull|push)|kit)\//

/**
 * What tests want: `sharesAll`: threads take whatever they can; `longWrite`: the milliseconds past which a write goes
 * to another thread although it was begun here.
 */
export interface Shares {
  sharesAll?: boolean | undefined
  longWrite?: number | undefined
}

/** What the first thread does for the others. */
interface Duties {
  used: (use: Use) => void
  /** Another thread has the turn to write, or has it no longer: what it wrote is on disk. */
  turn: (isTheirs: boolean) => void
  /** Notices what others wrote, before a request is handed over. */
  sync: () => void
  /** Moves the log of writes into the database. */
  checkpoint: () => void
  /** How many rows there are about of the model whose list or pages a path names; 0 where it names none. */
  rowsAt: (path: string) => number
}

/**
 * Shares requests out: the first thread speaks HTTP, writes, and answers what is quick; other threads read what is
 * slow, or more than one thread can do, and one more takes the writes that are long. Threads start when they are first
 * needed.
 */
export class Dispatcher {
  readonly #listener: RequestListener
  readonly #basePath: string
  readonly #costs = new Costs()
  readonly #readers: AppThreads
  readonly #writer: AppThreads
  readonly #file: string
  #commits = 0
  readonly #load = new Load()
  /** Milliseconds that this thread worked on reads, and on writes before they were committed. */
  #reading = 0
  #writing = 0
  #acceptors: Acceptors | undefined
  #looking: NodeJS.Timeout | undefined

  readonly #sharesAll: boolean
  readonly #longWrite: number | undefined
  readonly #duties: Duties

  constructor(listener: RequestListener, place: Place, duties: Duties, { sharesAll = false, longWrite }: Shares = {}) {
    const { config } = place
    this.#sharesAll = sharesAll
    this.#longWrite = longWrite
    this.#duties = duties
    this.#file = place.file
    this.#listener = listener
    this.#basePath = config.basePath
    const common = {
      place,
      patience: Patience,
      failing: this.#failing,
      took: (kind: string, ms: number) => this.#costs.note(kind, ms),
      mayGrow: () => sharesAll || this.#load.hasIdle,
      ...duties,
    }
    this.#readers = new AppThreads({
      ...common,
      writes: false,
      threads: Math.min(config.workers, availableParallelism()),
    })
    this.#writer = new AppThreads({ ...common, writes: true, threads: 1 })
  }

  /** The milliseconds that requests like this one take; undefined where nobody knows. */
  readonly costOf = (incoming: IncomingMessage): number | undefined => {
    const { method = 'GET' } = incoming
    return this.#costs.of(kindOf(method, this.#pathOf(incoming), Number(incoming.headers['content-length'] ?? 0)))
  }

  #pathOf({ url = '/' }: IncomingMessage): string {
    return url.startsWith(this.#basePath) ? url.slice(this.#basePath.length) : url
  }

  /** Answers a request here or in a thread. */
  readonly take: RequestListener = (incoming, outgoing) => {
    const { method = 'GET' } = incoming
    const path = this.#pathOf(incoming)
    if (path[0] !== '/' || isForFirst(path)) return this.#listener(incoming, outgoing)
    const kind = kindOf(method, path, Number(incoming.headers['content-length'] ?? 0))
    const cost = this.#costs.of(kind) ?? guessOf(path, this.#duties.rowsAt)
    if (Kits.test(path) || Undo.test(path)) return this.#writer.run({ incoming, outgoing, body: undefined, kind, cost })
    if (method === 'GET' || method === 'HEAD') {
      if (this.#readsHere(cost)) return this.#here(incoming, outgoing, kind)
      this.#duties.sync()
      return this.#readers.run({ incoming, outgoing, body: undefined, kind, cost })
    }
    if (Query.test(path) && this.#isShort(incoming) && !this.#readsHere(cost)) {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('end', () => {
        this.#duties.sync()
        this.#readers.run({ incoming, outgoing, body: Buffer.concat(parts), kind, cost })
      })
      return
    }
    const isLong = method !== 'OPTIONS' && (mayRewrite(path) || this.#isLong(incoming, kind, cost))
    if (!isLong) return this.#here(incoming, outgoing, kind)
    return this.#writer.run({ incoming, outgoing, body: undefined, kind, cost })
  }

  /** The threads by what they are for. */
  get threads(): { role: 'read' | 'write' | 'accept'; count: number; working: number; waiting: number }[] {
    return [
      { role: 'read', ...this.#readers.counts },
      { role: 'write', ...this.#writer.counts },
      ...(this.#acceptors ? [{ role: 'accept' as const, ...this.#acceptors.counts }] : []),
    ]
  }

  /** From now on threads take connections too, when there are many reads and a core for each. */
  shareConnections(acceptors: Acceptors, board: Board): void {
    this.#acceptors = acceptors
    const demand = new Demand()
    let [before, reading] = [performance.eventLoopUtilization(), this.#reading]
    let [used, written] = [threadTime(), this.#writing]
    let writing = 0
    this.#looking = setInterval(() => {
      const now = performance.eventLoopUtilization()
      const busy = performance.eventLoopUtilization(now, before).utilization
      const seen = { busy, reading: (this.#reading - reading) / Look, idle: busy > 0.5 ? this.#load.idle : 0 }
      // It may wait for a processor while it is busy, the longer the more others have to do.
      const part = (this.#writing - written) / Math.max(threadTime() - used, 1)
      writing += (busy * part - writing) * Freshness
      board.burden = burdenOf(writing, board.connections, acceptors.count + 1)
      ;[before, reading] = [now, this.#reading]
      ;[used, written] = [threadTime(), this.#writing]
      const next = demand.look({ ...seen, threads: acceptors.count, others: board.busyOthers })
      if (next === 'more') void acceptors.start()
      else if (next === 'fewer') acceptors.retire()
    }, Look).unref()
  }

  /** Has what threads counted of their own connections be known; answers how many requests they are answering. */
  async gather(): Promise<number> {
    return (await this.#acceptors?.gather()) ?? 0
  }

  /** Tells the threads that read what was committed, as which commit if that is known. */
  tell(changes: readonly Change[], commit?: number): void {
    this.#readers.tell(changes)
    this.#acceptors?.tell(changes, commit)
    if (++this.#commits % CommitsBetweenLooks === 0) this.#boundLog()
  }

  /** The database is another file from now on, of which only is read. */
  reopen(file: string): void {
    this.#readers.reopen(file)
  }

  /**
   * SQLite resets its WAL only while nobody reads from it; threads that are always busy would let it grow without end.
   */
  #boundLog(): void {
    stat(`${this.#file}-wal`, (error, found) => {
      if (!error && found.size > MaxLog) void this.#readers.whileQuiet(this.#duties.checkpoint)
    })
  }

  /** Takes no more requests from threads that have connections of their own, and waits for those that are running. */
  async closeConnections(): Promise<void> {
    clearInterval(this.#looking)
    await this.#acceptors?.close()
  }

  async close(): Promise<void> {
    await Promise.all([this.#readers.close(), this.#writer.close()])
  }

  #readsHere(cost: number | undefined): boolean {
    if (this.#sharesAll) return false
    const placing = placingOf(cost, this.#readers, this.#acceptors ? Alone : this.#load)
    if (placing === 'next') this.#readers.start()
    return placing !== 'thread'
  }

  /** A body that anyone may make the server hold. */
  #isShort({ headers }: IncomingMessage): boolean {
    const length = Number(headers['content-length'] ?? 0)
    return length > 0 && length <= ShortBody
  }

  /** A write that held others up when it was last asked for, or may: its body is large, and it is one of the first. */
  #isLong({ headers }: IncomingMessage, kind: string, cost: number | undefined): boolean {
    if (this.#sharesAll) return true
    const isLarge = Number(headers['content-length'] ?? 0) > LargeBody || headers['transfer-encoding'] !== undefined
    return isLongWrite(cost, isLarge && !this.#costs.isSure(kind), this.#writer.isUp)
  }

  #here(incoming: IncomingMessage, outgoing: ServerResponse, kind: string): void {
    const began = threadTime() // not by the clock, which counts what this thread waits for a processor
    const isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
    if (!isRead && !Multipart.test(incoming.headers['content-type'] ?? ''))
      mayHandOn(
        outgoing,
        (body) => this.#writer.run({ incoming, outgoing, body, kind, cost: undefined, isWrite: true }),
        this.#costs.isSure(kind),
        this.#longWrite,
      )
    outgoing.once('prefinish', () => {
      const took = isRead ? threadTime() - began : writeTimeOf(outgoing)
      if (isRead) this.#reading += took!
      else this.#writing += took ?? 0
      if (took !== undefined) this.#costs.note(kind, took)
    })
    this.#listener(incoming, outgoing)
  }

  /**
   * A read whose thread ended goes to another, which it has for itself; where that ends too, it is the reason, and
   * would end the first thread as well.
   */
  readonly #failing = ({ incoming, outgoing, body, kind, isWrite, isAgain }: Task, isLost: boolean): void => {
    const { method } = incoming
    const isRead = method === 'GET' || method === 'HEAD' || (body !== undefined && !isWrite)
    if (outgoing.headersSent) outgoing.destroy()
    else if (!isLost) this.#listener(body ? incomingOf(threadRequest(0, incoming, true, body)) : incoming, outgoing)
    else if (!isRead)
      refuse(
        outgoing,
        'The thread that worked on this request ended; look whether it was done before you send it again.',
      )
    else if (isAgain) refuse(outgoing, 'The threads that worked on this request ended; ask for less at once.')
    else this.#readers.run({ incoming, outgoing, body, kind, cost: undefined, isAgain: true })
  }
}

function refuse(outgoing: ServerResponse, detail: string): void {
  outgoing.writeHead(503, { ...Common, 'content-type': 'application/json', connection: 'close' })
  outgoing.end(JSON.stringify({ detail }))
}
