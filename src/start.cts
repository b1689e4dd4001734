// What the executable runs: the bundle, with what V8 made of it when the executable was built. Without that, or where this V8 does not
// take it, it is compiled anew, which costs 60 ms.
const { getRawAsset } = require('node:sea') as typeof import('node:sea')
const { Script } = require('node:vm') as typeof import('node:vm')

const bytes = (key: string): Buffer => Buffer.from(getRawAsset(key))
const compiled = bytes('bundle/compiled')
const script = new Script(bytes('bundle/cabinet.cjs').toString('latin1'), {
  filename: 'cabinet.cjs',
  ...(compiled.length > 0 ? { cachedData: compiled } : {}),
})
const run = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: NodeJS.Module) => void
run(exports, require, module)
