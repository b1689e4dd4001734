import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Worker } from 'node:worker_threads'
import type { Use } from '../http/auth.ts'
import { complain } from '../lib/log.ts'
import { startThread } from '../lib/threads.ts'
import type { Change } from '../store/changes.ts'
import type { Place } from '../store/open.ts'
import type { AppThreadData } from './app-thread.ts'
import { answer, threadRequest, type FromThread, type ToThread } from './thread-requests.ts'

/** What happens to a request that a thread could not answer. `isLost`: the thread ended while it worked on it. */
type Failing = (task: Task, isLost: boolean) => void

/** A request on its way to a thread. */
export interface Task {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Its body, where it was read already: of a query, or of what `isWrite`. */
  body: Buffer | undefined
  isWrite?: boolean
  kind: string
  /** What it may take, in ms; undefined when nobody knows. */
  cost: number | undefined
  /** When it came, then when it was handed to the thread, by `performance.now()`. */
  since: number
  /** A thread that worked on it has ended. */
  isAgain?: boolean
}

interface Thread {
  worker: Worker
  isReady: boolean
  tasks: Map<number, Task>
  /** Whether it has the turn to write. */
  writesNow: boolean
  /** When it was last given work, by `performance.now()`. */
  lastWork: number
}

interface AppThreadsOptions {
  place: Place
  writes: boolean
  threads: number
  /** Where the place is to hold an earlier state of another: that, and the step after which it was. */
  past?: AppThreadData['past'] & {}
  /** Milliseconds without work after which the last one is ended, so that it holds no memory; others go sooner. */
  patience: number
  failing: Failing
  /** Whether there is a core for one more thread. */
  mayGrow: () => boolean
  /** Told how long a request took. */
  took: (kind: string, ms: number) => void
  used: (use: Use) => void
  /** A thread has the turn to write, or has it no longer. */
  turn: (isTheirs: boolean) => void
}

/**
 * Quick requests that a thread may have at once, in ms and in number; one that is not known to be quick, it has alone.
 */
const Quick = 3
const MaxAtOnce = 4
/** Part of their patience after which threads are ended that are not the last one. */
const Surplus = 0.2
/** Writes that a thread may have at once: they share transactions. */
const MaxWrites = 8
/** Milliseconds that a request waits until one more thread starts for it whatever the machine has left. */
const LongWait = 250
/** What a thread may take of memory: as many young objects as the executable's own flags give every thread. */
const Heap = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 }
/** Milliseconds after which a thread that has not answered is given up. */
const GiveUp = 120_000

/** Starts a thread that runs the whole application, named by what it is for. */
export function startAppThread(data: AppThreadData): Worker {
  const name = data.accepts ? 'acceptor' : data.past ? 'past' : data.writes ? 'writer' : 'reader'
  return startThread('app', { name, workerData: data, env: {}, resourceLimits: Heap })
}

/**
 * Threads that run the whole application, each started when those before it are at work, replaced when they die, and
 * ended when nobody needs them.
 */
export class AppThreads {
  readonly #options: AppThreadsOptions
  readonly #threads = new Set<Thread>()
  readonly #waiting: Task[] = []
  #lastId = 0
  #sweep: NodeJS.Timeout | undefined
  /** Looks again at what waits. */
  #later: NodeJS.Timeout | undefined
  #isClosed = false
  /** Called when no thread works; no requests are given to them until then. */
  #quiet: (() => void) | undefined

  constructor(options: AppThreadsOptions) {
    this.#options = options
  }

