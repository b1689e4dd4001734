import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { admin, ask, run, scratch, type Server, start } from '../support/cli.ts'
import { litestream } from '../support/litestream.ts'
import { AdminToken } from '../support/server.ts'
import { until } from '../support/until.ts'

const { program, lacking } = litestream()
const folder = scratch()
const place = join(folder, 'place')
const [a, b] = [join(folder, 'a'), join(folder, 'b')]
const env = { ...admin, CABINET_LITESTREAM: program ?? 'litestream' }
const skip = lacking ?? false
let source: Server
let follower: Server

const countOf = async ({ base }: Server, query: string): Promise<number> =>
  (await ask(base, 'GET', `/api/dcim/sites/?${query}`)).json.count
const get = (server: Server, path: string, headers: Record<string, string> = {}) =>
  fetch(server.base + path, { headers: { authorization: `Token ${AdminToken}`, ...headers } })
/** Litestreams that copy a folder. */
const copiers = (data: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return words.startsWith(String(program)) && words.includes(`${data}/replica`)
      } catch {
        return false
      }
    })
    .map(Number)

test('a replica is begun where none lies, a follower has nothing to show before', { skip }, async () => {
  source = await start(a, { env })
  assert.equal((await ask(source.base, 'POST', '/api/dcim/sites/', { name: 'First', slug: 'first' })).status, 201)
  await source.end('SIGTERM')
  const wrong = await run(['replicate', '--to', 'elsewhere', '--data', a], { env })
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /neither the path of a folder nor a URL/)
  const { code, stdout, stderr } = await run(['replicate', '--to', place, '--data', a], { env })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /epoch 1/)
  const written = readFileSync(join(a, 'replica/litestream.yml'), 'utf8')
  for (const part of ['main', 'files', 'pulse']) assert.ok(written.includes(`file://${place}/epoch-1/${part}`), written)
  source = await start(a, { env: { ...env, CABINET_TRUSTED_PROXIES: '127.0.0.1' } })
  follower = await start(b, { env, args: ['--follow', place, '--source', source.base] })
  assert.equal(await countOf(follower, 'slug=first'), 1)
})

test('a follower says how old it is, and moves on with its source: rows, uploads and tokens', { skip }, async () => {
  const { id } = (await ask(source.base, 'GET', '/api/dcim/sites/?slug=first')).json.results[0]
  const form = new FormData()
  form.set('object_type', 'dcim.site')
  form.set('object_id', String(id))
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  form.set('image', new Blob([png]), 'dot.png')
  const headers = { authorization: `Token ${AdminToken}` }
  const made = await fetch(`${source.base}/api/extras/image-attachments/`, { method: 'POST', headers, body: form })
  assert.equal(made.status, 201, await made.clone().text())
  const path = new URL(((await made.json()) as { image: string }).image).pathname
  const token = (await run(['token', 'add', 'admin', '--data', a], { env })).stdout
  const secret = /nbt_\S+/.exec(token)![0]

  const shown = await until(
    () => get(follower, path),
    ({ status }) => status === 200,
  )
  assert.deepEqual(Buffer.from(await shown.arrayBuffer()), png)
  await until(
    () => ask(follower.base, 'GET', '/api/dcim/sites/', undefined, `Bearer ${secret}`),
    ({ status }) => status === 200,
  )
  const answer = await get(follower, '/api/dcim/sites/')
  assert.match(answer.headers.get('cabinet-age')!, /^\d+$/)
  const ready = await fetch(`${follower.base}/readyz`)
  assert.equal(ready.status, 200)
  const told = (await ready.json()) as { role: string; age: number }
  assert.equal(told.role, 'follower')
  assert.ok(Number.isInteger(told.age))
  const metrics = await (await get(follower, '/metrics')).text()
  assert.match(metrics, /^cabinet_follower_age_seconds \d/m)
  assert.match(metrics, /^cabinet_follower_copies_total [1-9]/m)
  assert.match(await (await get(source, '/metrics')).text(), /^cabinet_replica_running 1$/m)
  const page = await get(follower, '/graphql/', { accept: 'text/html' })
  assert.ok(page.status < 400)
  const query = await fetch(`${follower.base}/graphql/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ site_list { name } }' }),
  })
  assert.deepEqual(await query.json(), { data: { site_list: [{ name: 'First' }] } })
})

test('a follower answers questions in SQL itself', { skip }, async () => {
  const answer = await fetch(`${follower.base}/api/query/`, {
    method: 'POST',
    headers: { authorization: `Token ${AdminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: 'select name from sites' }),
  })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('cabinet-age')!, /^\d+$/) // which an answer of the source has not
  assert.match(await answer.text(), /First/)
})

