import type { Worker } from 'node:worker_threads'

/** Work that a pool did not do: too much waits, it took too long or too much memory. The message says which. */
export class NotDone extends Error {}

/** How many threads a pool has, how long one piece of work may take (ms), and how much may wait in all and of one asker. */
export interface PoolLimits {
  threads: number
  timeout: number
  waiting: number
  waitingOfOne: number
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
 * A few threads that answer one message each at a time. Askers take turns, and one asker never has all the threads, so that nobody
 * waits for another's work. A thread that is late, out of memory or says `broken` is replaced.
 */
export class ThreadPool<Job, Answer extends object> {
  readonly #start: () => Worker
  readonly #limits: PoolLimits
  readonly #queues = new Map<string, Task<Job, Answer>[]>()
  readonly #busy = new Map<Worker, Busy<Job, Answer>>()
  readonly #idle: Worker[] = []
  #waiting = 0

  constructor(start: () => Worker, limits: PoolLimits) {
    this.#start = start
    this.#limits = limits
  }

  /** Hands a message to a thread and answers what it says. Rejects with `NotDone`. */
  run(job: Job, asker: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(asker) ?? []
      if (this.#waiting >= this.#limits.waiting || queue.length >= this.#limits.waitingOfOne)
        return reject(new NotDone('too many are waiting'))
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

  #make(): Worker {
    const worker = this.#start()
    worker.on('message', (answer: Answer & { broken?: boolean }) => {
      const task = this.#release(worker)
      if (answer.broken) this.#end(worker)
      else {
        worker.unref()
        this.#idle.push(worker)
      }
      task?.resolve(answer)
      this.#next()
    })
    worker.on('error', ({ message, code }: Error & { code?: string }) =>
      this.#drop(worker, new NotDone(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : message)),
    )
    return worker
  }

  #release(worker: Worker): Task<Job, Answer> | undefined {
    const task = this.#busy.get(worker)
    clearTimeout(task?.timer)
    this.#busy.delete(worker)
    return task
  }

  #drop(worker: Worker, error: Error): void {
    const task = this.#release(worker)
    const at = this.#idle.indexOf(worker)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#end(worker)
    task?.reject(error)
    this.#next()
  }

  #end(worker: Worker): void {
    worker.removeAllListeners()
    void worker.on('error', () => {}).terminate()
  }
}
