import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { ask, cabledDevice, run, scratch, start } from '../support/cli.ts'
import { until } from '../support/until.ts'

const folder = scratch()
const sound = join(folder, 'sound')

before(async () => {
  const server = await start(sound)
  const post = async (path: string, body: object) =>
    assert.equal((await ask(server.base, 'POST', `/api/${path}/`, body)).status, 201, path)
  await post('dcim/sites', { name: 'Lab', slug: 'lab' })
  await cabledDevice(server.base)
  await post('extras/journal-entries', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: 1,
    comments: 'x',
  })
  await server.end('SIGTERM')
  const added = await run(['token', 'add', 'admin', '--data', sound])
  assert.equal(added.code, 0, added.stderr)
})

/** A copy of the sound folder with a change of its own. */
function copy(change: (data: string) => void): string {
  const data = mkdtempSync(join(folder, 'copy-'))
  cpSync(sound, data, { recursive: true })
  change(data)
  return data
}
function damage(data: string, sql: string): void {
  const db = openDatabase(join(data, 'cabinet.db'))
  db.pragma('foreign_keys = off')
  db.exec(sql)
  db.close()
}

test('without its secrets a folder with version 2 tokens is not served, and none are made up', async () => {
  const data = copy((each) => rmSync(join(each, 'peppers.json')))
  for (const args of [
    ['serve', '--listen', '127.0.0.1:0'],
    ['token', 'add', 'admin'],
  ]) {
    const { code, stderr } = await run([...args, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /peppers\.json is missing, and a token needs its secrets: .* backup, .* --new-peppers/)
  }
  assert.equal(existsSync(join(data, 'peppers.json')), false)
  const server = await start(data, { args: ['--new-peppers'] })
  await server.end('SIGTERM')
  const { stdout } = await run(['token', 'list', '--data', data])
  assert.ok(!stdout.includes('nbt_'), stdout)
})

test('without its secrets a folder with second factors is not served either', async () => {
  const data = copy((each) => {
    rmSync(join(each, 'peppers.json'))
    const user = "select id, 'x' from users_user limit 1"
    damage(each, `insert into users_secondfactor (user_id, secret, created) select *, '2026' from (${user})`)
    damage(each, `insert into users_recoverycode (user_id, digest) ${user}; delete from users_token where version = 2`)
  })
  const { code, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--data', data])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /peppers\.json is missing, and a second factor needs its secrets: .* --new-peppers, .* second factors/,
  )
  assert.equal(existsSync(join(data, 'peppers.json')), false)
  await (await start(data, { args: ['--new-peppers'] })).end('SIGTERM')
  const db = openDatabase(join(data, 'cabinet.db'))
  for (const table of ['users_secondfactor', 'users_recoverycode'])
    assert.equal(db.prepare(`select count(*) from ${table}`).pluck().get(), 0, table)
  db.close()
})

test('an empty or foreign database is refused and left as it is', async () => {
  for (const [what, make] of [
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['is not a SQLite database', (file: string) => writeFileSync(file, 'hello '.repeat(1000))],
    [
      'is the database of another program',
      (file: string) => {
        rmSync(file)
        const db = openDatabase(file)
        db.exec('create table other (x)')
        db.close()
      },
    ],
  ] as const) {
    const data = copy((each) => make(join(each, 'cabinet.db')))
    const was = readFileSync(join(data, 'cabinet.db'))
    for (const args of [
      ['serve', '--listen', '127.0.0.1:0'],
      ['user', 'list'],
    ]) {
      const { code, stderr } = await run([...args, '--data', data])
      assert.equal(code, 1, what)
      assert.match(stderr, new RegExp(`cabinet\\.db ${what}: restore a backup`))
    }
    assert.deepEqual(readFileSync(join(data, 'cabinet.db')), was)
  }
})

test('a malformed database is named at start, and check says what can be done', async () => {
  const data = copy((each) => {
    const file = join(each, 'cabinet.db')
    const db = openDatabase(file)
    const page = db
      .prepare("select rootpage from sqlite_schema where name = 'extras_journalentry'")
      .pluck()
      .get() as number
    const size = db.pragma('page_size', { simple: true }) as number
    db.close()
    const bytes = readFileSync(file)
    bytes.fill(0xa5, (page - 1) * size + 8, page * size)
    writeFileSync(file, bytes)
  })
  const server = await start(data)
  await until(() => server.stderr().includes('damaged')) // it is looked through afterwards
  assert.match(server.stderr(), /warning: the database is damaged; cabinet check says where/)
  await server.end('SIGTERM')
  const checked = await run(['check', '--repair', '--data', data])
  assert.equal(checked.code, 1)
  assert.match(checked.stdout, /integrity: \d+ wrong\n(.*\n)+? {2}the file is damaged: restore a backup/)
})

test('a quick check tells damage, also of a file that does not open, from a check that was not made', async () => {
  const torn = copy((data) => {
    const bytes = readFileSync(join(data, 'cabinet.db'))
    writeFileSync(join(data, 'cabinet.db'), bytes.fill(0xa5, 108, 4096)) // the first page of the schema
  })
  const codes = [sound, torn, join(folder, 'nothing')].map((data) => run(['check', '--quick', '--data', data]))
  assert.deepEqual(
    (await Promise.all(codes)).map(({ code }) => code),
    [0, 3, 1],
  )
})

test('what is worked out is made anew, its own rows included; of the rest is said what one can do', async () => {
  const paths = copy((data) => damage(data, 'delete from dcim_cablepath'))
  const found = await run(['check', '--data', paths])
  assert.equal(found.code, 1)
  assert.match(found.stdout, /^cabling: \d+ wrong$/m)
  assert.equal((await run(['check', '--repair', '--data', paths])).code, 0)
  const again = await run(['check', '--data', paths])
  assert.equal(again.code, 0, again.stdout)

  const rest = copy((data) => damage(data, 'delete from dcim_site'))
  const repaired = await run(['check', '--repair', '--data', rest])
  assert.equal(repaired.code, 1)
  assert.match(repaired.stdout, /dcim_device 1 refers to a missing row of dcim_site/)
  assert.match(repaired.stdout, /extras_journalentry 1 refers to a missing row of dcim_site/)
  assert.match(repaired.stdout, /restore a backup, or let cabinet check --take-back/)
  const cleared = await run(['check', '--take-back', '--data', rest])
  assert.equal(cleared.code, 0, cleared.stdout)
  assert.match(cleared.stdout, /^dcim\.device: left out, because its dcim\.site is not here: 1$/m)
  assert.equal((await run(['check', '--data', rest])).code, 0)
})

test('a bad archive is refused in one line and leaves no trace', async () => {
  for (const [name, bytes] of [
    ['text', Buffer.from('not an archive')],
    ['empty', Buffer.alloc(0)],
  ] as const) {
    const file = join(folder, `${name}.backup`)
    writeFileSync(file, bytes)
    const data = join(folder, `restored-${name}`)
    const { code, stderr } = await run(['restore', file, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^cabinet: [^\n]*(not a backup of Cabinet|holds no database)[^\n]*\n$/)
    assert.equal(existsSync(data), false, name)
  }
  const there = join(folder, 'there')
  mkdirSync(there)
  assert.equal((await run(['restore', join(folder, 'text.backup'), '--data', there])).code, 1)
  assert.deepEqual(readdirSync(there), [])
})

test('what killed backups and restores left goes with the next', async () => {
  const data = copy(() => undefined)
  const into = join(folder, 'backups')
  mkdirSync(join(into, '.cabinet-backup-999999999-abc123'), { recursive: true })
  mkdirSync(join(into, `.cabinet-backup-${process.pid}-abc123`))
  for (const name of ['.restore-abc123', '.past-abc123', '.past-abc124', '.upgrade-abc123']) mkdirSync(join(data, name))
  for (const name of ['.upgrade-999999999-abc123', `.upgrade-${process.pid}-abc123`]) mkdirSync(join(data, name))
  for (const name of ['.past-abc123', '.upgrade-abc123']) utimesSync(join(data, name), 1, 1) // of long ago
  assert.equal((await run(['backup', join(into, 'b'), '--data', data])).code, 0)
  assert.deepEqual(readdirSync(into).sort(), [`.cabinet-backup-${process.pid}-abc123`, 'b'])
  assert.ok(statSync(join(into, 'b')).size > 0)
  await (await start(data)).end('SIGTERM')
  assert.deepEqual(
    readdirSync(data)
      .filter((name) => /^\.\w+-/.test(name))
      .sort(),
    ['.past-abc124', `.upgrade-${process.pid}-abc123`],
  )
})

test('a server that stops ends the process that looks through its database, and leaves no log behind', {
  skip: process.platform !== 'linux',
}, async () => {
  const data = copy(() => {})
  const server = await start(data)
  const looking = () =>
    readdirSync('/proc').find((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--quick\0--data\0${data}\0`)
      } catch {
        return false
      }
    })
  const pid = await until(looking, (found) => found !== undefined, 2)
  process.kill(Number(pid), 'SIGSTOP') // as if it had much to look through
  try {
    assert.equal((await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Late', slug: 'late' })).status, 201)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.equal(looking(), undefined)
    assert.ok(!existsSync(join(data, 'cabinet.db-wal')))
  } finally {
    if (looking()) process.kill(Number(pid), 'SIGKILL')
  }
})
