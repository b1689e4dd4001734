/** What a pool gives work to: a thread, or what behaves like one. */
interface PoolThread {
  postMessage: (job: any) => void
  on: (event: 'message' | 'error', listener: (said: any) => void) => unknown
  removeAllListeners: () => unknown
  ref: () => void
  unref: () => void
  terminate: () => Promise<unknown>
}

/** Work that a pool did not do: too much waits, it took too long or too much memory. The message says which. */
export class NotDone extends Error {
  /** True: it was not even begun. */
  readonly isWaiting: boolean
  constructor(message: string, isWaiting = false) {
    super(message)
    this.isWaiting = isWaiting
  }
}

/**
 * How many threads a pool has, how long one piece of work may take (ms), how much may wait in all and of one asker, and
 * after how many milliseconds without work a thread is ended, where it is.
 */
interface PoolLimits {
  threads: number
  timeout: number
  waiting: number
  waitingOfOne: number
  patience?: number
}

interface Task<Job, Answer> {
  job: Job
  asker: string
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}
interface Busy<Job, Answer> extends Task<Job, Answer> {
  timer: NodeJS.Timeout
}

/**
 * A few threads that answer one message each at a time. Askers take turns, and one asker never has all the threads, so
 * that nobody waits for another's work. A thread that is late, out of memory or says `broken` is replaced.
 */
export class ThreadPool<Job, Answer extends object> {
  readonly #start: () => PoolThread
  readonly #limits: PoolLimits
  readonly #queues = new Map<string, Task<Job, Answer>[]>()
  readonly #busy = new Map<PoolThread, Busy<Job, Answer>>()
  readonly #idle: PoolThread[] = []
  readonly #endings = new Map<PoolThread, NodeJS.Timeout>()
  #waiting = 0

  constructor(start: () => PoolThread, limits: PoolLimits) {
    this.#start = start
    this.#limits = limits
  }

  /** Hands a message to a thread and answers what it says. Rejects with `NotDone`. */
  run(job: Job, asker: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(asker) ?? []
      if (this.#waiting >= this.#limits.waiting || queue.length >= this.#limits.waitingOfOne)
        return reject(new NotDone('too many are waiting', true))
      this.#queues.set(asker, queue)
      queue.push({ job, asker, resolve, reject })
      this.#waiting++
      this.#next()
    })
  }

  #next(): void {
    while (this.#busy.size < this.#limits.threads) {
      const task = this.#take()
      if (!task) return
      const worker = this.#idle.pop() ?? this.#make()
      clearTimeout(this.#endings.get(worker))
      worker.ref()
      const timer = setTimeout(() => this.#drop(worker, new NotDone('it takes too long')), this.#limits.timeout)
      this.#busy.set(worker, { ...task, timer })
      worker.postMessage(task.job)
    }
  }

  /** The first task of the asker whose turn it is; that asker's turn comes again after all others'. */
  #take(): Task<Job, Answer> | undefined {
    const { threads } = this.#limits
    for (const [asker, queue] of this.#queues) {
      const running = [...this.#busy.values()].filter((each) => each.asker === asker).length
      if (threads > 1 && running >= threads - 1) continue
      const task = queue.shift()
      this.#queues.delete(asker)
      if (queue.length) this.#queues.set(asker, queue)
      this.#waiting--
      return task
    }
    return undefined
  }

  #make(): PoolThread {
    const worker = this.#start()
    worker.on('message', (answer: Answer & { broken?: boolean }) => {
      const task = this.#release(worker)
      if (answer.broken) this.#end(worker)
      else {
        worker.unref()
        this.#idle.push(worker)
        this.#endLater(worker)
      }
      task?.resolve(answer)
      this.#next()
    })
    worker.on('error', ({ message, code }: Error & { code?: string }) =>
      this.#drop(worker, new NotDone(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : message)),
    )
    return worker
  }

  /** Ends a thread that has no work for long. */
  #endLater(worker: PoolThread): void {
    const { patience } = this.#limits
    if (patience === undefined) return
    const end = () => this.#drop(worker, new NotDone('it is not needed'))
    this.#endings.set(worker, setTimeout(end, patience).unref())
  }

  #release(worker: PoolThread): Task<Job, Answer> | undefined {
    const task = this.#busy.get(worker)
    clearTimeout(task?.timer)
    this.#busy.delete(worker)
    return task
  }

  #drop(worker: PoolThread, error: Error): void {
    const task = this.#release(worker)
    const at = this.#idle.indexOf(worker)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#end(worker)
    task?.reject(error)
    this.#next()
  }

  #end(worker: PoolThread): void {
    clearTimeout(this.#endings.get(worker))
    this.#endings.delete(worker)
    worker.removeAllListeners()
    worker.on('error', () => {})
    void worker.terminate()
  }
}