  /** Whether a request given now would begin at once. */
  get isFree(): boolean {
    if (this.#waiting.length > 0) return false
    for (const thread of this.#threads) if (thread.isReady && thread.tasks.size === 0) return true
    return false
  }

  /** Whether there are threads at work or ready for it. */
  get isUp(): boolean {
    for (const { isReady } of this.#threads) if (isReady) return true
    return false
  }

  /** How many threads there are, how many requests they work on, and how many wait for one. */
  get counts(): { count: number; working: number; waiting: number } {
    let working = 0
    for (const { tasks } of this.#threads) working += tasks.size
    return { count: this.#threads.size, working, waiting: this.#waiting.length }
  }

  /** Starts the first one. */
  start(): void {
    if (this.#threads.size === 0 && !this.#isClosed) this.#add()
    this.#sweep ??= setInterval(() => this.#lookRound(), 5000).unref()
  }

  /** Tells every thread what others committed, before it sees requests that know of it. */
  tell(changes: readonly Change[]): void {
    for (const thread of this.#threads) this.#say(thread, { changes })
  }

  /** The database is another file from now on; what a thread works on it finishes with the one before. */
  reopen(file: string): void {
    for (const thread of this.#threads) this.#say(thread, { reopen: file })
  }

  /** Does `work` at a moment at which no thread works on anything; requests wait meanwhile. */
  async whileQuiet(work: () => void): Promise<void> {
    if (this.#quiet) return
    await new Promise<void>((resolve) => {
      this.#quiet = resolve
      this.#assign()
    })
    try {
      work()
    } finally {
      this.#quiet = undefined
      this.#assign()
    }
  }

  /** Hands a request to the first thread that can take it. */
  run(task: Omit<Task, 'since'>): void {
    const waiting = { ...task, since: performance.now() }
    if (this.#isClosed) {
      this.#options.failing(waiting, false)
      return
    }
    this.start()
    this.#waiting.push(waiting)
    this.#assign()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweep)
    clearTimeout(this.#later)
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)))
  }

  #add(): void {
    const { place, writes, threads, past } = this.#options
    const worker = startAppThread({ place, writes, threads, ...(past ? { past } : {}) })
    const thread: Thread = { worker, isReady: false, tasks: new Map(), writesNow: false, lastWork: performance.now() }
    this.#threads.add(thread)
    worker.unref()
    worker.on('message', (said: FromThread) => this.#heed(thread, said))
    worker.on('error', (error) => {
      if (!this.#isClosed) complain(`cabinet: a thread ended, another takes its place: ${error.stack ?? error}\n`)
    })
    worker.on('exit', () => this.#lose(thread))
  }

  #assign(): void {
    if (this.#quiet) {
      if ([...this.#threads].every(({ tasks }) => tasks.size === 0)) this.#quiet()
      return
    }
    while (this.#waiting.length > 0) {
      const task = this.#waiting[0]!
      const thread = this.#roomFor(task)
      if (!thread) {
        this.#grow()
        return
      }
      this.#waiting.shift()
      this.#give(thread, task)
    }
  }

  /**
   * Starts one more for what waits, when none is about to be ready: at once where there is a core for it, else only so
   * that nobody waits for long.
   */
  #grow(): void {
    if (this.#isClosed || this.#threads.size >= this.#options.threads) return
    for (const { isReady } of this.#threads) if (!isReady) return
    const left = LongWait - (performance.now() - this.#waiting[0]!.since)
    if (left <= 0 || this.#options.mayGrow()) this.#add()
    else
      this.#later ??= setTimeout(() => {
        this.#later = undefined
        this.#assign()
      }, left).unref()
  }

  /** The thread with the fewest requests that takes one more. */
  #roomFor(task: Task): Thread | undefined {
    let best: Thread | undefined
    for (const thread of this.#threads) {
      if (!thread.isReady || (best && best.tasks.size <= thread.tasks.size)) continue
      if (thread.tasks.size === 0 || (this.#options.writes && thread.tasks.size < MaxWrites)) best = thread
      else if (isQuick(task) && thread.tasks.size < MaxAtOnce && [...thread.tasks.values()].every(isQuick))
        best = thread
    }
    return best
  }

  #give(thread: Thread, task: Task): void {
    const { incoming, outgoing, body } = task
    if (outgoing.destroyed) return
    const id = ++this.#lastId
    task.since = thread.lastWork = performance.now()
    thread.tasks.set(id, task)
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
    if (hasBody && !body) {
      const tell = (ended: 'whole' | 'broken') => this.#say(thread, { id, ended })
      incoming.once('end', () => tell('whole')).once('close', () => incoming.complete || tell('broken'))
    }
    this.#say(thread, { request: threadRequest(id, incoming, hasBody, body) })
  }

  #say(thread: Thread, message: ToThread, transfer: ArrayBuffer[] = []): void {
    thread.worker.postMessage(message, transfer)
  }

  #heed(thread: Thread, said: FromThread): void {
    if ('id' in said) this.#hearOf(thread, said)
    else if ('used' in said) this.#options.used(said.used)
    else if ('turn' in said) this.#turn(thread, said.turn === 'wanted')
    else {
      thread.isReady = true
      this.#assign()
    }
  }

  #turn(thread: Thread, isTheirs: boolean): void {
    thread.writesNow = isTheirs
    this.#options.turn(isTheirs)
    if (isTheirs) this.#say(thread, { turn: true })
  }

  /** What a thread says of one request. */
  #hearOf(thread: Thread, said: Extract<FromThread, { id: number }>): void {
    const task = thread.tasks.get(said.id)
    if (!task) return
    if ('wants' in said) {
      this.#feed(thread, said.id, task.incoming)
      return
    }
    if ('elsewhere' in said) this.#options.failing(task, false)
    else {
      if ('took' in said) this.#options.took(task.kind, said.took)
      if (!answer(task.outgoing, said)) return
    }
    thread.tasks.delete(said.id)
    task.incoming.resume() // what is left of a body that nobody wanted
    this.#assign()
  }

  /** The next piece of a body: read from the connection only when the thread asks for it. */
  #feed(thread: Thread, id: number, incoming: IncomingMessage): void {
    incoming.once('data', (chunk: Buffer) => {
      incoming.pause()
      const piece = new Uint8Array(chunk)
      this.#say(thread, { id, piece }, [piece.buffer])
    })
    incoming.resume()
  }

  /**
   * What an ended thread was working on is answered elsewhere, and another thread takes its place when there is work.
   */
  #lose(thread: Thread): void {
    if (thread.writesNow) this.#turn(thread, false)
    if (!this.#threads.delete(thread)) return
    for (const task of thread.tasks.values()) if (!task.outgoing.destroyed) this.#options.failing(task, true)
    if (this.#isClosed) return
    if (thread.isReady && (thread.tasks.size > 0 || this.#waiting.length > 0)) this.start()
    else if (this.#threads.size === 0) this.#giveBack()
  }

  /** No thread starts: what waits is answered by the server itself. */
  #giveBack(): void {
    for (const task of this.#waiting.splice(0)) this.#options.failing(task, false)
  }

  /** Ends threads that hang, and those that had no work for long. */
  #lookRound(): void {
    const at = performance.now()
    for (const thread of this.#threads) {
      const hanging = [...thread.tasks.values()].filter(({ since }) => at - since > GiveUp)
      if (hanging.length === 0 || this.#options.writes) continue
      for (const task of hanging) task.isAgain = true // it would hang another as long
      void thread.worker.terminate()
    }
    for (const thread of [...this.#threads].reverse()) {
      const patience = this.#options.patience * (this.#threads.size > 1 ? Surplus : 1)
      if (thread.tasks.size === 0 && this.#waiting.length === 0 && at - thread.lastWork > patience)
        void this.#end(thread)
    }
    if (this.#threads.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #end(thread: Thread): Promise<unknown> {
    this.#threads.delete(thread)
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve))
    this.#say(thread, { stop: true })
    const late = setTimeout(() => void thread.worker.terminate(), 2000)
    return ended.finally(() => clearTimeout(late))
  }
}

const isQuick = ({ cost }: Task): boolean => cost !== undefined && cost < Quick
