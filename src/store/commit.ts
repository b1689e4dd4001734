import type Database from 'better-sqlite3'
import { DeferredWork, Unfinished } from '../lib/deferred.ts'
import { isBrokenReference, refusalOf, whyNotCommitted } from './broken-references.ts'
import { Company, Trials } from './company.ts'
import { type Connection, isBusy } from './database.ts'
import { Feed } from './feed.ts'
import type { LogSync } from './log-sync.ts'

/**
 * What is known of a piece of work. `brief`: it is short, and may run again though nothing that it asked for was
 * missing. `tentative`: much of it may be tried and taken back.
 */
export type Manner = 'plain' | 'brief' | 'tentative'

interface Job<T> {
  work: () => T
  resolve: (value: T) => void
  reject: (error: unknown) => void
  deferred: DeferredWork
  manner: Manner
  /** When it began to wait, by `performance.now()`, and when another process first kept it from being begun. */
  since: number
  locked?: number
}

/** A write that was given up because another process kept the database locked. */
export class Locked extends Error {
  constructor() {
    super('The database is locked by another process.')
  }
}

/** Milliseconds between two tries to write while another process holds the lock. */
const LockedPause = 20

/** Tables that begin to be kept in one transaction, so that it holds nobody up: ten take some milliseconds. */
const KeptAtOnce = 20

/** After a brief write was refused, so many groups of writes have savepoints. */
const CarefulGroups = 100

/**
 * Milliseconds that a transaction waits for the writes that are likely to share it: half the time that the last one
 * took, within bounds.
 */
const gatherTime = (lasted: number): number => Math.min(2, Math.max(0.3, lasted / 2))
/** Milliseconds before a write from which on a read is of somebody else: its own client has hardly asked for more. */
const JustBefore = 0.3

/**
 * Group commit: the writes of one turn of the event loop share one IMMEDIATE transaction and one fsync, each in a
 * savepoint of its own; callers hear of theirs once it is on disk, and so does whoever tells others of it.
 */
export class Committer {
  readonly #db: Connection
  /** What each piece of work changed; its listener acts inside the same transaction. */
  readonly feed = new Feed()
  /** Called at the end of each piece of work, inside its transaction. */
  ending: () => void = () => {}
  /** Told after each commit. */
  committed: () => void = () => {}
  /** Milliseconds that a write waits while another process holds the lock; past them it fails with `Locked`. */
  maxWait = 5000
  /**
   * Waits for this thread's turn to write, where several threads of a server do; `turnOver` is called when its
   * transaction is over.
   */
  turn: (() => Promise<void>) | undefined
  turnOver: () => void = () => {}
  /** Waits for the disk beside this thread; where there is none, SQLite waits within each commit. */
  logSync: LogSync | undefined
  /** Told after each transaction how many pieces of work it held, and how long it took until it was on disk, in ms. */
  took: ((works: number, ms: number) => void) | undefined
  /** When this thread last began to answer a read, by `performance.now()`. */
  lastRead = -Infinity
  /**
   * Milliseconds that a write waits at most while reads of others come, and between two of them: they are answered
   * meanwhile, and what is written until then shares a transaction. It waits where others may come to share it.
   */
  aside = { most: 4, between: 1 }
  readonly #company = new Company()
  /** Whether reads of others came beside the writes that are being done. */
  #isBeside = false
  #holders = 0
  #waiting: Job<unknown>[] = []
  #scheduled = false
  /** How many writes the last transaction held, and the one before: as many are likely to come again at once. */
  #lately = 1
  #before = 1
  /** Milliseconds that the last one took. */
  #lasted = 0
  /** Of transactions that wait for the writers of both, who may take turns. */
  readonly #both = new Trials()

  constructor(db: Connection) {
    this.#db = db
  }

  /**
   * Runs `work` in a transaction; what it throws undoes its changes alone. It runs again where its rules ask for work
   * that is done elsewhere, in turn with that of others than `asker`; brief work also where another of the same
   * transaction was refused.
   */
  async run<T>(work: () => T, asker = '', manner: Manner = 'plain'): Promise<T> {
    if (manner === 'tentative') while (await this.#add(() => this.#db.keeping?.more(KeptAtOnce), asker, 'plain'));
    return this.#add(work, asker, manner)
  }

  #add<T>(work: () => T, asker: string, manner: Manner): Promise<T> {
    return new Promise<T>((resolve, reject) =>
      this.#enqueue({ work, resolve, reject, deferred: new DeferredWork(asker), manner, since: 0 } as Job<unknown>),
    )
  }

