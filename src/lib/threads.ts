import { join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { asset, isPackaged } from './assets.ts'

/** Threads that stand in another room than src/lib/workers, by their path in src. */
const Elsewhere: Readonly<Record<string, string>> = { app: 'server/app-thread.ts' }

/** Threads that load addons, and where those are found: of one that is loaded from two places there are two. */
const Loading = new Set(['app', 'sql', 'checkpoint'])
const addonEnv = (): Record<string, string> =>
  Object.fromEntries(
    ['CABINET_RUNTIME_DIR', 'XDG_CACHE_HOME', 'HOME'].flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )

/** A file of src/lib/workers, or the whole application (`app`), in a thread of its own, with that name if no other. */
export function startThread(name: string, options: WorkerOptions): Worker {
  const all = { name, ...options, execArgv: [], ...(Loading.has(name) ? { env: addonEnv() } : {}) }
  return isPackaged
    ? new Worker(asset(`workers/${name}.cjs`)!.toString('utf8'), { ...all, eval: true })
    : new Worker(join(import.meta.dirname, '..', Elsewhere[name] ?? `lib/workers/${name}.ts`), all)
}

/**
 * Runs a thread until it answers once, and answers when the thread is gone. Rejects when it does not answer in time.
 */
export function inThread<T>(name: string, workerData: unknown, timeout: number): Promise<T> {
  const worker = startThread(name, { workerData, resourceLimits: { maxOldGenerationSizeMb: 512 }, env: {} })
  worker.unref()
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${timeout / 1000} seconds`)), timeout)
    worker
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => reject(new Error('the thread ended without an answer')))
    worker.once('exit', () => clearTimeout(timer))
  }).finally(async () => void (await worker.terminate()))
}
