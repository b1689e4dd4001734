import assert from 'node:assert/strict'
import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noteBackup } from '../../src/store/data-folder.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'
import { until } from '../support/until.ts'

const metricsToken = 'a-token-of-the-monitoring'
const client = await serve({ metricsToken, workers: 2 })
const { call, base, data } = client
const create = creating(client)

/** The samples of `/metrics` by name with labels. */
async function samples(): Promise<Map<string, number>> {
  const { status, text, headers } = await call('GET', '/metrics')
  assert.equal(status, 200, text)
  assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  const found = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, value] = /^(\w+(?:\{[^{}]*\})?) (\S+)$/.exec(line) ?? assert.fail(line)
    assert.ok(!found.has(name!), `${name} twice`)
    found.set(name!, Number(value))
  }
  return found
}

test('metrics are for superusers and for who has the token of the configuration', async () => {
  const asking = async (authorization: string) => (await call('GET', '/metrics', undefined, { authorization })).status
  assert.equal(await asking(''), 403)
  assert.equal(await asking(`Bearer ${metricsToken}`), 200)
  assert.equal(await asking(`Bearer ${metricsToken}x`), 403)
  const user = await create('users/users', { username: 'plain', password: 'Plain-User-Passw0rd' })
  const { token } = await create('users/tokens', { user: user.id, version: 1 })
  assert.equal(await asking(`Token ${token}`), 403)
  const api = await call('GET', '/api/dcim/sites/', undefined, { authorization: `Bearer ${metricsToken}` })
  assert.equal(api.status, 403, 'it opens nothing else')
  const without = await serve()
  const stranger = await fetch(`${without.base}/metrics`, { headers: { authorization: 'Bearer ' } })
  assert.equal(stranger.status, 403)
})

test('requests are counted by endpoint, method and status, whichever thread answers them', async () => {
  const names = {
    list: 'cabinet_requests_total{kind="list",endpoint="dcim/racks",method="GET",status="2xx"}',
    missing: 'cabinet_requests_total{kind="object",endpoint="dcim/racks",method="GET",status="4xx"}',
    made: 'cabinet_requests_total{kind="list",endpoint="dcim/sites",method="POST",status="2xx"}',
    page: 'cabinet_requests_total{kind="page",endpoint="",method="GET",status="4xx"}',
    times: 'cabinet_request_seconds_count{kind="list",method="GET"}',
    last: 'cabinet_request_seconds_bucket{kind="list",method="GET",le="+Inf"}',
  } as const
  const before = await samples()
  for (let i = 0; i < 5; i++) await call('GET', `/api/dcim/racks/?limit=${i + 1}`)
  await call('GET', '/api/dcim/racks/123456/')
  await call('GET', '/nobody/knows/this-42/')
  await create('dcim/sites', { name: 'Counted', slug: 'counted' })
  let after = before
  const grew = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  const counts = async () => {
    after = await samples()
    return Object.values(names).map(grew)
  }
  const areAll = (found: number[]) => found.reduce((sum, count) => sum + count) >= 18 // threads tell a little later
  assert.deepEqual(await until(counts, areAll), [5, 1, 1, 1, 5, 5])
  const commits = ['first', 'long'].map((thread) => grew(`cabinet_commit_seconds_count{thread="${thread}"}`))
  assert.ok(commits[0]! + commits[1]! >= 1, 'the write was a transaction')
})

test('names that nobody knows make no samples of their own', async () => {
  for (let i = 0; i < 30; i++) await fetch(`${base}/api/no-app-${i}/no-model-${i}/`, { method: 'PROPFIND' })
  for (let i = 0; i < 30; i++) await fetch(`${base}/x${i}/`)
  const { text } = await call('GET', '/metrics')
  assert.doesNotMatch(text, /no-app|PROPFIND|x29/)
})

