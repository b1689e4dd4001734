import type { Worker } from 'node:worker_threads'
import { asset } from '../assets.ts'
import { startThread } from '../runtime/threads.ts'

/** A template to render: `context` is the JSON of its variables, `objects` names those that are objects of the API, `params` are its environment's. */
export interface Job {
  source: string
  context: string
  objects?: readonly string[]
  params: Readonly<Record<string, unknown>>
}
export type Outcome = { text: string } | { error: string; broken?: boolean }

/** What is wrong with a template, in words for its author. */
export class TemplateError extends Error {}

interface Waiting {
  job: Job
  resolve: (text: string) => void
  reject: (error: Error) => void
}

/** How long one template may take, and how many may wait. */
const Patience = 5000
const MaxWaiting = 50
const MaxHeapMb = 256

let worker: Worker | undefined
let current: (Waiting & { timer: NodeJS.Timeout }) | undefined
const queue: Waiting[] = []

/**
 * Renders a Jinja template in a thread of its own, one at a time. Templates see their variables only: no files, no code of ours,
 * no other template. Rejects with `TemplateError`, also for one that takes too long or too much memory.
 */
export function render(job: Job): Promise<string> {
  return new Promise((resolve, reject) => {
    if (queue.length >= MaxWaiting) return reject(new TemplateError('too many templates are being rendered'))
    queue.push({ job, resolve, reject })
    next()
  })
}

function next(): void {
  if (current) return
  const waiting = queue.shift()
  if (!waiting) {
    worker?.unref()
    return
  }
  worker ??= start()
  worker.ref()
  current = {
    ...waiting,
    timer: setTimeout(() => settle({ error: 'the template takes too long', broken: true }), Patience),
  }
  worker.postMessage(waiting.job)
}

/** Ends the current job; a worker that is stuck or broken goes, and the next job gets another. */
function settle(outcome: Outcome): void {
  const done = current
  if (!done) return
  clearTimeout(done.timer)
  current = undefined
  if ('text' in outcome) done.resolve(outcome.text)
  else {
    if (outcome.broken) drop()
    done.reject(new TemplateError(outcome.error))
  }
  next()
}

function drop(): void {
  const gone = worker
  worker = undefined
  gone?.removeAllListeners()
  void gone?.on('error', () => {}).terminate()
}

function start(): Worker {
  const made = startThread('jinja', {
    workerData: { wasm: asset('wasm/minijinja_js_bg.wasm') },
    resourceLimits: { maxOldGenerationSizeMb: MaxHeapMb },
    env: {},
  })
  made.on('message', settle)
  made.on('error', ({ message, code }: Error & { code?: string }) =>
    settle({
      error: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'the template needs too much memory' : message,
      broken: true,
    }),
  )
  made.unref()
  return made
}