test('a follower shows pages, logs people in and looks back, and says how old what it shows is', { skip }, async () => {
  const line = new RegExp(`Follows <a href="${source.base}/"[^>]*>${source.base}/</a>, as it was \\d+ seconds? ago`)
  const login = await fetch(`${follower.base}/login/`)
  const form = await login.text()
  assert.match(form, line)
  const cookiesOf = (reply: Response) => reply.headers.getSetCookie().map((each) => each.split(';')[0]!)
  const csrf = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(form)![1]!
  const entered = await fetch(`${follower.base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookiesOf(login).join('; '),
      origin: follower.base,
    },
    body: new URLSearchParams({
      csrfmiddlewaretoken: csrf,
      username: 'admin',
      password: admin.CABINET_SUPERUSER_PASSWORD,
    }),
  })
  assert.equal(entered.status, 302, (await entered.text()).slice(0, 300))
  const cookie = [...cookiesOf(login), ...cookiesOf(entered)].join('; ')
  const page = (path: string, cookies = cookie) =>
    fetch(follower.base + path, { headers: { cookie: cookies, accept: 'text/html' }, redirect: 'manual' })
  assert.equal((await page('/dcim/sites/')).status, 200, 'whoever logged in reads at the source until it is here')
  const own = cookie.replace(/cabinet_wrote=\d+;? ?/, '')
  const sites = await until(
    () => page('/dcim/sites/', own),
    ({ status }) => status === 200,
  )
  const text = await sites.text()
  assert.match(text, line)
  assert.match(text, /First/)
  const reports = await (await page('/extras/reports/', own)).text()
  const report = /href="(\/extras\/reports\/\d+\/)"/.exec(reports)![1]!
  const shown = await page(report, own)
  assert.equal(shown.status, 200)
  assert.match(await shown.text(), line)
  const past = await page('/dcim/sites/?at=-1s', own)
  assert.equal(past.status, 200, (await past.clone().text()).slice(0, 500))
  const form2 = await page('/dcim/sites/add/', own)
  assert.equal(form2.status, 200)
})

test('nothing is restored into the folder of a follower', { skip }, async () => {
  const file = join(folder, 'any.backup')
  writeFileSync(file, 'x')
  const { code, stderr } = await run(['restore', file, '--force', '--data', b], { env })
  assert.equal(code, 1)
  assert.match(stderr, /^[^\n]* follows [^\n]*: restore into the folder of its source, or run cabinet promote first\n$/)
})

test('writes go to the source, and who wrote sees it at once', { skip }, async () => {
  const made = await fetch(`${follower.base}/api/dcim/sites/`, {
    method: 'POST',
    headers: { authorization: `Token ${AdminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Handed over', slug: 'handed' }),
  })
  assert.equal(made.status, 201)
  assert.equal(await countOf(source, 'slug=handed'), 1)
  const cookie = made.headers.getSetCookie().map((each) => each.split(';')[0]!)
  const mine = await get(follower, '/api/dcim/sites/?slug=handed', { cookie: cookie.join('; ') })
  assert.equal(((await mine.json()) as { count: number }).count, 1)
  await until(
    () => countOf(follower, 'slug=handed'),
    (count) => count === 1,
  )
})

