// `npm run release` makes all executables, their checksums (dist/release/SHA256SUMS) and what they are made of
// (CycloneDX, sbom.json).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { targets } from './targets.ts'

const top = join(import.meta.dirname, '..')
const release = join(top, 'dist/release')
const run = (file: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(import.meta.dirname, file), ...args], { stdio: 'inherit' })

rmSync(release, { recursive: true, force: true })
mkdirSync(release, { recursive: true })
run('bundle.ts')
for (const name of Object.keys(targets)) run('pack.ts', '--target', name, '--out', join(release, `cabinet-${name}`))
cpSync(join(top, 'LICENSE'), join(release, 'LICENSE'))
const sbom = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], {
  cwd: top,
  maxBuffer: 1 << 26,
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
})
const bill = JSON.parse(sbom.toString()) as { components: object[] }
// The Nodes and addons of other machines, which are in no lock file.
for (const [target, { node, argon2 }] of Object.entries(targets))
  for (const { package: name, integrity } of [node, argon2]) {
    const [, id, version] = /^(.+)@([\d.]+)$/.exec(name)!
    const purl = `pkg:npm/${id!.replace('@', '%40')}@${version}`
    if (bill.components.some((each) => (each as { purl?: string }).purl === purl)) continue
    bill.components.push({
      'bom-ref': name,
      type: 'library',
      name: id,
      version,
      scope: 'required',
      purl,
      properties: [{ name: 'cabinet:target', value: target }],
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
    })
  }
writeFileSync(join(release, 'sbom.json'), `${JSON.stringify(bill, null, 2)}\n`)
const sums = readdirSync(release)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(release, name)))
        .digest('hex')}  ${name}\n`,
  )
writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
