import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { after, test } from 'node:test'
import { launch } from '../support/launch.ts'
import { AdminToken, creating, serve } from '../support/server.ts'

const client = await serve()
const { call, base } = client
const create = creating(client)
const Stream = '/api/core/object-changes/stream/'
const open: (() => void)[] = []
after(() => {
  for (const close of open) close()
})

interface Heard {
  status: number
  events: { id: number; event: string; data: any }[]
  /** Resolves when so many events were heard. */
  until: (count: number) => Promise<void>
  close: () => void
  ended: Promise<void>
}

/** Listens to the stream as a browser's EventSource does. */
function listen(query = '', headers: Record<string, string> = {}, at = base): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request(`${at}${Stream}${query}`, {
      headers: { authorization: `Token ${AdminToken}`, accept: 'text/event-stream', ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const events: Heard['events'] = []
      let [text, last] = ['', '']
      let tell = () => {}
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        const hasEnd = (last + piece).includes('\n\n') // to look through all of a large event at each piece takes long
        last = piece.slice(-1)
        if (!hasEnd) return
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = new Map(
            text
              .slice(0, end)
              .split('\n')
              .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
          )
          text = text.slice(end + 2)
          if (lines.has('data'))
            events.push({
              id: Number(lines.get('id')),
              event: lines.get('event')!,
              data: JSON.parse(lines.get('data')!),
            })
        }
        tell()
      })
      const close = () => sent.destroy()
      open.push(close)
      resolve({
        status: answer.statusCode!,
        events,
        until: (count) =>
          new Promise((done) => {
            tell = () => events.length >= count && done()
            tell()
          }),
        close,
        ended: new Promise((done) => answer.on('close', done)),
      })
    })
    sent.end()
  })
}

/** A listener that reads nothing until its answer is resumed. */
const pausing = () =>
  new Promise<{ answer: IncomingMessage; ended: Promise<void>; close: () => void }>((resolve) => {
    const sent = request(`${base}${Stream}`, { headers: { authorization: `Token ${AdminToken}` } }, (answer) => {
      answer.pause()
      answer.on('error', () => {})
      const close = () => sent.destroy()
      open.push(close)
      resolve({ answer, ended: new Promise((done) => answer.on('close', done)), close })
    })
    sent.on('error', () => {})
    sent.end()
  })

let n = 0
const site = (more: object = {}) => create('dcim/sites', { name: `S${++n}`, slug: `s${n}`, ...more })

test('listeners hear of changes as they are made, each of what it asked for', async () => {
  const [all, sites, again] = [
    await listen(),
    await listen('?changed_object_type=dcim.site&action=update'),
    await listen(),
  ]
  const made = await site()
  await call('PATCH', `/api/dcim/sites/${made.id}/`, { description: 'x' })
  await create('dcim/regions', { name: 'R', slug: 'r' })
  await Promise.all([all.until(3), sites.until(1), again.until(3)])
  assert.deepEqual(
    all.events.map(({ data }) => [data.action.value, data.changed_object_type]),
    [
      ['create', 'dcim.site'],
      ['update', 'dcim.site'],
      ['create', 'dcim.region'],
    ],
  )
  assert.deepEqual(all.events, again.events)
  assert.deepEqual(
    sites.events.map(({ id }) => id),
    [all.events[1]!.id],
  )
  const shown = (await call('GET', `/api/core/object-changes/${all.events[1]!.id}/`)).json
  assert.deepEqual(all.events[1]!.data, shown)
  for (const each of [all, sites, again]) each.close()
})

test('who comes back hears of all that was missed, and of nothing twice', async () => {
  const first = await listen()
  await site()
  await first.until(1)
  first.close()
  const seen = first.events[0]!.id
  await call(
    'POST',
    '/api/dcim/sites/',
    Array.from({ length: 1200 }, () => ({ name: `S${++n}`, slug: `s${n}` })),
  )
  const second = await listen('', { 'last-event-id': String(seen) })
  await site()
  await second.until(1201)
  const third = await listen(`?last_event_id=${second.events.at(-2)!.id}`)
  await third.until(1)
  assert.deepEqual(
    second.events.map(({ id }) => id),
    Array.from({ length: 1201 }, (_, i) => seen + 1 + i),
  )
  assert.equal(third.events[0]!.id, second.events.at(-1)!.id)
})