test('a follower never shows a part of a transaction', { skip }, async () => {
  const sites = Array.from({ length: 20 }, (_, i) => ({ name: `Pair ${i}`, slug: `pair-${i}` }))
  const ids = (await ask(source.base, 'POST', '/api/dcim/sites/', sites)).json.map(({ id }: { id: number }) => id)
  let isOver = false
  const writing = (async () => {
    for (let i = 0; !isOver && i < 5000; i++)
      await ask(
        source.base,
        'PATCH',
        '/api/dcim/sites/',
        ids.map((id: number) => ({ id, description: `Round ${i}` })),
      )
  })()
  const seen = new Set<string>()
  for (let i = 0; i < 4000 && seen.size < 3; i++) {
    const { json } = await ask(follower.base, 'GET', '/api/dcim/sites/?slug__isw=pair-')
    const rounds = new Set<string>(json.results.map(({ description }: { description: string }) => description))
    assert.ok(rounds.size <= 1 && [0, 20].includes(json.count), [...rounds].join())
    for (const round of rounds) seen.add(round)
    await setTimeout(5)
  }
  isOver = true
  await writing
  assert.ok(seen.size >= 3, `only ${[...seen].join()}`)
})

test('without a source a write is answered 503 that says where to write', { skip }, async () => {
  await follower.end('SIGTERM')
  const role = JSON.parse(readFileSync(join(b, 'replication.json'), 'utf8'))
  writeFileSync(join(b, 'replication.json'), JSON.stringify({ ...role, source: 'http://127.0.0.1:1' }))
  follower = await start(b, { env })
  const { status, json } = await ask(follower.base, 'POST', '/api/dcim/sites/', { name: 'No', slug: 'no' })
  assert.equal(status, 503)
  assert.match(json.detail, /takes no changes\. Write to http:\/\/127\.0\.0\.1:1\/.*cannot be reached/)
  for (const args of [['user', 'list'], ['check'], ['replicate', '--to', place]]) {
    const refused = await run([...args, '--data', b], { env })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /follows/)
  }
})

