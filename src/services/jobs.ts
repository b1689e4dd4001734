import { setTimeout as pause } from 'node:timers/promises'
import { alarm } from '../lib/alarm.ts'
import { complain } from '../lib/log.ts'
import { now, momentAt } from '../lib/datetime.ts'
import type { Store } from '../store/open.ts'
import { isPassing } from '../store/passing.ts'
import { sql } from '../declare/statement.ts'

/** A stored job as its worker sees it. */
export interface Job {
  id: number
  job_id: string
  name: string
  lane: string
  payload: string | null
  data: string | null
  attempts: number
  user_id: number | null
  object_id: number | null
  interval: number | null
  created: string
}

/** How one run of a job ended. `later`: it is tried again after so many milliseconds. */
export interface Outcome {
  status: 'completed' | 'failed' | 'errored' | 'later'
  message: string
  delay?: number
  data?: object
  /** What a receiver answered, which is not for every reader of jobs. */
  response?: string
  /** Whether it is written already: `End` was called. */
  isWritten?: true
}

/** Writes how a job ended in the transaction that is open, so that nobody sees its work done and the job running. */
export type End = (outcome: Outcome) => Outcome

const Waiting = sql<{ id: number; lane: string; scheduled: string | null; interval: number | null }>`
  select id, lane, scheduled, "interval" from core_job
  where id > ? and lane <> '' and status in ('pending', 'scheduled') order by id`
/** Jobs that were running when the server ended. */
const Cut = "status = 'running' and lane <> ''"
const NoteCut = sql`
  update core_job set log_entries = json_insert(log_entries, '$[#]', json(?)) where ${Cut}`
const Deadly = sql<Job>`
  select * from core_job
  where ${Cut} and ? <= (select count(*) from json_each(log_entries) where value ->> 'message' = ?)`
const TakeUp = sql`update core_job set status = 'pending' where ${Cut}`
const Finish = sql`
  update core_job set status = ?, scheduled = coalesce(?, scheduled), completed = ?, error = ?,
    data = coalesce(?, data), response = coalesce(?, response), payload = case when ? then null else payload end,
    log_entries = json_insert(log_entries, '$[#]', json(?))
  where id = ?`

type Kinds = Readonly<Record<string, (job: Job, end: End) => Promise<Outcome>>>

/** Runs jobs one at a time in each lane and a few in all; what a stopped server left behind is taken up again. */
export class Worker {
  readonly #store: Store
  readonly #kinds: Kinds
  readonly #lanes = new Map<string, number[]>()
  readonly #busy = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  /** What calls off jobs that wait for their time, and their lanes. */
  readonly #alarms = new Map<() => void, string>()
  readonly #ended = new Map<string, number>()
  #lastId = 0
  #seen = -1
  readonly #stopping = new AbortController()

  constructor(store: Store, kinds: Kinds, options?: { atOnce?: number; abandoned?: (job: Job) => void }) {
    this.#store = store
    this.#kinds = kinds
    this.#atOnce = options?.atOnce ?? 4
    this.#abandoned = options?.abandoned ?? (() => {})
  }
  readonly #atOnce: number
  readonly #abandoned: (job: Job) => void