test('what one may not view is not told; filters and ids that are none are refused', async () => {
  const user = (await call('POST', '/api/users/users/', { username: 'few', password: 'Cabinet-Test-Passw0rd' })).json
  const key = (await call('POST', '/api/users/tokens/', { user: user.id, version: 1 })).json
  const headers = { authorization: `Token ${key.token ?? key.key}` }
  assert.equal((await listen('', headers)).status, 403)
  await create('users/permissions', {
    name: 'sites',
    actions: ['view'],
    object_types: ['core.objectchange'],
    users: [user.id],
    constraints: { action: 'update' },
  })
  const few = await listen('', headers)
  assert.equal(few.status, 200)
  const made = await site()
  await call('PATCH', `/api/dcim/sites/${made.id}/`, { description: 'y' })
  await few.until(1)
  assert.deepEqual(
    few.events.map(({ data }) => data.action.value),
    ['update'],
  )
  assert.equal((await listen('', { 'last-event-id': 'x' })).status, 400)
  assert.equal((await listen('?nothing=1')).status, (await call('GET', '/api/core/object-changes/?nothing=1')).status)
  assert.equal((await listen('?action=nonsense')).status, 400)
  assert.equal((await call('POST', Stream, {})).status, 405)
  assert.equal((await listen('', { authorization: 'Token wrong' })).status, 403)
})

test('many who see the same or not hear of each change once and in order, whoever joins meanwhile', async () => {
  const mine = await create('users/permissions', {
    name: 'own changes',
    actions: ['view', 'add', 'change'],
    object_types: ['core.objectchange', 'dcim.site'],
    constraints: { user: '$user' },
  })
  await call('PATCH', `/api/users/permissions/${mine.id}/`, { object_types: ['core.objectchange'] })
  const sites = await create('users/permissions', {
    name: 'sites',
    actions: ['view', 'add'],
    object_types: ['dcim.site'],
  })
  const people: Record<string, string>[] = []
  for (const username of ['one', 'two']) {
    const user = await create('users/users', { username, password: 'Cabinet-Test-Passw0rd' })
    await call('PATCH', `/api/users/users/${user.id}/`, { permissions: [mine.id, sites.id] })
    const key = await create('users/tokens', { user: user.id, version: 1 })
    people.push({ authorization: `Token ${key.token ?? key.key}` })
  }
  const [one, two] = await Promise.all(people.map((headers) => listen('', headers)))
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, i) => listen(i % 4 ? `?id__lt=${10 ** 9 + (i % 4)}` : '')),
  )
  const late: Heard[] = []
  for (let i = 0; i < 30; i++) {
    const headers = people[i % 3]
    const reply = await call('POST', '/api/dcim/sites/', { name: `M${i}`, slug: `m${i}` }, headers)
    assert.equal(reply.status, 201, reply.text)
    if (i % 10 === 5) late.push(await listen())
  }
  await Promise.all([one!.until(10), two!.until(10), ...all.map((each) => each.until(30))])
  const idsOf = ({ events }: Heard) => events.map(({ id }) => id)
  const told = idsOf(all[0]!)
  assert.deepEqual(
    told,
    told.map((_, i) => told[0]! + i),
  )
  for (const each of all) assert.deepEqual(idsOf(each), told)
  assert.deepEqual(
    idsOf(one!),
    told.filter((_, i) => i % 3 === 0),
  )
  assert.deepEqual(
    idsOf(two!),
    told.filter((_, i) => i % 3 === 1),
  )
  for (const [i, each] of late.entries()) {
    await each.until(24 - 10 * i)
    assert.deepEqual(idsOf(each), told.slice(6 + 10 * i))
  }
  for (const each of [one!, two!, ...all, ...late]) each.close()
})

test('who filters by something that goes is sent away, and the others hear of it', async () => {
  const user = await create('users/users', { username: 'leaving', password: 'Cabinet-Test-Passw0rd' })
  const [by, all] = [await listen(`?user_id=${user.id}`), await listen()]
  assert.equal(by.status, 200)
  assert.equal((await call('DELETE', `/api/users/users/${user.id}/`)).status, 204)
  await site()
  await Promise.all([all.until(1), by.ended])
  all.close()
})

test('a reader that does not read is dropped, and the others are not held up', async () => {
  const slow = await pausing()
  const quick = await listen()
  const comments = 'x'.repeat(100_000)
  // One after the other: each was told before the next is made.
  let made = 0
  for (const began = Date.now(); made < 150 || Date.now() - began < 5000; ) {
    await site({ comments })
    await quick.until(++made)
  }
  let bytes = 0
  slow.answer.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  slow.answer.resume()
  await slow.ended // what waited for it was not kept, and it may come back
  assert.ok(bytes < made * comments.length, `${bytes} bytes waited`)
})

test('a change that is larger than what may wait is heard, and so are many at once', async () => {
  const [all, sites] = [await listen(), await listen('?changed_object_type=dcim.site')]
  const made = await site({ comments: 'x'.repeat(2_000_000) })
  await call('PATCH', `/api/dcim/sites/${made.id}/`, { comments: 'y'.repeat(2_000_000) })
  const comments = 'x'.repeat(30_000)
  await call(
    'POST',
    '/api/dcim/sites/',
    Array.from({ length: 60 }, () => ({ name: `S${++n}`, slug: `s${n}`, comments })),
  )
  await Promise.all([all.until(62), sites.until(62)])
  const ids = all.events.map(({ id }) => id)
  assert.deepEqual(
    ids,
    ids.map((_, i) => ids[0]! + i),
  )
  assert.deepEqual(all.events, sites.events)
  assert.equal(all.events[1]!.data.postchange_data.comments.length, 2_000_000)
  const again = await listen('', { 'last-event-id': String(ids[0]! - 1) })
  await again.until(62)
  assert.deepEqual(again.events, all.events)
  for (const each of [all, sites, again]) each.close()
})