test('the source is killed under writes: the follower takes over, and has what it says', { skip }, async () => {
  const early = await run(['promote', '--data', b], { env })
  assert.match(early.stderr, /another Cabinet server is using/)
  await follower.end('SIGTERM')
  const alive = await run(['promote', '--data', b], { env })
  assert.equal(alive.code, 1)
  assert.match(alive.stderr, /the source lives/)

  /** Writes that were acknowledged, and when. */
  const acknowledged: { id: number; at: number }[] = []
  const writer = (async () => {
    for (let i = 0; i < 100_000; i++) {
      const made = await ask(source.base, 'POST', '/api/dcim/sites/', { name: `W${i}`, slug: `w-${i}` }).catch(
        () => null,
      )
      if (!made) return
      acknowledged.push({ id: made.json.id, at: Date.now() })
    }
  })()
  /** When the one of two parts that came last was last copied: rows and signs of life come apart. */
  const copied = () =>
    Math.min(
      ...['epoch-1/main', 'epoch-1/pulse'].map((part) => {
        const names = readdirSync(join(place, part), { recursive: true, encoding: 'utf8' })
        return Math.max(
          ...names.map((name) => statSync(join(place, part, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
        )
      }),
    )
  await setTimeout(8000)
  await until(copied, (at) => at > acknowledged[0]!.at + 5000)
  for (const pid of copiers(a)) process.kill(pid, 'SIGKILL') // the whole machine is gone, not the server alone
  await source.end('SIGKILL')
  await writer
  assert.deepEqual(copiers(a), [])

  const promoted = await run(['promote', '--data', b], { env })
  assert.equal(promoted.code, 0, promoted.stderr)
  const upTo = Date.parse(/all that the source had committed by (\S+?Z);/.exec(promoted.stdout)![1]!)
  follower = await start(b, { env })
  const there = new Set<number>()
  for (let offset = 0, more = true; more; offset += 1000) {
    const { json } = await ask(
      follower.base,
      'GET',
      `/api/dcim/sites/?brief=1&limit=1000&offset=${offset}&slug__isw=w-`,
    )
    for (const { id } of json.results) there.add(id)
    more = json.next !== null
  }
  const due = acknowledged.filter(({ at }) => at <= upTo)
  assert.ok(due.length > 0, `${acknowledged.length} were acknowledged, none by ${new Date(upTo).toISOString()}`)
  assert.deepEqual(
    due.filter(({ id }) => !there.has(id)),
    [],
  )
  assert.equal((await ask(follower.base, 'POST', '/api/dcim/sites/', { name: 'After', slug: 'after' })).status, 201)
  assert.equal((await run(['check', '--data', b], { env })).code, 0)
})

test('the old source is refused until it follows', { skip }, async () => {
  const back = await run(['serve', '--data', a, '--listen', '127.0.0.1:0'], { env })
  assert.equal(back.code, 1)
  assert.match(back.stderr, /another server has taken over .*epoch 2/)
  const own = await run(['serve', '--data', a, '--follow', place], { env })
  assert.equal(own.code, 1)
  assert.match(own.stderr, /--set-aside/)
  const again = await start(a, { env, args: ['--follow', place, '--set-aside'] })
  assert.match(again.stderr(), /the data that were here lie in/)
  assert.ok(readdirSync(a).some((name) => name.startsWith('aside-') && existsSync(join(a, name, 'cabinet.db'))))
  await until(
    () => countOf(again, 'slug=after'),
    (count) => count === 1,
  )
  await again.end('SIGTERM')
  await follower.end('SIGTERM')
  assert.deepEqual([...copiers(a), ...copiers(b)], [])
})

test('a source that runs on notices that another took over, and writes no more', { skip }, async () => {
  const [c, elsewhere] = [join(folder, 'c'), join(folder, 'elsewhere')]
  let server = await start(c, { env })
  await server.end('SIGTERM')
  assert.equal((await run(['replicate', '--to', elsewhere, '--data', c], { env })).code, 0)
  server = await start(c, { env })
  // The folder is there before what is copied into it.
  const pulse = join(elsewhere, 'epoch-1/pulse')
  await until(
    async () => existsSync(pulse) && readdirSync(pulse, { recursive: true }).some((name) => /\.ltx$/.test(`${name}`)),
    (isThere) => isThere,
  )
  spawnSync('cp', ['-r', join(elsewhere, 'epoch-1'), join(elsewhere, 'epoch-2')])
  const refused = await until(
    () => ask(server.base, 'POST', '/api/dcim/regions/', [{ name: 'R', slug: `r-${Date.now()}` }]),
    ({ status }) => status === 503,
  )
  assert.match(refused.json.detail, /another server has taken over/)
  assert.equal((await fetch(`${server.base}/readyz`)).status, 503)
  assert.equal((await ask(server.base, 'GET', '/api/dcim/regions/')).status, 200)
  await server.end('SIGTERM')
})

test('without Litestream the source serves, and says that it is not copied', async () => {
  const [d, nowhere] = [join(folder, 'd'), join(folder, 'nowhere')]
  const none = { ...admin, CABINET_LITESTREAM: join(folder, 'no-such-program'), CABINET_LOG_LEVEL: 'warning' }
  let server = await start(d, { env: none })
  await server.end('SIGTERM')
  assert.equal((await run(['replicate', '--to', nowhere, '--data', d], { env: none })).code, 0)
  server = await start(d, { env: none })
  await until(
    async () => server.stdout(),
    (said) => /there is no program/.test(said),
  )
  assert.equal((await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Alone', slug: 'alone' })).status, 201)
  await server.end('SIGTERM')
  mkdirSync(join(nowhere, 'epoch-1/pulse'), { recursive: true })
  const { code, stderr } = await run(['serve', '--follow', nowhere, '--data', join(folder, 'e')], { env: none })
  assert.equal(code, 1)
  assert.match(stderr, /there is nothing to follow: there is no program/)
  rmSync(nowhere, { recursive: true })
})
