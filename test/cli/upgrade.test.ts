import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { unitOf } from '../../src/cli/service.ts'
import { unitIn } from '../../src/cli/unit.ts'
import { ask, command, run, scratch, start } from '../support/cli.ts'
import { until } from '../support/until.ts'

// Before the folder goes, which has the number of the process.
after(() => {
  try {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
  } catch {
    // it has ended
  }
})

const folder = scratch()
const data = join(folder, 'data')
const executable = join(folder, 'cabinet')
const own = command.map((word) => `'${word}'`).join(' ')

/** An executable: this build, but for what `instead` does of its own. */
function put(file: string, instead = ''): string {
  writeFileSync(file, `#!/bin/sh\n${instead}\nexec ${own} "$@"\n`)
  chmodSync(file, 0o755)
  return file
}
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const port = await freePort()
const base = `http://127.0.0.1:${port}`
const config = join(folder, 'cabinet.toml')
writeFileSync(config, `data = "${data}"\nlisten = "127.0.0.1:${port}"\nlog_level = "none"\n`)
const pid = join(folder, 'pid')
const service = {
  start: `${executable} serve --config ${config} > ${folder}/said 2>&1 & echo $! > ${pid}`,
  stop: `p=$(cat ${pid}); kill $p; while kill -0 $p 2>/dev/null; do sleep 0.1; done; true`,
}
const upgrade = (file: string, ...more: string[]) =>
  run(['upgrade', file, '--executable', executable, '--config', config, ...more])
const restarting = ['--patience', '6', '--stop', service.stop, '--start', service.start]
const sites = async () => (await ask(base, 'GET', '/api/dcim/sites/')).json.count

put(executable, '# first')
const first = await start(data)
await ask(first.base, 'POST', '/api/dcim/sites/', { name: 'Kept', slug: 'kept' })
await first.end('SIGTERM')

test('what is no Cabinet, or cannot use the data, changes nothing', async () => {
  const before = statSync(executable)
  writeFileSync(join(folder, 'text'), 'hello')
  const noCabinet = await upgrade(join(folder, 'text'))
  assert.equal(noCabinet.code, 1)
  assert.match(noCabinet.stderr, /is no Cabinet that runs here/)
  const cannot = await upgrade(
    put(join(folder, 'cannot'), '[ "$1" = user ] && { echo "cabinet: too old" >&2; exit 1; }'),
  )
  assert.equal(cannot.code, 1)
  assert.match(cannot.stderr, /cannot use these data, nothing is changed: cabinet: too old/)
  assert.equal(statSync(executable).ino, before.ino)
  assert.ok(!existsSync(`${executable}.new`) && !existsSync(`${executable}.old`))
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('.upgrade')),
    [],
  )
})