test('a reader that stops for a while hears of everything in the end', async () => {
  const slow = await pausing()
  const comments = 'x'.repeat(100_000)
  const wanted: number[] = []
  for (let i = 0; i < 90; i++) {
    const { id } = await site({ comments })
    wanted.push(id)
  }
  const heard: number[] = []
  let text = ''
  await new Promise<void>((done) => {
    slow.answer.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        if (data) heard.push(JSON.parse(data).changed_object_id)
        text = text.slice(end + 2)
      }
      if (heard.length === wanted.length) done()
    })
    void slow.ended.then(done)
    slow.answer.resume()
  })
  // It may have been dropped meanwhile: then it goes on where it was.
  assert.deepEqual(heard, wanted.slice(0, heard.length))
  slow.close()
})

test('what is changed while a reader takes a large change is heard too', async () => {
  /** What was told, and what a reader heard that stopped meanwhile; undefined where it stopped for too long. */
  const tried = async (): Promise<[told: number[], heard: number[]] | undefined> => {
    const slow = await pausing()
    const { id } = await site({ comments: 'x'.repeat(2_500_000) })
    for (const comments of [...'yzxy'].map((letter) => letter.repeat(2_500_000)).concat(''))
      assert.equal((await call('PATCH', `/api/dcim/sites/${id}/`, { comments })).status, 200)
    const made = `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${id}&ordering=id&fields=id`
    const told = (await call('GET', made)).json.results.map((each: { id: number }) => each.id)
    let text = ''
    const idsIn = () => [...text.matchAll(/^id: (\d+)\nevent: change$/gm)].map(([, each]) => Number(each))
    const isAll = await new Promise<boolean>((done) => {
      slow.answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        // Or it missed the rest.
        const isSeen = Number(/^: all is well\nid: (\d+)\n\n$/m.exec(piece)?.[1] ?? 0) >= told.at(-1)!
        if (piece.endsWith('\n\n') && (idsIn().length >= told.length || isSeen)) done(true)
      })
      void slow.ended.then(() => done(false))
      slow.answer.resume()
    })
    slow.close()
    return isAll ? [told, idsIn()] : undefined
  }
  let both = await tried()
  for (let i = 0; i < 10 && !both; i++) both = await tried() // a busy machine may take too long for who does not read
  const [told, heard] = both!
  assert.deepEqual(heard, told)
})

test('who hears of nothing at first knows from where to go on', async () => {
  const reply = await fetch(`${base}${Stream}`, { headers: { authorization: `Token ${AdminToken}` } })
  for (const [name, value] of [
    ['content-type', 'text/event-stream'],
    ['cache-control', 'no-store, no-transform'],
    ['x-accel-buffering', 'no'],
  ] as const)
    assert.equal(reply.headers.get(name), value)
  const reader = reply.body!.getReader()
  const begin = new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()
  const [, id] = /^id: (\d+)\n\n/m.exec(begin)!
  const made = await site()
  const again = await listen('', { 'last-event-id': id! })
  await again.until(1)
  assert.equal(again.events[0]!.data.changed_object_id, made.id)
  again.close()
})

test('who may not listen any more hears of nothing more, at once', async () => {
  const permission = await create('users/permissions', {
    name: 'changes of sites',
    actions: ['view'],
    object_types: ['core.objectchange'],
  })
  const user = await create('users/users', { username: 'until', password: 'Cabinet-Test-Passw0rd' })
  const path = `/api/users/users/${user.id}/`
  const key = () => create('users/tokens', { user: user.id, version: 1 })
  const [one, two] = [await key(), await key()]
  await call('PATCH', path, { permissions: [permission.id] })
  const hear = ({ token, key: text }: any) => listen('', { authorization: `Token ${token ?? text}` })
  const [first, second] = [await hear(one), await hear(two)]
  await site()
  await Promise.all([first.until(1), second.until(1)])
  await call('PATCH', `/api/users/permissions/${permission.id}/`, { constraints: { action: 'delete' } })
  const made = await site()
  await call('DELETE', `/api/dcim/sites/${made.id}/`)
  await Promise.all([first.until(2), second.until(2)])
  for (const { events } of [first, second])
    assert.deepEqual(
      events.map(({ data }) => data.action.value),
      ['create', 'delete'],
    )
  await call('DELETE', `/api/users/tokens/${one.id}/`)
  await site()
  await first.ended
  await call('PATCH', path, { permissions: [] })
  await site()
  await second.ended
  assert.equal(first.events.length + second.events.length, 4)
})

test('the end of the server ends the streams', async () => {
  const other = await launch()
  const last = await listen('', {}, other.base)
  await other.close()
  await last.ended
})
