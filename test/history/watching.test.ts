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
      let text = ''
      let tell = () => {}
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
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

test('a reader that does not read is dropped, and the others are not held up', async () => {
  const slow = await new Promise<{ answer: IncomingMessage; ended: Promise<void> }>((resolve) => {
    const sent = request(`${base}${Stream}`, { headers: { authorization: `Token ${AdminToken}` } }, (answer) => {
      answer.pause()
      resolve({ answer, ended: new Promise((done) => answer.on('close', done)) })
    })
    sent.on('error', () => {})
    sent.end()
  })
  slow.answer.on('error', () => {})
  const quick = await listen()
  const comments = 'x'.repeat(100_000)
  for (let i = 0; i < 150; i++) await site({ comments })
  await quick.until(150)
  let bytes = 0
  slow.answer.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  slow.answer.resume()
  await slow.ended // what waited for it was not kept, and it may come back
  assert.ok(bytes < 150 * comments.length, `${bytes} bytes waited`)
})

test('the end of the server ends the streams', async () => {
  const other = await launch()
  const last = await listen('', {}, other.base)
  await other.close()
  await last.ended
})
