import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { admin, ask, run, scratch, start } from '../support/cli.ts'
import { AdminToken } from '../support/server.ts'

const data = scratch()
const server = await start(data)
await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'North, upper', slug: 'north' })
const query = (...args: string[]) => run(['query', ...args, '--data', data])
const sql = 'select name, slug, ? as n from sites'

test('a question is asked of a data folder beside its server, and of the server', async () => {
  for (const from of [[], ['--url', server.base, '--token', AdminToken]]) {
    const table = await query(sql, '--params', '[5]', ...from)
    assert.equal(table.stdout, 'name\tslug\tn\nNorth, upper\tnorth\t5\n', table.stderr)
    assert.equal((await query(sql, '--format', 'csv', ...from)).stdout, 'name,slug,n\n"North, upper",north,\n')
    if (from.length) continue
    assert.deepEqual(JSON.parse((await query(sql, '--format', 'json', ...from)).stdout).rows, [
      ['North, upper', 'north', null],
    ])
    const wrong = await query('select * from dcim_site', ...from)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /no such table: dcim_site/)
  }
  assert.equal((await query('select name from sites', '--url', server.base, '--token', 'nbt_x.y')).code, 1)
})

test('with a user it answers what they may view; wrong calls are said', async () => {
  await ask(server.base, 'POST', '/api/users/users/', { username: 'nobody', password: 'Cabinet-Test-Passw0rd' })
  assert.equal((await query('select count(*) as n from sites', '--user', 'nobody')).stdout, 'n\n0\n')
  assert.match((await query('--tables')).stdout, /^ip_addresses\tid display family address /m)
  for (const args of [
    [],
    ['select 1', '--format', 'xml'],
    ['select 1', '--params', '[[1]]'],
    ['select 1', '--url', 'x'],
  ])
    assert.equal((await query(...args)).code, 2)
  const input = await run(['query', '-', '--data', data], { input: 'select 1 as one' })
  assert.equal(input.stdout, 'one\n1\n')
  const latin = await run(['query', '-', '--data', data], { input: Buffer.from("select 'ö'", 'latin1') })
  assert.deepEqual([latin.code, latin.stderr], [1, 'cabinet: This is not text in UTF-8.\n'])
})

test('a server that cannot be asked is told why', async () => {
  const other = createServer((request, response) => {
    if (request.url === '/html/api/query/') response.end('<p>hello</p>')
    else response.setHeader('content-type', 'application/json').end('{"hello": 1}')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  other.unref()
  const { port } = other.address() as AddressInfo
  for (const [url, said] of [
    ['http://127.0.0.1:8769', /127\.0\.0\.1:8769 cannot be reached: connect ECONNREFUSED/],
    [`http://127.0.0.1:${port}/html/`, /cannot be reached: something on the way answers with status 200/],
    [`http://127.0.0.1:${port}`, /is no Cabinet that answers questions: it says .*hello/],
    [server.base, /says: .*token/],
  ] as const) {
    const { code, stdout, stderr } = await query('select 1', '--url', url, '--token', 'x')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, said)
  }
  other.close()
})

const noTool = spawnSync('openssl', ['version']).status === 0 ? false : 'needs openssl'
test('a certificate that nobody knows is taken with --insecure alone', { skip: noTool }, async () => {
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(data, name)) as [string, string]
  const made =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout ' +
    `${key} -out ${cert}`
  execFileSync('openssl', made.split(' '), { stdio: 'pipe' })
  const secure = await start(scratch(), { env: { ...admin, CABINET_TLS_CERTIFICATE: cert, CABINET_TLS_KEY: key } })
  const asked = ['select 1 as one', '--url', secure.base, '--token', AdminToken]
  assert.match((await query(...asked)).stderr, /cannot be reached: .*self-signed certificate/)
  const taken = await run(['query', ...asked, '--insecure', '--data', data], { env: { NODE_NO_WARNINGS: '1' } })
  assert.deepEqual(taken, { code: 0, stdout: 'one\n1\n', stderr: '' })
})

test('it answers without a server too', async () => {
  await server.end('SIGTERM')
  assert.equal((await query('select slug from sites')).stdout, 'slug\nnorth\n')
})