test('without a service it is swapped, after a backup that is proved', async () => {
  mkdirSync(join(data, '.upgrade-999999999-abc123')) // of one that was killed
  const { code, stdout, stderr } = await upgrade(put(join(folder, 'second'), '# second'))
  assert.deepEqual([code, stderr], [0, ''])
  assert.ok(!existsSync(join(data, '.upgrade-999999999-abc123')))
  assert.match(stdout, /until it is restarted/)
  assert.match(readFileSync(executable, 'utf8'), /# second/)
  assert.match(readFileSync(`${executable}.old`, 'utf8'), /# first/)
  const backup = /^(\/\S+\.backup) is written and proved$/m.exec(stdout)![1]!
  const copy = join(folder, 'copy')
  assert.equal((await run(['restore', backup, '--data', copy])).code, 0)
})

test('a server is restarted with the new one', async () => {
  const begun = await run(['version'])
  assert.equal(begun.code, 0)
  const { code, stdout, stderr } = await upgrade(
    put(join(folder, 'third'), '# third'),
    ...['--stop', 'true', '--start', service.start],
  )
  assert.deepEqual([code, stderr], [0, ''], stdout)
  assert.match(readFileSync(executable, 'utf8'), /# third/)
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
})

test('one that does not serve gives way to the one before, and nothing is lost', async () => {
  const bad = put(join(folder, 'fourth'), '[ "$1" = serve ] && exit 1')
  const { code, stderr } = await upgrade(bad, ...restarting)
  assert.equal(code, 1)
  assert.match(stderr, /does not serve .*going back/)
  assert.match(stderr, /serves again/)
  assert.doesNotMatch(stderr, /database is put back/)
  assert.match(readFileSync(executable, 'utf8'), /# third/)
  assert.equal(await sites(), 1)
})

test('a database that the one before cannot read any more comes back with it', async () => {
  const script = join(folder, 'newer.mjs')
  const addons = join(import.meta.dirname, '../../src/lib/addons.ts')
  writeFileSync(
    script,
    `import { openDatabase } from ${JSON.stringify(addons)}
const db = openDatabase(${JSON.stringify(join(data, 'cabinet.db'))})
db.exec("insert into migration values ('9999_later', datetime('now')); delete from dcim_site")
db.close()`,
  )
  const node = process.execPath
  const bad = put(join(folder, 'fifth'), `[ "$1" = serve ] && { ${node} ${script}; exit 1; }`)
  const { code, stderr } = await upgrade(bad, ...restarting)
  assert.equal(code, 1)
  assert.match(stderr, /the database is put back too/)
  assert.match(stderr, /serves again/)
  assert.equal(await sites(), 1)
  const db = openDatabase(join(data, 'cabinet.db'), { readonly: true })
  assert.equal(db.prepare("select count(*) from migration where tag = '9999_later'").pluck().get(), 0)
  db.close()
})

test('a server that does not answer where it is looked for is left alone, until one says where', async () => {
  const other = await freePort()
  const listen = ['--listen', `127.0.0.1:${other}`]
  const start = service.start.replace('serve', `serve ${listen.join(' ')}`)
  spawnSync('/bin/sh', ['-c', `${service.stop}; ${start}`], { stdio: 'ignore' })
  await until(() => readFileSync(join(folder, 'said'), 'utf8').includes(`:${other}`))
  const fresh = put(join(folder, 'sixth'), '# sixth')
  const calls = ['--patience', '20', '--stop', service.stop, '--start', start]
  const { code, stderr } = await upgrade(fresh, ...calls)
  assert.equal(code, 1)
  assert.match(stderr, /is using .*, but nobody answers at .*: --listen ADDR:PORT says where .*; nothing is changed/)
  assert.match(readFileSync(executable, 'utf8'), /# third/)
  const said = await upgrade(fresh, ...calls, ...listen)
  assert.deepEqual([said.code, said.stderr], [0, ''])
  assert.match(readFileSync(executable, 'utf8'), /# sixth/)
})

test('what a unit and its file of variables say of a server is read', () => {
  const [unit, file] = [join(folder, 'cabinet.service'), join(folder, 'default')]
  writeFileSync(file, '# a comment\nCABINET_LISTEN=127.0.0.1:8767\nCABINET_BANNER_TOP="two words"\n')
  const state = { state: 'cabinet', writes: [], isPrivileged: false, socket: undefined, notifies: false }
  const command = ['/opt/my cabinet', 'serve', '--data', '/var/lib/cabinet']
  writeFileSync(unit, unitOf({ command, ...state }).replace('/etc/default/cabinet', file))
  const { words, env } = unitIn(unit)
  assert.deepEqual(words, command)
  assert.deepEqual(env, { MALLOC_ARENA_MAX: '2', CABINET_LISTEN: '127.0.0.1:8767', CABINET_BANNER_TOP: 'two words' })
  assert.deepEqual(unitIn(join(folder, 'none')), { words: [], env: {} })
})

test('calls that lack something are told what', async () => {
  const none = await run(['upgrade', '/dev/null', '--config', config])
  if (!process.env.CABINET_TEST_EXECUTABLE) assert.match(none.stderr, /which executable/)
  const half = await upgrade(executable, '--stop', 'true')
  assert.match(half.stderr, /go together/)
})
