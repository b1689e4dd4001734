import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { complain } from '../lib/log.ts'

/**
 * The disk did not take what was committed: nobody knows whether that is kept, and nothing more is written, since what
 * a later wait covers need not hold what this one lost.
 */
export class NotSynced extends Error {
  constructor(cause: Error) {
    super(
      `The disk did not take what was written (${(cause as NodeJS.ErrnoException).code ?? cause.message}): ` +
        'whether this change is kept is not known. Nothing more is written until the server is started again.',
      { cause },
    )
  }
}

/** Told once what was asked for is on disk, or why that is not known. */
type Done = (failure?: NotSynced) => void
/** Has the disk keep what was written to a file. */
export type Wait = (descriptor: number, done: (error: Error | null) => void) => void

/** Milliseconds up to which a disk is quick: to wait for it elsewhere, and to be told, would take as long. */
const Quick = 1
/** Waits elsewhere after which one is made here, to see how quick the disk is by now. */
const Trials = 64

/** Says where to wait for a disk, by how long it took when it was waited for here. */
export class Pace {
  #usual = 0
  #elsewhere = 0

  get isHere(): boolean {
    return this.#usual < Quick || this.#elsewhere >= Trials
  }

  waitedElsewhere(): void {
    this.#elsewhere++
  }

  waitedHere(ms: number): void {
    this.#elsewhere = 0
    this.#usual = (this.#usual + ms) / 2
  }
}

/**
 * Waits for the disk, outside of this thread where it is not quick: one fdatasync of SQLite's log at a time. The
 * connection has `synchronous = normal`, under which a commit is written to the log but not waited for.
 *
 * Why no power cut takes what was answered: a commit is in the log or, past a checkpoint, in the database, and before
 * it copies anything there SQLite syncs the log, whatever the mode but `off`; so it does with the header of a log that
 * begins anew, and with the folder of one that is new. After a cut the log is read up to the first frame that is not
 * whole, so what is lost is the end of what nobody was told of. Others may read that end while the disk writes it, for
 * as long as one wait takes.
 *
 * The file stays open until the database is closed, and it is the log alone: a process that closes any descriptor of a
 * database or of its index of the log (-shm) loses its locks on it.
 */
export class LogSync {
  readonly #log: number
  readonly #wait: Wait
  readonly #pace: Pace | undefined
  #isDirty = false
  #isBusy = false
  #isClosed = false
  #covered: Done[] = []
  #waiting: Done[] = []
  #free: (() => void)[] = []
  #failure: NotSynced | undefined
  /** Somebody else has the disk keep much: a quick one is not quick just now. */
  isDiskTaken = false

  /** For a database that is open, so that there is a log; tests have a `wait` of their own. */
  constructor(database: string, wait?: Wait) {
    this.#log = openSync(`${database}-wal`, 'r+')
    this.#wait = wait ?? fdatasync
    if (!wait) this.#pace = new Pace()
  }

  /** Why nothing is written any more. */
  get failure(): NotSynced | undefined {
    return this.#failure
  }

  /** Whether the disk is waited for just now: who writes then waits once more, so they better share the next wait. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Calls `next` once the wait that is under way is over. */
  whenFree(next: () => void): void {
    this.#free.push(next)
  }

  /** Something was committed. */
  noteCommit(): void {
    this.#isDirty = true
  }

  /**
   * Calls `done` once all that is committed now is on disk; at once where it is. `isAsked`: others ask this thread for
   * something meanwhile, so that it better waits elsewhere.
   */
  whenSynced(done: Done, isAsked = false): void {
    if (this.#failure || !(this.#isDirty || this.#isBusy)) done(this.#failure)
    else if (!this.#isDirty) this.#covered.push(done)
    else if (!isAsked && !this.#isBusy && !this.isDiskTaken && this.#pace?.isHere) {
      try {
        this.syncNow()
      } catch {} // done is told
      done(this.#failure)
    } else {
      this.#waiting.push(done)
      if (!this.#isBusy) this.#sync()
    }
  }

  /** Waits in this thread. Throws `NotSynced`. */
  syncNow(): void {
    if (this.#failure) throw this.#failure
    const began = performance.now()
    try {
      fdatasyncSync(this.#log)
    } catch (error) {
      throw this.#fail(error as Error)
    }
    this.#pace?.waitedHere(performance.now() - began)
    this.#isDirty = false
  }

  /** Waits for the last time, and tells everybody. */
  close(): void {
    try {
      if (this.#isDirty || this.#isBusy) this.syncNow()
    } catch {} // which was told
    this.#isClosed = true
    this.#tell()
    if (!this.#isBusy) closeSync(this.#log)
  }

  #sync(): void {
    this.#isBusy = true
    this.#isDirty = false
    this.#pace?.waitedElsewhere()
    this.#covered = this.#waiting
    this.#waiting = []
    this.#wait(this.#log, (error) => {
      this.#isBusy = false
      if (this.#isClosed) {
        closeSync(this.#log)
        return
      }
      if (error) this.#fail(error)
      if (this.#failure) this.#tell()
      else {
        const covered = this.#covered
        this.#covered = []
        if (this.#waiting.length > 0) this.#sync()
        for (const done of covered) done()
      }
      for (const next of this.#free.splice(0)) next()
    })
  }

  /** Tells all who wait how it ended. */
  #tell(): void {
    const all = [...this.#covered, ...this.#waiting]
    this.#covered = []
    this.#waiting = []
    for (const done of all) done(this.#failure)
  }

  #fail(error: Error): NotSynced {
    if (!this.#failure) {
      this.#failure = new NotSynced(error)
      complain(`cabinet: ${this.#failure.message}\n`)
    }
    return this.#failure
  }
}