  start(): void {
    const { commit, db } = this.#store
    commit.now(() => this.#takeUp())
    commit.committed = () => {
      if (db.version('core_job') !== this.#seen) setImmediate(() => this.#wake())
    }
    this.#wake()
  }

  /**
   * Jobs that were running when the server died wait again; those over which it died too often are given up, since they
   * may be why.
   */
  #takeUp(): void {
    const { rows } = this.#store
    const entry = JSON.stringify({ timestamp: now(), level: 'warning', message: Interrupted })
    rows.run(NoteCut, entry)
    const deadly = rows.all(Deadly, MaxInterruptions, Interrupted)
    for (const job of deadly) {
      this.#finish(job, {
        status: 'errored',
        message: `The server ended ${MaxInterruptions} times while this was running.`,
      })
      this.#abandoned(job)
    }
    rows.run(TakeUp)
  }

  /** How many jobs of each kind are pending, scheduled and running. */
  get states(): { kind: string; state: string; count: number }[] {
    const counts = new Map(
      Object.keys(this.#kinds).flatMap((kind) =>
        ['pending', 'scheduled', 'running'].map((state) => [`${kind} ${state}`, 0]),
      ),
    )
    const add = (lane: string, state: string, count = 1) => {
      const key = `${kindOf(lane)} ${state}`
      counts.set(key, (counts.get(key) ?? 0) + count)
    }
    for (const [lane, line] of this.#lanes) add(lane, 'pending', line.length)
    for (const lane of this.#alarms.values()) add(lane, 'scheduled')
    for (const lane of this.#busy) add(lane, 'running')
    return [...counts].map(([key, count]) => {
      const [kind, state] = key.split(' ') as [string, string]
      return { kind, state, count }
    })
  }

  /** How many runs of jobs of each kind ended how, since the start. */
  get ended(): { kind: string; outcome: string; count: number }[] {
    return [...this.#ended].map(([key, count]) => {
      const [kind, outcome] = key.split(' ') as [string, string]
      return { kind, outcome, count }
    })
  }

  /**
   * Takes up nothing more and waits for what runs, within reason: a job that is cut off runs again after the next
   * start.
   */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#store.commit.committed = () => {}
    for (const callOff of this.#alarms.keys()) callOff()
    const deadline = new Promise((resolve) => setTimeout(resolve, StopTimeout).unref())
    await Promise.race([Promise.all(this.#running), deadline])
  }

  /** Looks for jobs that are new since the last look. */
  #wake(): void {
    if (this.#stopping.signal.aborted) return
    const { db } = this.#store
    this.#seen = db.version('core_job')
    const fresh = this.#store.rows.all(Waiting, this.#lastId)
    for (const { id, lane, scheduled, interval } of fresh) {
      this.#lastId = id
      // One that comes again is never further away than that, unless the clock was ahead when it was made.
      const latest = interval === null ? Number.POSITIVE_INFINITY : Date.now() + interval * Minute
      const due = scheduled ? Math.min(Date.parse(scheduled), latest) : 0
      if (due > Date.now()) this.#later(id, lane, due)
      else this.#line(lane).push(id)
    }
    this.#fill()
  }

  #line(lane: string): number[] {
    const line = this.#lanes.get(lane) ?? []
    this.#lanes.set(lane, line)
    return line
  }

  #later(id: number, lane: string, due: number): void {
    const callOff = alarm(due, () => {
      this.#alarms.delete(callOff)
      this.#line(lane).push(id)
      this.#fill()
    })
    this.#alarms.set(callOff, lane)
  }

  /** Starts what may run now. */
  #fill(): void {
    for (const [lane, line] of this.#lanes) {
      if (this.#stopping.signal.aborted || this.#running.size >= this.#atOnce) return
      if (this.#busy.has(lane)) continue
      const id = line.shift()
      if (line.length === 0) this.#lanes.delete(lane)
      if (id === undefined) continue
      this.#busy.add(lane)
      const work = this.#run(id)
        .catch((error: unknown) => {
          if (this.#stopping.signal.aborted) return
          complain(`cabinet: job ${id}: ${(error as Error).stack}\n`)
          if (isPassing(error)) this.#later(id, lane, Date.now() + NotNow)
        })
        .finally(() => {
          this.#running.delete(work)
          this.#busy.delete(lane)
          // The lane goes behind the others.
          const rest = this.#lanes.get(lane)
          if (rest) {
            this.#lanes.delete(lane)
            this.#lanes.set(lane, rest)
          }
          this.#fill()
        })
      this.#running.add(work)
    }
  }

  async #run(id: number): Promise<void> {
    const { rows } = this.#store
    const job = rows.first('core.job', { id, status: { in: ['pending', 'scheduled'] } })
    if (!job) return
    const attempts = job.attempts + 1
    // On disk before the work begins: what the process dies of must not be tried for ever.
    await this.#write(id, () => rows.set('core.job', { id }, { status: 'running', started: now(), attempts }))
    const outcome = await this.#attempt({ ...job, attempts })
    if (!outcome.isWritten) await this.#write(id, () => this.#finish(job, outcome))
    const ending = `${kindOf(job.lane)} ${outcome.status}`
    this.#ended.set(ending, (this.#ended.get(ending) ?? 0) + 1)
    if (outcome.status === 'later') this.#later(id, job.lane, Date.now() + outcome.delay!)
  }

  /**
   * Writes what becomes of a job, again and again where it cannot be written now: one that nothing is known of would
   * never be taken up. Rejects once the worker stops; the job runs again after the next start.
   */
  async #write(id: number, work: () => void): Promise<void> {
    for (let isTold = false; ; isTold = true) {
      try {
        return await this.#store.commit.run(work)
      } catch (error) {
        if (!isPassing(error)) throw error
        if (!isTold) complain(`cabinet: job ${id} waits: ${(error as Error).message}\n`)
        await pause(NotNow, undefined, { signal: this.#stopping.signal, ref: false })
      }
    }
  }

  async #attempt(job: Job): Promise<Outcome> {
    try {
      return await this.#kinds[kindOf(job.lane)]!(job, (outcome) => {
        this.#finish(job, outcome)
        return { ...outcome, isWritten: true }
      })
    } catch (error) {
      const { message } = error as Error
      return isPassing(error) ? { status: 'later', message, delay: NotNow } : { status: 'errored', message }
    }
  }

  #finish(job: Job, { status, message, delay, data, response }: Outcome): void {
    const entry = JSON.stringify({
      timestamp: now(),
      level: status === 'completed' ? 'info' : status === 'later' ? 'warning' : 'error',
      message,
    })
    const isOver = status !== 'later'
    this.#store.rows.run(
      Finish,
      isOver ? status : 'scheduled',
      isOver ? null : momentAt(Date.now() + delay!),
      isOver ? now() : null,
      status === 'completed' ? '' : message,
      data ? JSON.stringify(data) : null,
      response ?? null,
      status === 'completed' ? 1 : 0,
      entry,
      job.id,
    )
  }
}

/** What jobs of a lane do. */
const kindOf = (lane: string): string => lane.split(':')[0]!

const Minute = 60_000
/** What the log of a job says when the server ended while it was running, and how often that may be. */
const Interrupted = 'The server ended while this was running.'
const MaxInterruptions = 5
/** Milliseconds until what cannot be written now is tried again. */
const NotNow = 2000
/** How long running jobs may take at the end, in milliseconds. */
const StopTimeout = 12_000
