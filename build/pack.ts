// Makes dist/cabinet from dist/app/cabinet.cjs: pkg puts the bundle, the migrations, the pages' files and the two addons into a Node binary.
// `npm run build -- --arch arm64 --modules DIR` packs for another processor; DIR is a node_modules with that processor's packages,
// made by `npm ci --os=linux --cpu=arm64 --libc=glibc` in a copy of package.json and package-lock.json.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const top = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch }, modules: { type: 'string', default: join(top, 'node_modules') } } })
const { arch, modules } = values
const app = join(top, 'dist/app')
const out = join(top, 'dist', arch === process.arch ? 'cabinet' : `cabinet-${arch}`)
const version = (JSON.parse(readFileSync(join(modules, `node-linux-${arch}/package.json`), 'utf8')) as { version: string }).version

/** Lays out the files that the executable carries, by the keys of src/assets.ts. */
function gather(): void {
  for (const name of readdirSync(app)) if (name !== 'cabinet.cjs') rmSync(join(app, name), { recursive: true })
  cpSync(join(top, 'drizzle'), join(app, 'drizzle'), { recursive: true, filter: (path) => !path.endsWith('snapshot.json') })
  if (existsSync(join(top, 'src/web/assets'))) cpSync(join(top, 'src/web/assets'), join(app, 'static'), { recursive: true })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) cpSync(join(modules, 'swagger-ui-dist', name), join(app, 'swagger', name))
  // Without their ending, so that pkg leaves them to src/runtime/addons.ts: its own unpacking wants a home folder.
  const addons = { better_sqlite3: `better-sqlite3/prebuilds/linux-${arch}.node`, argon2: `@node-rs/argon2-linux-${arch}-gnu/argon2.linux-${arch}-gnu.node` }
  for (const [name, path] of Object.entries(addons)) cpSync(join(modules, path), join(app, 'native', name))
  const sums = Object.keys(addons).map((name) => [name, createHash('sha256').update(readFileSync(join(app, 'native', name))).digest('hex')])
  writeFileSync(join(app, 'native/sums.json'), JSON.stringify(Object.fromEntries(sums)))
  const packed = ['drizzle', 'native', 'static', 'swagger'].map((kind) => `${kind}/**`)
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'cabinet', version, bin: 'cabinet.cjs', pkg: { assets: packed } }))
}

/** Fills pkg's cache from the node-linux packages, so that it fetches nothing; answers the home folder that holds it. */
function seedCache(): string {
  const home = join(top, 'dist/home')
  const name = `node-v${version}-linux-${arch}`
  const cache = join(home, '.pkg-cache/sea')
  const node = join(cache, name, 'bin/node')
  if (existsSync(`${node}.ok`)) return home
  mkdirSync(join(cache, name, 'bin'), { recursive: true })
  stripped(join(modules, `node-linux-${arch}/bin/node`), node)
  for (const file of [join(cache, `${name}.tar.gz`), join(cache, `${name}.tar.gz.ok`), `${node}.ok`]) writeFileSync(file, '')
  return home
}

/** Copies Node without its symbols, which saves 18 MB; with them where there is no `strip`, or none that leaves it working. */
function stripped(from: string, to: string): void {
  copyFileSync(from, to)
  if (arch !== process.arch) return
  try {
    execFileSync('strip', [to], { stdio: 'ignore' })
    execFileSync(to, ['--version'], { stdio: 'ignore' })
  } catch {
    copyFileSync(from, to)
  }
}

gather()
const pkg = join(top, 'node_modules/@yao-pkg/pkg/lib-es5/bin.js')
execFileSync(process.execPath, [pkg, app, '--sea', '--targets', `node${version}-linux-${arch}`, '--output', out], {
  env: { ...process.env, HOME: seedCache() }, stdio: ['ignore', 'ignore', 'inherit'],
})
console.log(`${out.slice(top.length + 1)} ${(statSync(out).size / 1e6).toFixed(1)} MB`)
