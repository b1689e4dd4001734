// Makes dist/cabinet: Node with the bundle, the migrations, the schema browser and the two addons inside.
// Plain single-executable form of Node: pkg's own form wraps the same mechanism, but unpacks addons into the home folder,
// which an appliance may not have; src/runtime/addons.ts looks for a folder that it may use.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'

const require = createRequire(import.meta.url)
const { inject } = require('postject') as { inject: (file: string, name: string, blob: Buffer, options: object) => Promise<void> }
const top = join(import.meta.dirname, '..')
const modules = join(top, 'node_modules')
const dist = join(top, 'dist')
const arch = process.arch
const out = join(dist, 'cabinet')

const assets: Record<string, string> = {
  'native/better_sqlite3.node': join(modules, `better-sqlite3/prebuilds/linux-${arch}.node`),
  'native/argon2.node': join(modules, `@node-rs/argon2-linux-${arch}-gnu/argon2.linux-${arch}-gnu.node`),
}
for (const file of readdirSync(join(top, 'drizzle'), { recursive: true, encoding: 'utf8' })) {
  const path = join(top, 'drizzle', file)
  if (statSync(path).isFile() && !file.endsWith('snapshot.json')) assets[`drizzle/${relative(join(top, 'drizzle'), path)}`] = path
}
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) assets[`swagger/${file}`] = join(modules, 'swagger-ui-dist', file)

mkdirSync(dist, { recursive: true })
const manifest = Object.fromEntries(Object.entries(assets).map(([key, path]) => [key, createHash('sha256').update(readFileSync(path)).digest('hex')]))
writeFileSync(join(dist, 'manifest.json'), JSON.stringify(manifest))
writeFileSync(join(dist, 'sea.json'), JSON.stringify({
  main: join(dist, 'bundle.cjs'), output: join(dist, 'sea.blob'), disableExperimentalSEAWarning: true, useCodeCache: false, useSnapshot: false, execArgvExtension: 'none',
  assets: { ...assets, 'manifest.json': join(dist, 'manifest.json') },
}))
const base = join(modules, `node-linux-${arch}/bin/node`)
execFileSync(base, ['--experimental-sea-config', join(dist, 'sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] })
copyFileSync(base, out)
chmodSync(out, 0o755)
try {
  execFileSync('strip', [out])
} catch {
  // no strip here: the file is larger, and works as well
}
await inject(out, 'NODE_SEA_BLOB', readFileSync(join(dist, 'sea.blob')), { sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2' })
console.log(`${relative(top, out)} ${(statSync(out).size / 1e6).toFixed(1)} MB`)
