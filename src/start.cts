// What the executable runs: the bundle, with what V8 made of it when the executable was built. Without that, or where
// this V8 does not take it, it is compiled anew, which costs 60 ms. A process that answers questions of reports runs a
// part of its own instead.
const { getRawAsset } = require('node:sea') as typeof import('node:sea')
const { setFlagsFromString } = require('node:v8') as typeof import('node:v8')
const { Script } = require('node:vm') as typeof import('node:vm')
const { isMainThread } = require('node:worker_threads') as typeof import('node:worker_threads')

/**
 * Has V8 put no new object among the old ones at once. While caches fill, most of what is made stays; V8 takes that for
 * a habit of the places that make requests, and from then on each of them, though it is over, keeps what it refers to
 * until everything is looked through: that cost a seventh of the reads. build/warm.ts sets the same flags.
 */
const NoHabits = '--no-allocation-site-pretenuring'
/** Percent by which a heap may grow before V8 looks through all of it: by itself it waits for a half and more. */
const Growth = '--heap-growing-percent=20'
/**
 * Has V8 go on freeing young objects while it looks through all: it did so up to node 20. By itself it frees none for
 * some 60 ms now, and keeps what was made meanwhile, 15 MB in each thread that answers.
 */
const Overlap = '--no-separate-gc-phases'
/**
 * Node's modules that a server begins with. They are loaded before: V8 takes what node's own build compiled of them
 * only under the flags of that.
 */
const First = [
  ...['buffer', 'cluster', 'crypto', 'dns', 'events', 'fs', 'http', 'module', 'net', 'os', 'path', 'perf_hooks'],
  ...['process', 'stream', 'stream/promises', 'timers/promises', 'tty', 'url', 'util', 'worker_threads', 'zlib'],
]

const bytes = (key: string): Buffer => Buffer.from(getRawAsset(key))
const isReport = isMainThread && process.argv[2] === 'report-process' // as src/lib/report.ts calls it
if (isReport) {
  const part = `(function (require) {${bytes('workers/report.cjs').toString('utf8')}\n})`
  ;(new Script(part, { filename: 'report.cjs' }).runInThisContext() as (require: NodeJS.Require) => void)(require)
} else {
  for (const name of First) require(`node:${name}`)
  if (isMainThread) for (const flag of [NoHabits, Growth, Overlap]) setFlagsFromString(flag) // for its threads too
  const compiled = bytes('bundle/compiled')
  const script = new Script(bytes('bundle/cabinet.cjs').toString('latin1'), {
    filename: 'cabinet.cjs',
    ...(compiled.length > 0 ? { cachedData: compiled } : {}),
  })
  const run = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: NodeJS.Module) => void
  run(exports, require, module)
}
