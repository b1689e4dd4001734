// What the executable runs: the bundle, with what V8 made of it when the executable was built. Without that, or where
// this V8 does not take it, it is compiled anew, which costs 60 ms. A process that answers questions of reports runs a
// part of its own instead.
const { getRawAsset } = require('node:sea') as typeof import('node:sea')
const { Script } = require('node:vm') as typeof import('node:vm')
const { isMainThread } = require('node:worker_threads') as typeof import('node:worker_threads')

const bytes = (key: string): Buffer => Buffer.from(getRawAsset(key))
const isReport = isMainThread && process.argv[2] === 'report-process' // as src/lib/report.ts calls it
if (isReport) {
  const part = `(function (require) {${bytes('workers/report.cjs').toString('utf8')}\n})`
  ;(new Script(part, { filename: 'report.cjs' }).runInThisContext() as (require: NodeJS.Require) => void)(require)
} else {
  const compiled = bytes('bundle/compiled')
  const script = new Script(bytes('bundle/cabinet.cjs').toString('latin1'), {
    filename: 'cabinet.cjs',
    ...(compiled.length > 0 ? { cachedData: compiled } : {}),
  })
  const run = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: NodeJS.Module) => void
  run(exports, require, module)
}
