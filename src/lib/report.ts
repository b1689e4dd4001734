import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { isPackaged } from './assets.ts'
import { NotDone, ThreadPool } from './thread-pool.ts'

/**
 * A database to read, the tables that questions may name with their columns, and what one question may take at most.
 */
export interface ReportSource {
  file: string
  /** Columns by the name of the table. */
  tables: Readonly<Record<string, readonly string[]>>
  bounds: { ms: number; rows: number; bytes: number; memory: number }
}

/**
 * A question: `views` is the SQL of each table that its text may mean, with the rows and columns that its asker may
 * view.
 */
export interface ReportJob {
  sql: string
  params: readonly ReportValue[] | Readonly<Record<string, ReportValue>>
  format: 'json' | 'csv'
  /** CSV with an apostrophe before what a spreadsheet would take for a formula. */
  harmless?: boolean
  views: Readonly<Record<string, string>>
}
export type ReportValue = string | number | boolean | null

/** JSON of a list of rows, each a list of values, or CSV with a line of names; `isCut`: there would be more rows. */
export interface ReportTable {
  columns: string[]
  text: string
  rows: number
  isCut: boolean
  ms: number
}
export type ReportOutcome = ReportTable | { error: string }

/** What is wrong with a question, or why it has no answer, in words for who asked. */
export class ReportError extends Error {
  /** True: the same question may be answered later. */
  readonly isBusy: boolean
  constructor(message: string, isBusy = false) {
    super(message)
    this.isBusy = isBusy
  }
}

/** The word by which the executable is told to be such a process. */
const ReportProcess = 'report-process'

const Patience = 30_000
/** Milliseconds beyond its bound after which a process that does not end itself is ended. */
const Grace = 10_000

/**
 * Answers questions in processes of their own, started when needed and ended when idle. Not in threads: better-sqlite3
 * and node:sqlite are two SQLites, and where both have the same file open in one process, the locks of one do not hold
 * for the other, and closing a file by one gives back the locks of the other (sqlite.org/howtocorrupt.html, 2.2.1).
 */
export class Reports {
  readonly #pool: ThreadPool<ReportJob, ReportOutcome>
  readonly #running = new Set<Helper>()

  constructor(source: ReportSource, processes: number) {
    this.#pool = new ThreadPool<ReportJob, ReportOutcome>(
      () => {
        const helper: Helper = new Helper(source, () => this.#running.delete(helper))
        this.#running.add(helper)
        return helper
      },
      { threads: processes, timeout: source.bounds.ms + Grace, waiting: 50, waitingOfOne: 10, patience: Patience },
    )
  }

  /** Answers a question, in turn with those of others than `asker`. Rejects with `ReportError`. */
  async run(job: ReportJob, asker: string): Promise<ReportTable> {
    const outcome = await this.#pool.run(job, asker).catch((error: unknown): never => {
      if (!(error instanceof NotDone)) throw error
      throw new ReportError(`No answer: ${error.message}.`, error.isWaiting)
    })
    if ('error' in outcome) throw new ReportError(outcome.error)
    return outcome
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((helper) => helper.terminate()))
  }
}

/** What the signal says by which a process ended itself; Windows knows none. */
const Reasons: Readonly<Record<string, string>> = {
  SIGTERM: 'it needs too much memory',
  SIGKILL: 'it takes too long',
  ...(process.platform === 'win32' ? { '': 'it takes too long or needs too much memory' } : {}),
}

/** A process that answers, as a pool knows threads. */
class Helper extends EventEmitter {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>

  constructor(source: ReportSource, onEnd: () => void) {
    super()
    const self = isPackaged ? [ReportProcess] : [join(import.meta.dirname, 'workers/report.ts')]
    const { SystemRoot } = process.env // without which Windows starts nothing
    this.#child = spawn(process.execPath, self, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      windowsHide: true,
      env: SystemRoot ? { SystemRoot } : {},
    })
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('error', (error) => this.emit('error', error))
    this.#gone = new Promise((resolve) => {
      const end = () => {
        onEnd()
        resolve()
      }
      this.#child.once('error', end).once('exit', (code, signal) => {
        this.emit('error', new Error(Reasons[signal ?? ''] ?? `its process ended with ${code}`))
        end()
      })
    })
    this.#send(source)
    this.unref()
  }

  postMessage(job: ReportJob): void {
    this.#send(job)
  }

  ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  terminate(): Promise<void> {
    this.ref() // else a command that has nothing else to do would end before
    this.#child.kill('SIGKILL')
    return this.#gone
  }

  #send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined) // one that ends says so by ending
  }
}
