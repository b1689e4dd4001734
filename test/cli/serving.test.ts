import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { AdminToken } from '../support/server.ts'
import { admin, ask, namesIn, run, scratch, start } from '../support/cli.ts'
import { until } from '../support/until.ts'

const folder = scratch()
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('an empty folder gets its secrets, its administrator and nobody else’s eyes', async () => {
  const data = join(folder, 'first')
  const server = await start(data, { env: {} })
  const [, password] = /administrator admin, password (\S{20}) /.exec(server.stderr())!
  const [, header] = /header: (Bearer nbt_\w{12}\.\w{40}) /.exec(server.stderr())!
  assert.equal((await ask(server.base, 'GET', '/api/authentication-check/', undefined, header)).json.username, 'admin')
  const provisioned = await ask(server.base, 'POST', '/api/users/tokens/provision/', { username: 'admin', password })
  assert.equal(provisioned.status, 201)
  assert.deepEqual([data, join(data, 'uploads')].map(modeOf), ['700', '700'])
  for (const file of ['cabinet.db', 'peppers.json', 'cabinet.lock']) assert.equal(modeOf(join(data, file)), '600', file)
  assert.ok((JSON.parse(readFileSync(join(data, 'peppers.json'), 'utf8')) as Record<string, string>)[1]!.length >= 64)
  assert.equal(await server.end('SIGTERM'), 0)
  const again = await start(data, { env: {} })
  assert.doesNotMatch(again.stderr(), /password|token/)
  await again.end('SIGTERM')
})

test('a last change that is dated later than now is a warning', async () => {
  const data = join(folder, 'ahead')
  await (await start(data, { env: admin })).end('SIGTERM')
  const db = openDatabase(join(data, 'cabinet.db'))
  db.prepare("update history_step set time = '2999-01-01T00:00:00.000000Z'").run()
  db.close()
  const server = await start(data, { env: { ...admin, CABINET_LOG_LEVEL: 'warning' } })
  await until(() => /the last change is dated later than now.*2999-01-01T00:00:00/.test(server.stdout()))
  await server.end('SIGTERM')
})

