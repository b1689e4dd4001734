import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { ask, run, scratch, type Server, start } from '../support/cli.ts'

const data = join(scratch(), 'data')
const cabinet = (args: string, more: Parameters<typeof run>[1] = {}) => run([...args.split(' '), '--data', data], more)
let server: Server
before(async () => {
  server = await start(data)
})

test('a user that is added beside the server can log in at once', async () => {
  const latin = await cabinet('user add ann', { input: Buffer.from('Länger-Passw0rd\n', 'latin1') })
  assert.deepEqual([latin.code, latin.stderr], [1, 'cabinet: This is not text in UTF-8.\n'])
  const added = await cabinet('user add ann', { input: 'Long-Enough-Passw0rd\n' })
  assert.match(added.stdout, /^\d+\n$/)
  assert.equal(
    (
      await ask(server.base, 'POST', '/api/users/tokens/provision/', {
        username: 'ann',
        password: 'Long-Enough-Passw0rd',
      })
    ).status,
    201,
  )
  const csrf = 'csrftoken=abcdefghijklmnopqrstuvwx'
  const entered = await fetch(`${server.base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: csrf },
    body: new URLSearchParams({
      username: 'ann',
      password: 'Long-Enough-Passw0rd',
      csrfmiddlewaretoken: csrf.slice(10),
    }),
  })
  const cookie = `sessionid=${/sessionid=([^;]+)/.exec(entered.headers.get('set-cookie')!)![1]}`
  const session = async () => (await fetch(`${server.base}/api/status/`, { headers: { cookie } })).status
  assert.equal(await session(), 200)
  const changed = await cabinet('user passwd ann', { env: { CABINET_PASSWORD: 'short' } })
  assert.deepEqual([changed.code, changed.stdout], [0, ''])
  assert.match(changed.stderr, /^warning: weak password: /)
  assert.equal(await session(), 403)
  assert.equal(
    (
      await ask(server.base, 'POST', '/api/users/tokens/provision/', {
        username: 'ann',
        password: 'Long-Enough-Passw0rd',
      })
    ).status,
    403,
  )
  assert.equal(
    (await ask(server.base, 'POST', '/api/users/tokens/provision/', { username: 'ann', password: 'short' })).status,
    201,
  )
  const { stdout } = await cabinet('user list')
  assert.deepEqual(
    stdout.split('\n').map((line) => line.split('\t').slice(1, 4).join(' ')),
    ['USERNAME KIND STATE', 'admin administrator active', 'ann user active', ''],
  )
})

test('a token lives from add to revoke', async () => {
  const { stdout } = await cabinet('token add admin --description ci --read-only')
  assert.match(stdout, /^Bearer nbt_\w{12}\.\w{40}\n$/)
  const header = stdout.trim()
  assert.equal((await ask(server.base, 'GET', '/api/dcim/sites/', undefined, header)).status, 200)
  assert.equal((await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'x', slug: 'x' }, header)).status, 403)
  const row = (await cabinet('token list')).stdout
    .split('\n')
    .find((line) => line.includes('\tci'))!
    .split('\t')
  assert.deepEqual(row.slice(1, 5), ['admin', header.slice(7, 23), 'read', 'enabled'])
  assert.equal((await cabinet(`token revoke ${row[0]}`)).code, 0)
  assert.equal((await ask(server.base, 'GET', '/api/dcim/sites/', undefined, header)).status, 403)
})

test('a token of version 1, for one network and one time', async () => {
  const { stdout } = await cabinet(
    'token add admin --v1 --allowed-ips 192.0.2.0/24,198.51.100.1 --expires 2099-01-01T00:00:00Z',
  )
  assert.match(stdout, /^Token \w{40}\n$/)
  const { status, json } = await ask(server.base, 'GET', '/api/status/', undefined, stdout.trim())
  assert.deepEqual(
    [status, json.detail],
    [403, 'Source IP 127.0.0.1 is not permitted to authenticate using this token.'],
  )
})

const refused: [args: string, input: string, message: RegExp][] = [
  ['user add Ann', 'x', /there is a user Ann already/],
  ['user add a/b', 'x', /a username has letters/],
  ['user add bob', '', /no password/],
  ['user passwd bob', 'x', /no user bob/],
  ['token add bob', '', /no user bob/],
  ['token add admin --expires 2001-01-01T00:00:00Z', '', /expires: /],
  ['token add admin --expires soon', '', /expires: /],
  ['token add admin --allowed-ips 300.1.1.1', '', /allowed_ips: 300\.1\.1\.1: Enter a valid /],
  ['token add admin --allowed-ips 10.0.0.0/8,x', '', /^cabinet: allowed_ips: x: Enter a valid [^[]+\n$/],
  ['token revoke 999999', '', /no token 999999/],
]

test('what adds to the data is refused where the disk is full but for its reserve, as the server does', async () => {
  const file = join(data, 'sites.csv')
  writeFileSync(file, 'name,slug\nFull,full\n')
  const env = { CABINET_DISK_RESERVE: String(2 ** 52), CABINET_PASSWORD: 'Long-Enough-Passw0rd' }
  for (const args of ['user add full', 'token add admin', `import csv dcim.site ${file}`]) {
    const { code, stdout, stderr } = await cabinet(args, { env })
    assert.deepEqual([code, stdout], [1, ''], args)
    assert.match(stderr, /the disk is full: \d+ bytes are free .*disk_reserve .*; nothing is written/)
  }
  assert.equal((await cabinet('user list', { env })).code, 0)
})

for (const [args, input, message] of refused) {
  test(`refused in one line: ${args}`, async () => {
    const { code, stdout, stderr } = await cabinet(args, { input })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr.replace(/^warning: .*\n/, ''), /^cabinet: [^\n]+\n$/)
    assert.match(stderr, message)
  })
}

test('a way in for who is locked out: a key that logs in once, and a second factor taken away', async () => {
  const { stdout, code } = await cabinet('user login admin')
  assert.equal(code, 0)
  assert.match(stdout, /^\/login\/once\/\?key=\w{40}\n$/)
  const form = await fetch(server.base + stdout.trim())
  assert.match(await form.text(), /Log in as admin/)
  for (const [args, said] of [
    ['user login nobody', /no user nobody/],
    ['user drop-factor admin', /admin has no second factor/],
    ['user link admin sub-1', /oidc_issuer is empty/],
  ] as const) {
    const refused = await cabinet(args)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, said)
  }
  const env = { CABINET_OIDC_ISSUER: 'https://login.example.com', CABINET_OIDC_CLIENT_ID: 'x' }
  for (let i = 0; i < 2; i++) assert.equal((await cabinet('user link admin sub-1', { env })).code, 0)
  await cabinet('user add other', { env: { CABINET_PASSWORD: 'Long-Enough-Passw0rd' } })
  assert.match((await cabinet('user link other sub-1', { env })).stderr, /sub-1 is admin here/)
})
