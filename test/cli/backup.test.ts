import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openDatabase } from '../../src/lib/addons.ts'
import { ask, namesIn, run, scratch, start } from '../support/cli.ts'

const folder = scratch()
const file = join(folder, 'cabinet.backup')
const data = join(folder, 'data')

test('a backup beside a server that writes is whole, and restores into an empty folder', async () => {
  const server = await start(data)
  mkdirSync(join(data, 'uploads/images'))
  const upload = `${'long-name-'.repeat(15)}.png`
  writeFileSync(join(data, 'uploads/images', upload), 'picture')
  writeFileSync(join(data, 'uploads/empty'), '')
  let isWriting = true
  let made = 0
  const writer = (async () => {
    while (isWriting)
      assert.equal(
        (
          await ask(server.base, 'POST', '/api/dcim/sites/', [
            { name: `a${++made}`, slug: `a${made}` },
            { name: `b${made}`, slug: `b${made}` },
          ])
        ).status,
        201,
      )
  })()
  const { code, stderr } = await run(['backup', file, '--data', data])
  isWriting = false
  await writer
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal((statSync(file).mode & 0o777).toString(8), '600')
  assert.deepEqual(namesIn(folder), ['cabinet.backup', 'data'])
  const noted = JSON.parse(readFileSync(join(data, 'last-backup.json'), 'utf8'))
  assert.deepEqual([noted.file, noted.bytes], [file, statSync(file).size])
  assert.ok(Math.abs(Date.parse(noted.made) - Date.now()) < 60_000)
  await server.end('SIGTERM')

  const copy = join(folder, 'copy')
  assert.deepEqual(await run(['restore', file, '--data', copy]), { code: 0, stdout: '', stderr: '' })
  assert.equal(readFileSync(join(copy, 'uploads/images', upload), 'utf8'), 'picture')
  assert.equal(readFileSync(join(copy, 'uploads/empty'), 'utf8'), '')
  assert.deepEqual(namesIn(copy), ['cabinet.db', 'cabinet.lock', 'peppers.json', 'uploads'])
  const restored = await start(copy)
  const { json } = await ask(restored.base, 'GET', '/api/dcim/sites/?fields=name&limit=1000')
  const names = json.results.map((site: { name: string }) => site.name)
  assert.ok(
    names.length % 2 === 0 &&
      names
        .filter((name: string) => name.startsWith('a'))
        .every((name: string) => names.includes(name.replace('a', 'b'))),
    'no bulk write is half there',
  )
  assert.equal(await restored.end('SIGTERM'), 0)
  const checked = await run(['check', '--data', copy])
  assert.equal(checked.code, 0, checked.stdout)
})

test('restore keeps off a folder in use, and off one with data unless told', async () => {
  const target = join(folder, 'kept')
  const server = await start(target)
  await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Kept', slug: 'kept' })
  assert.match((await run(['restore', file, '--data', target, '--force'])).stderr, /another Cabinet server is using/)
  await server.end('SIGKILL')
  assert.match((await run(['restore', file, '--data', target])).stderr, /holds a database already; --force replaces it/)
  assert.equal((await run(['restore', file, '--data', target, '--force'])).code, 0)
  const replaced = await start(target)
  assert.equal((await ask(replaced.base, 'GET', '/api/dcim/sites/?slug=kept')).json.count, 0)
  await replaced.end('SIGTERM')
  assert.deepEqual(namesIn(target), ['cabinet.db', 'cabinet.lock', 'peppers.json', 'uploads'])
})

/** Backups that are none, made from the good one. */
const spoilt: [what: string, make: (path: string) => void, message: RegExp][] = [
  ['a text', (path) => writeFileSync(path, 'hello'), /damaged, or not a backup/],
  [
    'cut short',
    (path) => {
      writeFileSync(path, readFileSync(file))
      truncateSync(path, statSync(file).size >> 1)
    },
    /damaged, or not a backup/,
  ],
  [
    'with a path that leads out',
    (path) => {
      const tar = gunzipSync(readFileSync(file))
      const at = tar.indexOf('uploads/empty')
      tar.write('uploads/../../empty\0'.padEnd(14, '\0'), at, 'latin1')
      fixChecksum(tar, at)
      writeFileSync(path, gzipSync(tar))
    },
    /not a backup of Cabinet: it holds "uploads\/\.\.\/\.\.\/empty/,
  ],
]

for (const [what, make, message] of spoilt) {
  test(`a backup that is ${what} changes nothing`, async () => {
    const [bad, target] = [join(folder, 'bad'), join(folder, 'target')]
    make(bad)
    const { code, stderr } = await run(['restore', bad, '--data', target])
    assert.equal(code, 1)
    assert.match(stderr, /^cabinet: [^\n]+\n$/)
    assert.match(stderr, message)
    assert.equal(existsSync(target), false)
    assert.ok(!existsSync(join(folder, 'empty')))
  })
}

test('a database of a newer version is refused by each command', async () => {
  const newer = join(folder, 'newer')
  await run(['restore', file, '--data', newer])
  const db = openDatabase(join(newer, 'cabinet.db'))
  db.prepare("insert into migration values ('9999_later', 'now')").run()
  db.close()
  for (const args of [['serve'], ['user', 'list'], ['check']]) {
    const { code, stderr } = await run([...args, '--data', newer])
    assert.equal(code, 1)
    assert.match(stderr, /^cabinet: [^\n]*newer version of Cabinet[^\n]*\n$/)
  }
})

/** Sets the checksum of the tar header that begins at `at`. */
function fixChecksum(tar: Buffer, at: number): void {
  tar.fill(' ', at + 148, at + 156)
  const sum = tar.subarray(at, at + 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1')
}
