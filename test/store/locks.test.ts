import assert from 'node:assert/strict'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Authenticator } from '../../src/http/auth.ts'
import { openDatabase } from '../../src/lib/addons.ts'
import { defaults } from '../../src/config.ts'
import { run } from '../support/cli.ts'
import { AdminToken, serve } from '../support/server.ts'

/** Another process, as far as SQLite's locks go. */
const { call, running, data } = await serve()
const other = openDatabase(join(data, 'cabinet.db'), { timeout: 0 })
const post = (slug: string) => call('POST', '/api/dcim/sites/', { name: slug, slug })

test('while another process holds the lock reads go on, and writes wait their turn', async () => {
  other.exec('begin immediate')
  const order: string[] = []
  const writes = ['one', 'two'].map((slug) =>
    post(slug).then((reply) => {
      order.push(slug)
      return reply.status
    }),
  )
  for (let i = 0; i < 20; i++) assert.equal((await call('GET', '/api/dcim/sites/')).json.count, 0)
  assert.deepEqual(order, [])
  other.exec('commit')
  assert.deepEqual(await Promise.all(writes), [201, 201])
  assert.equal((await call('GET', '/api/dcim/sites/')).json.count, 2)
})

test('a lock that stays: 503 that says when to try again, and nothing is written', async () => {
  running.store.commit.maxWait = 100
  other.exec('begin immediate')
  const reply = await post('late')
  other.exec('commit')
  running.store.commit.maxWait = 5000
  assert.equal(reply.status, 503, reply.text)
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(reply.json.detail, /locked/)
  assert.equal((await call('GET', '/api/dcim/sites/?slug=late')).json.count, 0)
  assert.equal((await post('late')).status, 201)
})

test('what waited for a long write of this server waits for another process as long as others do', async () => {
  const { commit } = running.store
  commit.maxWait = 500
  commit.hold()
  const writing = post('behind')
  await setTimeout(700)
  other.exec('begin immediate')
  commit.release()
  await setTimeout(50)
  other.exec('commit')
  commit.maxWait = 5000
  assert.equal((await writing).status, 201)
})

test('a command beside the server leaves without holding writes up, though somebody reads for long', async () => {
  running.store.commit.maxWait = 1500
  await post('logged') // so that there is something to move into the database
  other.exec('begin')
  other.prepare('select count(*) from dcim_site').get()
  await post('more')
  let isOver = false
  const command = run(['token', 'list', '--data', data]).finally(() => {
    isOver = true
  })
  const seen: number[] = []
  for (let i = 0; i < 5000 && !isOver; i++) seen.push((await post(`beside-${i}`)).status)
  other.exec('commit')
  running.store.commit.maxWait = 5000
  assert.equal((await command).code, 0)
  assert.ok(seen.length > 0 && seen.every((status) => status === 201), [...new Set(seen)].join())
})

test('what a failed piece of work wrote is not remembered', async () => {
  const { commit, db, reader } = running.store
  const { modelNamed } = await import('../../src/engine/catalog.ts')
  const site = modelNamed('dcim.site')
  const { id } = (await post('kept')).json
  const shown = () => JSON.parse(reader.one(site, id, {}, '')!.toString()).facility
  assert.throws(() =>
    commit.now(() => {
      db.run('update dcim_site set facility = ? where id = ?', 'undone', id)
      assert.equal(shown(), 'undone')
      throw new Error('no')
    }),
  )
  assert.equal(shown(), '')
})

test('the use of a token is stored once a minute, and the token stays known', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  try {
    const authenticator = new Authenticator(running.store, defaults())
    const actor = () => authenticator.byHeader(`Token ${AdminToken}`, '127.0.0.1')
    const lastUsed = () =>
      running.store.db.get<{ at: string }>('select last_used as at from users_token where id = 1')!.at
    const first = actor()
    const stored = () => running.store.commit.run(() => undefined) // behind what was asked for before
    await stored()
    const looksUp = t.mock.method(running.store.db, 'get')
    const lookUps = () =>
      looksUp.mock.calls.filter(({ arguments: [sql] }) => /from users_token where version/.test(sql)).length
    const seen = new Set([lastUsed()])
    for (let minute = 0; minute < 3; minute++) {
      mock.timers.tick(61_000)
      assert.equal(actor(), first, 'the same remembered actor')
      await stored()
      seen.add(lastUsed())
    }
    actor()
    assert.deepEqual([seen.size, lookUps()], [4, 0])
    other.exec('begin immediate')
    mock.timers.tick(61_000)
    assert.equal(actor(), first, 'a lock keeps nobody out')
    other.exec('commit')
    mock.timers.tick(5000)
    actor()
    await stored()
    seen.add(lastUsed())
    assert.equal(seen.size, 5)
    running.store.db.run('update users_user set is_active = 0 where id = 1')
    assert.throws(actor, /inactive/i)
  } finally {
    running.store.db.run('update users_user set is_active = 1 where id = 1')
    mock.timers.reset()
  }
})