  #enqueue(job: Job<unknown>): void {
    job.since = performance.now()
    this.#waiting.push(job)
    if (this.#scheduled) {
      this.#came?.()
      return
    }
    this.#scheduled = true
    let until = performance.now() + gatherTime(this.#lasted)
    const isForBoth = this.#both.isDue
    const wanted = isForBoth ? this.#lately + this.#before : this.#lately
    let hasWaited = false
    const gather = (): void => {
      if (this.logSync?.isBusy) {
        this.logSync.whenFree(() => {
          until = performance.now() + gatherTime(this.#lasted)
          gather()
        })
        return
      }
      const now = performance.now()
      const count = this.#waiting.length
      const isBeside = this.#isBesideReads(job.since, now)
      const isAside = isBeside && now - job.since < this.aside.most && this.#company.expectsMore(count)
      if (isAside) {
        hasWaited = true
        const most = job.since + this.aside.most
        this.#waitAside(gather, Math.min(most, this.lastRead + this.aside.between) - now)
        return
      }
      if (count < wanted && now < until) {
        setImmediate(gather)
        return
      }
      if (isBeside || hasWaited) this.#company.came(count)
      this.#isBeside = isBeside
      this.#both.over(count > this.#lately)
      this.flush()
    }
    setImmediate(gather)
  }

  /** Looks again after so many ms, or once as many writes have come as are expected; the thread may sleep meanwhile. */
  #waitAside(look: () => void, ms: number): void {
    const next = (): void => {
      this.#came = undefined
      look()
    }
    const timer = setTimeout(next, ms)
    this.#came = () => {
      if (this.#company.expectsMore(this.#waiting.length)) return
      clearTimeout(timer)
      this.#came = undefined
      setImmediate(look) // what else comes in this turn of the event loop shares it
    }
  }
  /** Told of each write that comes while a transaction waits for more. */
  #came: (() => void) | undefined

