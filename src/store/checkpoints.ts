import type { Database, Statement } from 'better-sqlite3'
import { closeSync, openSync } from 'node:fs'
import { addonsFolder } from '../lib/addons.ts'
import { complain } from '../lib/log.ts'
import { ThreadPool } from '../lib/thread-pool.ts'
import { startThread } from '../lib/threads.ts'
import type { CheckpointJob } from '../lib/workers/checkpoint.ts'
import type { Committer } from './commit.ts'

/**
 * Pages in the log, and not in the file, from which on they are brought there; and those that are soon brought, while
 * nobody writes. What is changed again and again is brought once: so few large checkpoints cost less than many small.
 */
const [Many, Few] = [16000, 400]
/** Pages down to which they are brought while others write, as long as each time leaves less than half. */
const Fewest = 50
/**
 * Pages from which on whoever commits brings them there after all, 2 GiB: where a thread is slower than who writes. One
 * transaction that changes all of a large table makes hundreds of thousands, for which nobody is to wait.
 */
export const MostPages = 524_288
/** The same where no thread can. */
const PagesAlone = 4000
/** Milliseconds after which a thread is given up, and after which one without work is ended. */
const [Patience, Idle] = [3_600_000, 20_000]
/** Milliseconds after a commit until it is looked how much there is, and without one until the rest is brought. */
const [Soon, Calm] = [20, 200]

/**
 * Has the log begin anew while nobody reads, where little of it is left to be brought; more is the business of the
 * thread.
 */
export function restartLog(raw: Database): void {
  const [{ log, checkpointed }] = raw.pragma('wal_checkpoint(noop)') as [{ log: number; checkpointed: number }]
  if (log - checkpointed < Few) raw.pragma('wal_checkpoint(restart)')
}

/** Brings the log of SQLite back to the database, a checkpoint, beside the thread that writes. */
export class Checkpoints {
  readonly #raw: Database
  readonly #commit: Pick<Committer, 'hold' | 'release' | 'logSync'>
  readonly #state: Statement
  /** Of the database's file, to wait for the disk by. */
  readonly #descriptor: number
  readonly #threads = new ThreadPool<CheckpointJob, object>(() => startThread('checkpoint', {}), {
    threads: 1,
    timeout: Patience,
    waiting: 1,
    waitingOfOne: 1,
    patience: Idle,
  })
  #running: Promise<void> | undefined
  /** Pages outside of the file from which on the next one is worth it. */
  #from = Many
  /** To look again once nobody writes, where more came than was brought. */
  #later: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined
  #isOver = false

  /** For the connection that writes, and who lets others write with it. */
  constructor(raw: Database, commit: Pick<Committer, 'hold' | 'release' | 'logSync'>) {
    this.#raw = raw
    this.#commit = commit
    this.#state = raw.prepare('pragma wal_checkpoint(noop)')
    this.#descriptor = openSync(raw.name, 'r+')
    raw.pragma(`wal_autocheckpoint = ${MostPages}`)
  }

  /** To be called after each commit, of any thread: a look costs part of what a commit does, one serves many. */
  lookSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.look()
    }, Soon).unref()
  }

  /** Begins to bring what there is, if that is much. */
  look(): void {
    if (this.#running || this.#isOver || this.#raw.inTransaction || this.#outside() < this.#from) return
    this.#begin()
  }

  /** Begins nothing any more, and answers once what was begun is over. */
  async end(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#later)
    clearTimeout(this.#soon)
    await this.#running
  }

  /** To be called once the process has closed the database, and no sooner, for its locks: see `CommitNumber.close`. */
  close(): void {
    closeSync(this.#descriptor)
  }

  #begin(): void {
    clearTimeout(this.#later)
    this.#running = this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    const { logSync } = this.#commit
    if (logSync) logSync.isDiskTaken = true
    try {
      const isHeldBack = await this.#bringMost()
      const outside = this.#outside()
      if (outside < Few) await this.#bringLast()
      await this.#told('end')
      this.#from = this.#outside() + Many
      if (outside >= Few && !isHeldBack) this.#lookWhenCalm()
    } catch (error) {
      complain(`cabinet: a checkpoint beside failed, they are made by who writes now: ${(error as Error).message}\n`)
      this.#raw.pragma(`wal_autocheckpoint = ${PagesAlone}`)
      this.#isOver = true
    } finally {
      if (logSync) logSync.isDiskTaken = false
    }
  }

  /** Brings what there is, while it shrinks by that. Says whether somebody who reads an earlier state holds it back. */
  async #bringMost(): Promise<boolean> {
    for (let before = this.#log(), left = Infinity; ; before = this.#log()) {
      const outside = before.log - before.checkpointed
      if (outside < Fewest || outside >= left / 2) return false
      left = outside
      await this.#told({ sync: this.#descriptor })
      const { log, checkpointed } = this.#log()
      if (log >= before.log && checkpointed < before.log) return true // it did not begin anew, either
    }
  }

  /** What came as quickly as it was brought waits until nobody writes, or for many more. */
  #lookWhenCalm(): void {
    if (this.#isOver) return
    const { log } = this.#log()
    this.#later = setTimeout(() => {
      if (this.#running) return
      if (!this.#raw.inTransaction && this.#log().log === log) this.#begin()
      else this.#lookWhenCalm()
    }, Calm).unref()
  }

  #told(what: CheckpointJob['what']): Promise<object> {
    return this.#threads.run({ file: this.#raw.name, addons: addonsFolder(), what }, '')
  }

  /**
   * Brings what came meanwhile, so that the log begins anew: it does once all of it is in the file. The disk has what
   * was brought before, so that who writes waits for little.
   */
  async #bringLast(): Promise<void> {
    this.#commit.hold()
    try {
      await this.#told('bring')
    } finally {
      this.#commit.release()
    }
  }

  #outside(): number {
    const { log, checkpointed } = this.#log()
    return log - checkpointed
  }

  #log(): { log: number; checkpointed: number } {
    return this.#state.get() as { log: number; checkpointed: number }
  }
}
