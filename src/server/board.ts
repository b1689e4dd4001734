import { hash, randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { CommitNumber } from '../store/commit-number.ts'

/** What `Board` is made of; it may be sent to other threads. */
export interface BoardData {
  memory: SharedArrayBuffer
  threads: number
  /** Addresses are counted by it: nobody knows which of them share a place. */
  secret: string
}

/** Where the number of the commit stands that the first thread makes. */
const Coming = 0
/** Numbers that each thread has for itself, after that one, then one for each place of addresses. */
const [Accepts, Connections, Busy, Burden, Own] = [0, 1, 2, 3, 4]
const Places = 4096
const Width = Own + Places
const startOf = (thread: number): number => Coming + 1 + thread * Width

/** Milliseconds between two connections that a thread gives away. */
const Pause = 5

/**
 * What the threads that take connections know of each other: who takes new ones, how many each has, how busy it is, and
 * how many connections addresses have. The first thread is number 0.
 */
export class Board {
  readonly data: BoardData
  readonly #all: Int32Array
  readonly #own: number
  readonly #starts: readonly number[]
  #gaveAway = -Infinity
  /** Numbers the commits, where threads take connections. */
  commits: CommitNumber | undefined

  constructor(data: BoardData, thread = 0) {
    this.data = data
    this.#all = new Int32Array(data.memory)
    this.#own = startOf(thread)
    this.#starts = Array.from({ length: data.threads }, (_, i) => startOf(i))
  }

  static of(threads: number): Board {
    const memory = new SharedArrayBuffer(startOf(threads) * Int32Array.BYTES_PER_ELEMENT)
    return new Board({ memory, threads, secret: randomBytes(12).toString('base64') })
  }

  /** The number of the commit that the first thread makes, and tells of once it is made; 0 where it makes none. */
  get coming(): number {
    return Atomics.load(this.#all, Coming) >>> 0
  }

  set coming(number: number) {
    Atomics.store(this.#all, Coming, number)
  }

  /** Says whether this thread takes new connections. */
  set accepts(value: boolean) {
    Atomics.store(this.#all, this.#own + Accepts, Number(value))
  }

  /** Says which part of a core this thread uses. */
  set busy(part: number) {
    Atomics.store(this.#all, this.#own + Busy, Math.round(part * 1000))
  }

  /** Says what else this thread does, as so many whole connections: it is given fewer, but a single one stays. */
  set burden(connections: number) {
    Atomics.store(this.#all, this.#own + Burden, Math.trunc(connections))
  }

  /** Cores that the threads beside the first one use. */
  get busyOthers(): number {
    return this.#starts.slice(1).reduce((sum, at) => sum + Atomics.load(this.#all, at + Busy), 0) / 1000
  }

  /** Counts the connections of a server of this thread. */
  watch(server: Server): void {
    const add = (by: number) => Atomics.add(this.#all, this.#own + Connections, by)
    server.on('connection', (socket) => {
      add(1)
      socket.once('close', () => add(-1))
    })
  }

  /** Whether the first thread is another one, and takes connections. */
  get isBesideFirst(): boolean {
    const first = startOf(0)
    return this.#own !== first && Atomics.load(this.#all, first + Accepts) === 1
  }

  /** How many connections all threads have. */
  get connections(): number {
    return this.#starts.reduce((sum, at) => sum + Atomics.load(this.#all, at + Connections), 0)
  }

  /** The connections of a thread, with what it does besides. */
  #load(at: number): number {
    return Atomics.load(this.#all, at + Connections) + Atomics.load(this.#all, at + Burden)
  }

  /** The place where the connections of an address are counted; few others share it. */
  placeOf(address: string): number {
    return hash('sha1', this.data.secret + address, 'buffer').readUInt32LE() % Places
  }

  /** How many connections there are of a place, in all threads. */
  count(place: number): number {
    return this.#starts.reduce((sum, at) => sum + Atomics.load(this.#all, at + Own + place), 0)
  }

  /** Counts a connection of a place that opened (1) or closed (-1). */
  note(place: number, by: 1 | -1): void {
    Atomics.add(this.#all, this.#own + Own + place, by)
  }

  /**
   * Whether this thread is to give a connection away: it takes no new ones, or bears two more than another that does.
   * Its client connects again, and comes to any of them.
   */
  givesAway(now = performance.now()): boolean {
    if (Atomics.load(this.#all, this.#own + Accepts) === 0) return true
    if (now - this.#gaveAway < Pause) return false
    const most = this.#load(this.#own) - 2
    const isOver = this.#starts.some(
      (at) => at !== this.#own && Atomics.load(this.#all, at + Accepts) === 1 && this.#load(at) <= most,
    )
    if (isOver) this.#gaveAway = now
    return isOver
  }

  /** Forgets a thread that is gone. */
  clear(thread: number): void {
    this.#all.fill(0, startOf(thread), startOf(thread + 1))
  }
}