test('files, disk, threads, jobs and the last backup are told', async () => {
  noteBackup(data, { made: '2030-01-01T00:00:00Z', file: '/backups/x', bytes: 4711 })
  const found = await samples()
  assert.equal(found.get('cabinet_last_backup_timestamp_seconds'), Date.parse('2030-01-01T00:00:00Z') / 1000)
  assert.equal(found.get('cabinet_last_backup_bytes'), 4711)
  assert.equal(found.get('cabinet_jobs{kind="webhook",state="pending"}'), 0)
  for (const name of [
    'cabinet_database_bytes',
    'cabinet_wal_bytes',
    'cabinet_disk_free_bytes',
    'cabinet_threads{role="read"}',
  ])
    assert.ok(found.get(name)! > 0, name)
})

test('the dashboard asks for metrics and labels that there are', async () => {
  const { text } = await call('GET', '/metrics')
  const names = new Set([...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name!))
  for (const [, name] of text.matchAll(/^# TYPE (\w+) (?!histogram)/gm)) names.add(name!)
  const labels = new Set([
    'instance',
    'le',
    'kind',
    'outcome',
    ...[...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name!),
  ])
  const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, '../../contrib/grafana-cabinet.json'), 'utf8'))
  const queries: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  assert.ok(queries.length > 15)
  for (const expr of queries) {
    const asked = [...expr.matchAll(/\b(?:cabinet|process)_\w+/g)].map(([name]) => name)
    assert.ok(asked.length > 0, expr)
    for (const name of asked) assert.ok(names.has(name), `${name} of ${expr}`)
    for (const [, name] of expr.matchAll(/[{,]\s*(\w+)\s*[!=]/g)) assert.ok(labels.has(name!), `${name} of ${expr}`)
    for (const [, by] of expr.matchAll(/by \(([^)]*)\)/g))
      for (const name of by!.split(/,\s*/)) assert.ok(labels.has(name), `${name} of ${expr}`)
  }
})

test('a disk is said to be nearly full before it is: to who watches, and to superusers on each page', async () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  const scarce = await serve({ diskReserve: Math.floor((bavail * bsize) / 2) })
  const { status, json } = await scarce.call('GET', '/readyz', undefined, { authorization: '' })
  assert.deepEqual([status, json], [200, { status: 'ready', warning: 'The disk is nearly full.' }])
  assert.equal((await scarce.call('POST', '/api/dcim/sites/', { name: 'Yet', slug: 'yet' })).status, 201)
  const browser = await login(scarce)
  assert.match((await browser.get('/dcim/sites/')).text, /The disk is nearly full: [\d,]+ MB are free/)
  assert.equal(
    (await scarce.call('POST', '/api/users/users/', { username: 'ann', password: 'Ann-Passw0rd-1' })).status,
    201,
  )
  const ann = await login(scarce, 'ann', 'Ann-Passw0rd-1')
  assert.doesNotMatch((await ann.get('/')).text, /nearly full/)
})

test('readiness is for everybody, and ends while the disk is full: reads go on, writes get 507', async () => {
  const ready = await call('GET', '/readyz', undefined, { authorization: '' })
  assert.deepEqual([ready.status, ready.json], [200, { status: 'ready' }])
  const full = await serve({ diskReserve: 2 ** 60 })
  const asked = await full.call('GET', '/readyz', undefined, { authorization: '' })
  assert.deepEqual([asked.status, asked.json.status], [503, 'not ready'])
  assert.equal((await full.call('GET', '/healthz')).status, 200)
  for (const [method, path, body] of [
    ['POST', '/api/dcim/sites/', { name: 'A', slug: 'a' }],
    ['POST', '/api/dcim/sites/', [{ name: 'A', slug: 'a' }]],
    ['PATCH', '/api/users/users/1/', { first_name: 'A' }],
    ['DELETE', '/api/users/users/1/', undefined],
  ] as const) {
    const refused = await full.call(method, path, body)
    assert.equal(refused.status, 507, `${method} ${path} ${refused.text}`)
    assert.match(refused.json.detail, /disk/)
  }
  const { status, json } = await full.call('GET', '/api/dcim/sites/')
  assert.deepEqual([status, json.count], [200, 0])
})
