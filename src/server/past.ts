import { existsSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Moment } from '../history/past.ts'
import type { LookingBack } from '../http/moment.ts'
import { Common } from '../http/request-context.ts'
import { ApiError } from '../http/request.ts'
import { filesOf, placeOf } from '../store/data-folder.ts'
import type { Place } from '../store/open.ts'
import { AppThreads, type Task } from './app-threads.ts'

/**
 * Milliseconds for which a state is kept after the last look at it, and between two looks for those that are done with.
 */
const Kept = 600_000
const Round = 30_000

interface Shown {
  step: number
  file: string
  bytes: number
  threads: AppThreads
  /** When it was last looked at, and how many requests wait for it. */
  used: number
  waiting: number
}

/**
 * Earlier states of the database: copies in files of their own, each read by a thread of its own, a bounded number of
 * them.
 */
export class Past implements LookingBack {
  readonly #config: Config
  readonly #live: () => Place
  readonly #folder: string
  readonly #shown = new Map<number, Shown>()
  readonly #sweep: NodeJS.Timeout

  /** `live`: where the database is that the states are earlier ones of. */
  constructor(config: Config, live: () => Place = () => placeOf(config)) {
    this.#config = config
    this.#live = live
    this.#folder = filesOf(config.data).past
    rmSync(this.#folder, { recursive: true, force: true }) // of a server that was killed
    this.#sweep = setInterval(() => this.#lookRound(), Round).unref()
  }

  readonly answer = (incoming: IncomingMessage, outgoing: ServerResponse, { step }: Moment): void => {
    const shown = this.#shown.get(step) ?? this.#begin(step)
    shown.used = performance.now()
    shown.waiting++
    outgoing.once('close', () => shown.waiting--)
    shown.threads.run({ incoming, outgoing, kind: 'past', cost: undefined, body: undefined })
  }

  /** The database is another file now, with the same history. */
  reopen(file: string): void {
    for (const { threads } of this.#shown.values()) threads.reopen(file)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.all([...this.#shown.values()].map((each) => this.#end(each)))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #begin(step: number): Shown {
    const live = this.#live()
    const bytes = sizeOf(live.file) + sizeOf(`${live.file}-wal`)
    const later = this.#nextAfter(step)
    if (later) later.waiting++ // it stays while it is copied
    try {
      this.#makeRoom(bytes)
    } finally {
      if (later) later.waiting--
    }
    const file = join(this.#folder, `${step}.db`)
    const threads = new AppThreads({
      place: { ...live, file },
      past: { live, step, ...(later ? { later: later.file } : {}) },
      writes: false,
      threads: 1,
      patience: Kept,
      mayGrow: () => true,
      failing: refuse,
      took: () => {},
      used: () => {},
      turn: () => {},
    })
    const shown: Shown = { step, file, bytes, threads, used: performance.now(), waiting: 0 }
    this.#shown.set(step, shown)
    return shown
  }

  /** The earliest state after a step that is there: from it, fewer changes are to be taken back than from now. */
  #nextAfter(step: number): Shown | undefined {
    return [...this.#shown.values()]
      .filter((each) => each.step > step && existsSync(each.file))
      .sort((a, b) => a.step - b.step)[0]
  }

  /** Evicts the least recently used states. Throws `ApiError` where that does not free enough. */
  #makeRoom(bytes: number): void {
    const { pastCopies, pastMaxBytes } = this.#config
    if (bytes > pastMaxBytes)
      throw new ApiError(503, { detail: `An earlier state takes ${bytes} bytes, more than past_max_bytes allows.` })
    const total = () => [...this.#shown.values()].reduce((sum, each) => sum + each.bytes, 0)
    while (this.#shown.size >= pastCopies || total() + bytes > pastMaxBytes) {
      const idle = [...this.#shown.values()].filter(({ waiting }) => waiting === 0).sort((a, b) => a.used - b.used)
      if (!idle[0])
        throw new ApiError(503, { detail: 'Too many earlier states are being looked at.' }, { 'retry-after': '10' })
      void this.#end(idle[0])
    }
  }

  async #end(shown: Shown): Promise<void> {
    this.#shown.delete(shown.step)
    await shown.threads.close()
    if (!this.#shown.has(shown.step))
      for (const end of ['', '.new', '.new-wal', '.new-shm', '.new-journal']) rmSync(shown.file + end, { force: true })
  }

  #lookRound(): void {
    const before = performance.now() - Kept
    for (const shown of this.#shown.values()) if (shown.waiting === 0 && shown.used < before) void this.#end(shown)
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** What a thread could not answer: its copy could not be made, for instance where the disk is full. */
function refuse({ outgoing }: Pick<Task, 'outgoing'>): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const detail = 'This earlier state could not be made; the log of the server says why.'
  outgoing.writeHead(503, { ...Common, 'content-type': 'application/json', 'retry-after': '10' })
  outgoing.end(JSON.stringify({ detail }))
}