test('the administrator of the environment, with a token of either version', async () => {
  const second = `nbt_${'k'.repeat(12)}.${'t'.repeat(40)}`
  for (const [name, token, header] of [
    ['v1', AdminToken, `Token ${AdminToken}`],
    ['v2', second, `Bearer ${second}`],
  ] as const) {
    const server = await start(join(folder, name), {
      env: { CABINET_SUPERUSER_NAME: 'root', CABINET_SUPERUSER_PASSWORD: 'weak', CABINET_SUPERUSER_API_TOKEN: token },
    })
    assert.equal((await ask(server.base, 'GET', '/api/authentication-check/', undefined, header)).json.username, 'root')
    assert.match(server.stderr(), /warning: the administrator's password is weak/)
    assert.ok(!server.stderr().includes(token))
    await server.end('SIGTERM')
  }
})

test('a token that cannot be one stops the first start, and leaves no account', async () => {
  const data = join(folder, 'refused')
  await assert.rejects(
    start(data, { env: { ...admin, CABINET_SUPERUSER_API_TOKEN: 'secret' } }),
    /CABINET_SUPERUSER_API_TOKEN must be 40/,
  )
  const server = await start(data)
  assert.equal((await ask(server.base, 'GET', '/api/authentication-check/')).status, 200)
  await server.end('SIGTERM')
})

test('a second server on a folder is refused, also after the first was killed', async () => {
  const data = join(folder, 'locked')
  const first = await start(data)
  await assert.rejects(start(data), /cabinet: another Cabinet server is using/)
  assert.equal((await ask(first.base, 'GET', '/api/status/')).status, 200)
  await first.end('SIGKILL')
  const second = await start(data)
  await assert.rejects(start(data), /another Cabinet server/)
  assert.equal(await second.end('SIGINT'), 0)
})

test('SIGUSR1 opens no debugger, SIGHUP ends a server as SIGTERM does', async () => {
  const data = join(folder, 'signals')
  const server = await start(data)
  server.signal('SIGUSR1')
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.doesNotMatch(server.stderr(), /Debugger/)
  assert.equal((await ask(server.base, 'GET', '/api/status/')).status, 200)
  assert.equal(await server.end('SIGHUP'), 0)
  assert.ok(!existsSync(join(data, 'cabinet.db-wal')), 'its log is brought to the database')
})

test('SIGTERM answers what is running, and leaves one database file', async () => {
  const data = join(folder, 'ended')
  const server = await start(data)
  const { port } = new URL(server.base)
  const body = JSON.stringify({ name: 'Late', slug: 'late' })
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /api/dcim/sites/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${AdminToken}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  await new Promise((resolve) => setTimeout(resolve, 150))
  const ended = server.end('SIGTERM')
  const isTaken = () =>
    fetch(`${server.base}/api/status/`).then(
      () => true,
      () => false,
    )
  assert.equal(await until(isTaken, (it) => !it), false, 'no new connections')
  socket.write(body.slice(10))
  const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
  assert.match(answer, /^HTTP\/1\.1 201 /)
  assert.equal(await ended, 0)
  assert.deepEqual(namesIn(data), ['cabinet.db', 'cabinet.lock', 'peppers.json', 'uploads'])
})

test('a folder or port that cannot be used is one line and exit code 1', async () => {
  const server = await start(join(folder, 'port'))
  const { host } = new URL(server.base)
  const taken = await run(['serve', '--data', join(folder, 'port2'), '--listen', host], { env: admin })
  assert.deepEqual([taken.code, taken.stderr], [1, `cabinet: cannot listen on ${host}: the port is taken\n`])
  await server.end('SIGTERM')
  writeFileSync(join(folder, 'file'), '')
  const blocked = await run(['serve', '--data', join(folder, 'file/data')])
  assert.equal(blocked.code, 1)
  assert.match(blocked.stderr, /^cabinet: cannot use [^\n]+\n$/)
  mkdirSync(join(folder, 'bad'))
  writeFileSync(join(folder, 'bad/peppers.json'), '{"1": "short"}')
  const peppers = await run(['serve', '--data', join(folder, 'bad')])
  assert.match(peppers.stderr, /^cabinet: \S+peppers\.json cannot be read as peppers: [^\n]+\n$/)
  assert.ok(!existsSync(join(folder, 'bad/cabinet.db')))
})

test('a certificate without its key, a missing one and one that is none are named', async () => {
  const alone = await run(['serve', '--data', join(folder, 'tls')], { env: { CABINET_TLS_CERTIFICATE: 'cert.pem' } })
  assert.deepEqual(
    [alone.code, alone.stderr],
    [2, 'cabinet: tls_certificate and tls_key go together: one of them is missing\n'],
  )
  const missing = await run(['serve', '--data', join(folder, 'tls')], {
    env: { CABINET_TLS_CERTIFICATE: '/none.pem', CABINET_TLS_KEY: '/none.key' },
  })
  assert.match(missing.stderr, /^cabinet: tls_certificate: [^\n]*\/none\.pem/)
  const wrong = await run(['serve', '--data', join(folder, 'tls')], {
    env: { CABINET_TLS_CERTIFICATE: import.meta.filename, CABINET_TLS_KEY: import.meta.filename },
  })
  assert.match(wrong.stderr, /^cabinet: tls_certificate and tls_key: [^\n]+\n$/)
  assert.ok(!existsSync(join(folder, 'tls')))
})

test('a task that fails while nobody waits for it is logged, and ends no server', {
  skip: process.env.CABINET_TEST_EXECUTABLE !== undefined && 'nothing is put into an executable',
}, async () => {
  const odd = `import { isMainThread } from 'node:worker_threads'
    if (isMainThread) process.on('SIGUSR2', () => void Promise.reject(new Error('odd')))`
  const server = await start(join(folder, 'odd'), {
    env: {
      ...admin,
      CABINET_LOG_LEVEL: 'warning',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(odd)}`,
    },
  })
  server.signal('SIGUSR2')
  await until(() => server.stdout().includes('something failed that nobody waited for'))
  assert.match(server.stdout(), /"error":"odd"/)
  assert.equal((await ask(server.base, 'GET', '/healthz')).status, 200)
  assert.equal(await server.end('SIGTERM'), 0)
})
