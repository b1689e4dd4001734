import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/lib/addons.ts'
import { LogSync, NotSynced, Pace } from '../../src/store/log-sync.ts'
import { Disk, serveOn } from '../support/disk.ts'
import { Random, seedOf } from '../support/random.ts'
import { receive } from '../support/receiver.ts'
import { AdminToken, creating } from '../support/server.ts'
import { until } from '../support/until.ts'

// What was committed is told once it is on disk: here that takes as long as a test wants, fails, or loses its power.
const disk = new Disk()
const client = await serveOn(disk.wait)
const { call, running, base } = client
const { store } = running
const { commit, db } = store
const insert = (name: string) => () => {
  db.run("insert into dcim_site (name, name_sort, slug) values (?, x'00', ?)", name, name)
  return name
}
const isThere = (name: string): boolean => db.get('select 1 from dcim_site where name = ?', name) !== undefined

/** Notes when promises end. */
function watched<T>(promise: Promise<T>): { promise: Promise<T>; isOver: () => boolean } {
  let isOver = false
  const done = () => {
    isOver = true
  }
  promise.then(done, done)
  return { promise, isOver: () => isOver }
}
const pause = () => sleep(30)

test('a template that fails before the disk is done is told to who asked, and ends nothing else', async () => {
  const template = await creating(client)('extras/config-templates', { name: 'Fails', template_code: '{{ none.at }}' })
  const render = () => call('POST', `/api/extras/config-templates/${template.id}/render/`, {})
  await render() // the thread for it is up from now on
  const lost: unknown[] = []
  const note = (reason: unknown) => lost.push(reason)
  process.on('unhandledRejection', note)
  disk.isQuick = false
  const asked = render()
  await until(() => disk.waiting.length === 1)
  await sleep(300) // the template has failed by then
  disk.isQuick = true
  disk.done()
  const { status, text } = await asked
  process.off('unhandledRejection', note)
  assert.deepEqual([status, lost.map(String)], [400, []], text)
})

test('a write is answered once the disk has it, and seen before; who writes then shares the next wait', async () => {
  disk.isQuick = false
  const heard: string[] = []
  commit.onCommitted(() => heard.push('committed'))
  const first = watched(commit.run(insert('First')))
  await until(() => disk.waiting.length === 1)
  assert.ok(isThere('First'))
  const [second, third] = ['Second', 'Third'].map((name) => watched(commit.run(insert(name))))
  const settled = watched(commit.synced())
  await pause()
  assert.deepEqual(
    [first, second!, third!, settled].map(({ isOver }) => isOver()),
    [false, false, false, false],
  )
  assert.deepEqual(heard, [])
  assert.ok(!isThere('Second'), 'it waits for the one wait to end')
  disk.done()
  assert.equal(await first.promise, 'First')
  await settled.promise
  assert.equal(heard.length, 1)
  await until(() => disk.waiting.length === 1)
  assert.ok(isThere('Second') && isThere('Third'))
  await pause()
  assert.deepEqual([second!.isOver(), third!.isOver()], [false, false])
  disk.done()
  await Promise.all([second!.promise, third!.promise])
  assert.equal(disk.waiting.length, 0)
  await commit.synced() // there is nothing to wait for
})

test('what is committed while the disk is waited for is not covered by that wait', async () => {
  const first = watched(commit.run(insert('Before')))
  await until(() => disk.waiting.length === 1)
  const second = watched(commit.run(insert('Meanwhile')))
  commit.flush()
  assert.ok(isThere('Meanwhile'))
  disk.done()
  await first.promise
  await pause()
  assert.ok(!second.isOver())
  disk.done()
  await second.promise
})

test('a refused write of the same transaction takes nothing of the others along', async () => {
  const refused = commit.run(() => {
    throw new Error('refused')
  })
  const done = [watched(commit.run(insert('With'))), watched(refused)]
  await until(() => disk.waiting.length === 1)
  disk.done()
  const outcomes = await Promise.allSettled(done.map(({ promise }) => promise))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
})

test('streams and webhooks tell nothing that the disk has not', async () => {
  disk.isQuick = true
  const receiver = await receive()
  const make = creating(client)
  await make('extras/webhooks', { name: 'hook', payload_url: receiver.url }).then(({ id }) =>
    make('extras/event-rules', {
      name: 'rule',
      object_types: ['dcim.region'],
      event_types: ['object_created'],
      action_type: 'webhook',
      action_object_type: 'extras.webhook',
      action_object_id: id,
    }),
  )
  let text = ''
  const sent = request(`${base}/api/core/object-changes/stream/`, {
    headers: { authorization: `Token ${AdminToken}`, accept: 'text/event-stream' },
  })
  sent.on('response', (answer) => answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))).end()
  await until(() => text.includes('retry:'))
  const before = text
  disk.isQuick = false
  const reply = watched(call('POST', '/api/dcim/regions/', { name: 'Told', slug: 'told' }))
  await until(() => disk.waiting.length === 1)
  commit.heard() // as when another thread has committed something
  await sleep(300)
  assert.equal(text, before)
  assert.equal(receiver.received.length, 0)
  assert.ok(!reply.isOver())
  disk.done()
  assert.equal((await reply.promise).status, 201)
  await until(() => text.includes('"Told"') && disk.waiting.length === 1) // the job is about to run
  await pause()
  assert.equal(receiver.received.length, 0)
  disk.isQuick = true
  disk.done()
  await receiver.until(1)
  assert.equal(receiver.received[0]!.json.data.name, 'Told')
  sent.destroy()
})