  /** Whether reads of others come beside a write that came at `since`. */
  #isBesideReads(since: number, now: number): boolean {
    return now - this.lastRead < this.aside.between && this.lastRead > since - JustBefore
  }

  /**
   * Runs `work` at once, in a transaction of its own, or in the one that is open. Throws SQLite's busy error while
   * another process holds the lock.
   */
  now<T>(work: () => T, manner: Manner = 'plain'): T {
    const raw = this.#db.raw
    if (raw.inTransaction) return work()
    if (manner === 'tentative') this.now(() => this.#db.keeping?.more())
    let value: T
    if (this.logSync?.failure) throw this.logSync.failure
    try {
      this.#db.begin()
      value = this.#perform(work)
      this.#db.commit()
      this.logSync?.syncNow()
    } catch (error) {
      const told = isBusy(error) ? new Locked() : whyNotCommitted(raw, error)
      this.#db.rollback()
      throw told
    }
    this.heard()
    return value
  }

  /** From now on `hearer` too is told after each commit, of other threads as well. */
  onCommitted(hearer: () => void): void {
    this.#hearers.push(hearer)
  }
  readonly #hearers: (() => void)[] = []

  /** Says that something was committed, here or by another thread. */
  heard(): void {
    this.committed()
    for (const hearer of this.#hearers) hearer()
  }

  /** Answers once all that is committed now is on disk. Rejects with `NotSynced` where the disk failed. */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.logSync) this.logSync.whenSynced((failure) => (failure ? reject(failure) : resolve()))
      else resolve()
    })
  }

  /** Once what these pieces of work did is on disk, `answer` tells those who wait for them. */
  #committed(jobs: readonly Job<unknown>[], began: number, answer: () => void): void {
    const done = (failure?: Error): void => {
      this.#lasted = performance.now() - began
      this.took?.(jobs.length, this.#lasted)
      if (failure) for (const job of jobs) job.reject(failure)
      else {
        answer()
        this.heard()
      }
    }
    this.logSync?.noteCommit()
    if (this.logSync) this.logSync.whenSynced(done, this.#isBeside)
    else done()
  }

  /** How many pieces of work wait for their transaction. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Somebody else writes now, or would have nobody write: what comes waits until each who said so calls `release`. */
  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#waiting.length > 0) this.flush()
  }

  /** Runs whatever waits, when it is this thread's turn. */
  flush(): void {
    if (this.#holders > 0) return
    if (!this.turn) this.#flush()
    else
      void this.turn().then(() => {
        this.#flush()
        this.turnOver()
      })
  }

  #flush(): void {
    this.#scheduled = false
    const jobs = this.#waiting
    this.#waiting = []
    if (jobs.length === 0) return
    this.#before = this.#lately
    this.#lately = jobs.length
    const failure = this.logSync?.failure
    if (failure) for (const job of jobs) job.reject(failure)
    else if (this.#begin(jobs)) {
      if (jobs.length === 1) this.#alone(jobs[0]!)
      else this.#together(jobs)
    }
  }

  /** One transaction of many pieces of work, each of which can fail for itself. */
  #together(jobs: readonly Job<unknown>[]): void {
    const began = performance.now()
    if (this.#careful > 0) this.#careful--
    else if (jobs.every((job) => job.manner === 'brief')) {
      if (this.#trusting(jobs, began)) return
      this.#careful = CarefulGroups
      if (!this.#begin([...jobs])) return
    }
    const raw: Database.Database = this.#db.raw
    const answers: (() => void)[] = []
    try {
      for (const job of jobs) answers.push(this.#attempt(raw, job))
      this.#db.commit()
    } catch (error) {
      this.#db.rollback()
      // What is looked at only when all is committed does not say whose it is.
      if (isBrokenReference(error)) for (const job of jobs) this.#begin([job]) && this.#alone(job)
      else for (const job of jobs) job.reject(error)
      return
    }
    this.#committed(jobs, began, () => {
      for (const answer of answers) answer()
    })
  }

  /** Groups of writes that have savepoints still. */
  #careful = 0

  /**
   * The same without savepoints, of which each costs a copy of every page that is written in it; false where all was
   * undone since one failed.
   */
  #trusting(jobs: readonly Job<unknown>[], began: number): boolean {
    let values: unknown[]
    try {
      values = jobs.map((job) => job.deferred.within(() => this.#perform(job.work)))
      this.#db.commit()
    } catch {
      this.#db.rollback()
      return false
    }
    this.#committed(jobs, began, () => {
      for (const [i, job] of jobs.entries()) job.resolve(values[i])
    })
    return true
  }

  #begin(jobs: Job<unknown>[]): boolean {
    try {
      this.#db.begin()
      return true
    } catch (error) {
      if (isBusy(error)) this.#postpone(jobs)
      else for (const job of jobs) job.reject(error)
      return false
    }
  }

  /**
   * A transaction of one piece of work: without a savepoint, under which SQLite keeps a copy of each page for each
   * statement that changes it.
   */
  #alone(job: Job<unknown>): void {
    const began = performance.now()
    let value: unknown
    try {
      value = job.deferred.within(() => this.#perform(job.work))
      this.#db.commit()
    } catch (error) {
      const told = refusalOf(this.#db.raw, error, this.#db.changes)
      this.#db.rollback()
      if (error instanceof Unfinished) job.deferred.finish().then(() => this.#enqueue(job), job.reject)
      else job.reject(told)
      return
    }
    this.#committed([job], began, () => job.resolve(value))
  }

  /** Tries again a little later what could not begin, and gives up what has waited too long. */
  #postpone(jobs: readonly Job<unknown>[]): void {
    const now = performance.now()
    for (const job of jobs) job.locked ??= now
    const isLate = ({ locked }: Job<unknown>) => locked! <= now - this.maxWait
    for (const job of jobs.filter(isLate)) job.reject(new Locked())
    this.#waiting.unshift(...jobs.filter((job) => !isLate(job)))
    if (this.#waiting.length === 0) return
    this.#scheduled = true
    setTimeout(() => this.flush(), LockedPause)
  }

  #perform<T>(work: () => T): T {
    try {
      const value = work()
      // It may fail before the disk is done; who waits for the write hears of it then.
      if (value instanceof Promise) value.catch(() => undefined)
      this.feed.handOver()
      this.ending()
      return value
    } finally {
      this.feed.drop()
    }
  }

  #attempt(raw: Database.Database, job: Job<unknown>): () => void {
    try {
      const value = this.#db.within(() => job.deferred.within(() => this.#perform(job.work)))
      return () => job.resolve(value)
    } catch (error) {
      if (!raw.inTransaction) throw error // SQLite gave up the whole transaction (disk full)
      if (error instanceof Unfinished)
        return () => void job.deferred.finish().then(() => this.#enqueue(job), job.reject)
      return () => job.reject(error)
    }
  }
}
