// Runs the bundle as the executable will, on an empty data folder until it answers, and keeps what V8 compiled on the
// way in dist/compiled: a code cache made without running holds no function that is called later. Also keeps the fresh
// database, in dist/fresh.db.zst. `node build/warm.ts ASSETS`: a JSON file of the assets' paths by their keys.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const dist = join(import.meta.dirname, '../dist')
const assets = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'cabinet-warm-'))
const real = createRequire(import.meta.url)
const sea = {
  isSea: () => true,
  getAsset: (key: string) => readFileSync(assets[key]!, 'utf8'),
  getRawAsset: (key: string) => {
    const { buffer, byteOffset, length } = readFileSync(assets[key]!)
    return buffer.slice(byteOffset, byteOffset + length)
  },
}

const answer = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ port, path, host: '127.0.0.1', headers: { authorization: `Token ${Token}` } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve(text)).on('error', reject)
    }).on('error', reject)
  })

const Token = '0123456789abcdef0123456789abcdef01234567'
/** What is asked first after a start is often a list, whatever of. */
const Lists = ['/api/dcim/sites/?limit=1', '/api/dcim/devices/?q=x', '/api/dcim/interfaces/?device_id=1&ordering=-name']
const Query = `/graphql/?query=${encodeURIComponent('{device_list(pagination:{limit:1}){name site{name}}}')}`

// as src/start.cts does
for (const flag of ['--no-allocation-site-pretenuring', '--heap-growing-percent=20', '--no-separate-gc-phases'])
  setFlagsFromString(flag)
setFlagsFromString('--no-flush-bytecode') // else what ran once is forgotten before it is kept
const bundle = readFileSync(join(dist, 'cabinet.cjs'), 'latin1')
const script = new Script(bundle, { filename: 'cabinet.cjs' })
process.argv = [process.execPath, process.execPath, 'serve', '--data', folder, '--listen', '127.0.0.1:0']
for (const name of Object.keys(process.env)) if (name.startsWith('CABINET_')) delete process.env[name]
process.env.CABINET_SUPERUSER_API_TOKEN = Token
process.env.CABINET_LOGIN_REQUIRED = 'false' // so that a query of GraphQL runs, and is kept with the rest
const listening = new Promise<number>((resolve) => {
  process.stderr.write = ((text: string) => {
    const port = /serves http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]
    if (port) resolve(Number(port))
    return true
  }) as typeof process.stderr.write
})
let asksForFetch = false
for (const name of ['Headers', 'Request', 'Response'] as const) {
  const value = globalThis[name]
  const get = () => {
    asksForFetch = true
    return value
  }
  Object.defineProperty(globalThis, name, { configurable: true, get })
}
const run = script.runInThisContext() as (exports: object, require: unknown, module: object) => void
run({}, (name: string) => (name === 'node:sea' ? sea : real(name)), { exports: {} })
const port = await listening
if (asksForFetch) throw new Error(`starting the server loads node's fetch, 20 ms and 6 MB: see build/late-fetch.ts`)
process.stdout.write = (() => true) as typeof process.stdout.write // the log of requests
for (const path of ['/api/', '/login/', '/healthz', ...Lists, Query]) await answer(port, path)
setFlagsFromString('--flush-bytecode') // V8 takes a cache only under the flags it was made with
const cachedData = script.createCachedData()
if (new Script(bundle, { filename: 'cabinet.cjs', cachedData }).cachedDataRejected)
  throw new Error('V8 does not take what it compiled: flags were changed on the way')
writeFileSync(join(dist, 'compiled'), cachedData)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.kill(process.pid, 'SIGTERM')