test('a disk that fails: whoever waits hears it, nothing more is written, and all is read still', async () => {
  let isBroken = false
  const broken = await serveOn((_, done) =>
    setTimeout(() => done(isBroken ? Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }) : null), 20),
  )
  const post = (name: string) => broken.call('POST', '/api/dcim/sites/', { name, slug: name.toLowerCase() })
  assert.equal((await post('Kept')).status, 201)
  assert.equal((await broken.call('GET', '/readyz')).status, 200)
  isBroken = true
  const replies = await Promise.all([post('A'), post('B')])
  isBroken = false
  for (const { status, json } of replies) {
    assert.equal(status, 503)
    assert.match(json.detail, /^The disk did not take what was written \(EIO\).* until the server is started again\.$/)
  }
  const { commit, db } = broken.running.store
  const count = () => db.get<{ n: number }>('select count(*) as n from dcim_site')!.n
  const before = count()
  assert.equal((await post('C')).status, 503)
  await assert.rejects(
    commit.run(() => db.run('delete from dcim_site')),
    NotSynced,
  )
  assert.throws(() => commit.now(() => db.run('delete from dcim_site')), NotSynced)
  assert.equal(count(), before)
  assert.equal((await broken.call('GET', '/api/dcim/sites/?name=Kept')).json.count, 1)
  assert.equal((await broken.call('GET', '/readyz')).status, 503)
  assert.equal((await broken.call('GET', '/healthz')).status, 200)
})

test('a quick disk is waited for here, another elsewhere, with a look now and then whether it is quick by now', () => {
  const pace = new Pace()
  const elsewhere = () => {
    let waits = 0
    for (; !pace.isHere; waits++) pace.waitedElsewhere()
    return waits
  }
  for (let i = 0; i < 9; i++) {
    assert.equal(elsewhere(), 0)
    pace.waitedHere(0.1)
  }
  pace.waitedHere(4)
  for (let i = 0; i < 9; i++) {
    assert.equal(elsewhere(), 64)
    pace.waitedHere(2)
  }
  for (let i = 0; i < 9; i++) pace.waitedHere(0.1)
  assert.equal(elsewhere(), 0)
})

test('after a power cut at any moment all is there that was answered, and nothing is half there', async () => {
  const random = new Random(seedOf())
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-cut-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let log = Buffer.alloc(0)
  /** What is in the log when the wait begins is what it has when it ends; the rest may be there or not. */
  const cut = await serveOn((_, done) => {
    const covered = readFileSync(`${cut.running.store.db.raw.name}-wal`)
    setTimeout(() => {
      log = covered
      done(null)
    }, random.below(6))
  })
  const { store } = cut.running
  store.db.raw.pragma('wal_checkpoint(truncate)')
  store.db.raw.pragma('wal_autocheckpoint = 0') // SQLite syncs the log by itself before it copies what is there
  const answered = new Set<string>()
  let isOver = false
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      const slug = `s-${writer}-${i}`
      const { status } = await cut.call('POST', '/api/dcim/sites/', [
        { name: slug, slug },
        { name: `${slug}-b`, slug: `${slug}-b` },
      ])
      assert.equal(status, 201)
      answered.add(slug)
    }
  })
  let most = 0
  for (let round = 0; round < 12; round++) {
    await sleep(20 + random.below(60))
    const [expected, file] = [[...answered], join(folder, `${round}.db`)]
    copyFileSync(store.db.raw.name, file)
    writeFileSync(
      `${file}-wal`,
      random.chance(0.5)
        ? log
        : Buffer.concat([
            log,
            readFileSync(`${store.db.raw.name}-wal`).subarray(log.length, log.length + random.below(9000)),
          ]),
    )
    const after = openDatabase(file)
    const found = after.prepare('select name from dcim_site').pluck().all() as string[]
    for (const name of expected) for (const each of [name, `${name}-b`]) assert.ok(found.includes(each), each)
    assert.equal(found.length % 2, 0, 'both objects of a request or none')
    assert.equal(after.pragma('integrity_check', { simple: true }), 'ok')
    after.close()
    most = Math.max(most, expected.length)
  }
  isOver = true
  await Promise.all(writers)
  assert.ok(most > 10, `${most} requests`)
})

test('a quick disk is waited for at once, and elsewhere while others ask this thread for something', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-log-'))
  const file = join(folder, 'some.db')
  writeFileSync(`${file}-wal`, 'what was committed')
  const sync = new LogSync(file)
  let told = 0
  const wait = (isAsked: boolean) =>
    new Promise<void>((resolve) => {
      sync.noteCommit()
      sync.whenSynced(() => {
        told++
        resolve()
      }, isAsked)
    })
  const first = wait(false)
  assert.equal(told, 1)
  await first
  const second = wait(true)
  assert.equal(told, 1)
  await second
  assert.equal(told, 2)
  sync.close()
  rmSync(folder, { recursive: true })
})
