// Makes dist/cabinet_<version>_<architecture>.deb of dist/cabinet, with nothing but node: a .deb is an ar archive of
// two tar files. `npm run build:deb -- --arch arm64` takes dist/cabinet-linux-arm64 (build/targets.ts).
// SOURCE_DATE_EPOCH sets the times of its files.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { socketUnitOf, unitOf } from '../src/cli/service.ts'
import { Version } from '../src/lib/version.ts'

const top = join(import.meta.dirname, '..')
const {
  values: { arch, ...given },
} = parseArgs({
  options: {
    arch: { type: 'string', default: process.arch },
    executable: { type: 'string' },
    out: { type: 'string' },
  },
})
const Architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const architecture = Architectures[arch]
if (!architecture) throw new Error(`there are packages for ${Object.keys(Architectures).join(' and ')}`)
const executable = given.executable ?? join(top, 'dist', arch === process.arch ? 'cabinet' : `cabinet-linux-${arch}`)
if (!existsSync(executable)) throw new Error(`${executable} is missing: npm run build makes it`)
const time = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000))

/** A file of the package. */
interface Entry {
  name: string
  mode: number
  content: Buffer
}
const entry = (name: string, content: string | Buffer, mode = 0o644): Entry => ({
  name,
  mode,
  content: typeof content === 'string' ? Buffer.from(content) : content,
})

/** A compressed tar file with the folders that its files lie in; all of it is root's. */
async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  const own = { mtime: new Date(time * 1000), uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const folders = new Set<string>()
  archive.entry({ ...own, name: './', type: 'directory', mode: 0o755 })
  for (const { name, mode, content } of entries) {
    const parts = name.split('/').slice(0, -1)
    for (let i = 1; i <= parts.length; i++) {
      const folder = `./${parts.slice(0, i).join('/')}/`
      if (folders.has(folder)) continue
      folders.add(folder)
      archive.entry({ ...own, name: folder, type: 'directory', mode: 0o755 })
    }
    archive.entry({ ...own, name: `./${name}`, mode }, Buffer.from(content))
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks), { level: 6 })
}

/** An ar archive, in the form that dpkg reads. */
function arOf(members: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const parts: Buffer[] = [Buffer.from('!<arch>\n')]
  for (const [name, content] of members) {
    const owner = '0'.padEnd(6).repeat(2)
    const [made, size] = [String(time).padEnd(12), String(content.length).padEnd(10)]
    const head = `${name.padEnd(16)}${made}${owner}${'100644'.padEnd(8)}${size}\`\n`
    parts.push(Buffer.from(head), content, Buffer.from(content.length % 2 ? '\n' : ''))
  }
  return Buffer.concat(parts)
}

const cabinet = (...args: string[]): string =>
  execFileSync(process.execPath, [join(top, 'src/main.ts'), ...args], { encoding: 'utf8', maxBuffer: 1e8 })
const source = (name: string): string => readFileSync(join(top, name), 'utf8')
const zipped = (text: string): Buffer => gzipSync(text, { level: 9 })

const unit = unitOf({
  command: ['/usr/bin/cabinet', 'serve', '--data', '/var/lib/cabinet', '--config', '/etc/cabinet.toml'],
  state: 'cabinet',
  writes: ['/var/backups/cabinet'],
  isPrivileged: false,
  socket: undefined,
  notifies: true,
})
const files = [
  entry('usr/bin/cabinet', readFileSync(executable), 0o755),
  entry('usr/lib/systemd/system/cabinet.service', unit),
  entry('usr/share/doc/cabinet/examples/cabinet.socket', socketUnitOf('127.0.0.1:8080')),
  entry('usr/lib/sysusers.d/cabinet.conf', 'u cabinet - "Cabinet" /var/lib/cabinet\n'),
  entry(
    'etc/cabinet.toml',
    source('config.example.toml').replace(/^data = "\.\/data" */m, 'data = "/var/lib/cabinet"  '),
    0o640,
  ),
  entry(
    'etc/default/cabinet',
    '# The environment of the service: keys of the configuration as CABINET_<KEY>, ' +
      'and credentials of the place of a replica.\n' +
      '#AWS_ACCESS_KEY_ID=\n#AWS_SECRET_ACCESS_KEY=\n',
    0o640,
  ),
  entry('usr/share/man/man1/cabinet.1.gz', zipped(cabinet('manual'))),
  entry('usr/share/bash-completion/completions/cabinet', cabinet('completion', 'bash')),
  entry('usr/share/zsh/vendor-completions/_cabinet', cabinet('completion', 'zsh')),
  entry('usr/share/fish/vendor_completions.d/cabinet.fish', cabinet('completion', 'fish')),
  entry('usr/share/doc/cabinet/README.md', source('README.md')),
  entry('usr/share/doc/cabinet/changelog.gz', zipped(source('CHANGELOG.md'))),
  entry('usr/share/doc/cabinet/copyright', source('LICENSE')),
]
const control = `Package: cabinet
Version: ${Version}
Architecture: ${architecture}
Maintainer: Cabinet <root@localhost>
Installed-Size: ${Math.ceil(files.reduce((sum, { content }) => sum + content.length, 0) / 1024)}
Depends: libc6 (>= 2.28), libstdc++6
Recommends: systemd
Suggests: litestream
Section: net
Priority: optional
Description: infrastructure inventory from one file
 Racks, cables, addresses, circuits: one process, one SQLite file, and the REST
 API that the field already speaks.
`
const sums = files.map(({ name, content }) => `${createHash('md5').update(content).digest('hex')}  ${name}\n`).join('')
const out = given.out ?? join(top, 'dist', `cabinet_${Version}_${architecture}.deb`)
writeFileSync(
  out,
  arOf([
    ['debian-binary', Buffer.from('2.0\n')],
    [
      'control.tar.gz',
      await tarOf([
        entry('control', control),
        entry('md5sums', sums),
        entry('conffiles', '/etc/cabinet.toml\n/etc/default/cabinet\n'),
        ...['postinst', 'prerm', 'postrm'].map((name) => entry(name, source(`contrib/deb/${name}`), 0o755)),
      ]),
    ],
    ['data.tar.gz', await tarOf(files)],
  ]),
)
console.log(`${relative(top, out)} ${(readFileSync(out).length / 1e6).toFixed(1)} MB`)
