import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchingOf } from '../../src/http/watching.ts'
import { Disk, serveOn } from '../support/disk.ts'
import { AdminToken, creating } from '../support/server.ts'
import { until } from '../support/until.ts'

// A stream begins once the disk has what was committed before. Nobody else listens to this server.
const disk = new Disk()
const client = await serveOn(disk.wait)
const { commit, db } = client.running.store
const create = creating(client)
const Stream = '/api/core/object-changes/stream/'

/** How often it was waited for all that is committed: by who begins to listen, and before listeners are told. */
let waits = 0
const synced = commit.synced.bind(commit)
commit.synced = () => {
  waits++
  return synced()
}

/** The streams that were begun, as the server has them. */
const streams: ServerResponse[] = []
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  if (request.url === Stream) streams.push(response)
})

let n = 0
const insert = () => {
  const name = `Site ${++n}`
  return commit.run(() => db.run("insert into dcim_site (name, name_sort, slug) values (?, x'00', ?)", name, name))
}

interface Begun {
  sent: ClientRequest
  stream: ServerResponse
  status: Promise<number>
  /** Has the wait for the disk end. */
  end: () => Promise<unknown>
}

/** Begins a stream that waits for the disk. */
async function begin(key: string): Promise<Begun> {
  disk.isQuick = false
  const write = insert()
  await until(() => disk.waiting.length === 1)
  const [begun, before] = [streams.length, waits]
  const sent = request(`${client.base}${Stream}`, { headers: { authorization: `Token ${key}` } })
  const status = new Promise<number>((resolve) => sent.on('response', (answer) => resolve(answer.statusCode!)))
  sent.on('error', () => {}).end()
  await until(() => streams.length > begun && waits > before)
  const end = () => {
    disk.isQuick = true
    disk.done()
    return write
  }
  return { sent, stream: streams.at(-1)!, status, end }
}

test('who is gone before the disk has what a stream begins after is no listener', async () => {
  const gone = await begin(AdminToken)
  gone.sent.destroy()
  await until(() => gone.stream.destroyed)
  await gone.end()
  const before = waits
  await insert()
  await sleep(200)
  assert.equal(waits, before, 'nobody is to be told of it')
  const here = await begin(AdminToken)
  await here.end()
  assert.equal(await here.status, 200)
  const after = waits
  await insert()
  await until(() => waits > after)
  here.sent.destroy()
  await until(() => here.stream.destroyed)
})

test('who may not listen any more once the disk has what a stream begins after is refused', async () => {
  const permission = await create('users/permissions', {
    name: 'changes',
    actions: ['view'],
    object_types: ['core.objectchange'],
  })
  const user = await create('users/users', {
    username: 'few',
    password: 'Cabinet-Test-Passw0rd',
    permissions: [permission.id],
  })
  const token = await create('users/tokens', { user: user.id, version: 1 })
  const mayListen = `select 1 from users_token t join users_user_permissions p on p.from_id = t.user_id
    where t.id = ? and enabled`
  for (const [path, taken, given] of [
    [`users/users/${user.id}`, { permissions: [] }, { permissions: [permission.id] }],
    [`users/tokens/${token.id}`, { enabled: false }, { enabled: true }],
  ] as const) {
    const { status, end } = await begin(token.token ?? token.key)
    const write = client.call('PATCH', `/api/${path}/`, taken)
    await until(() => {
      commit.flush() // others would wait for the disk first
      return !db.get(mayListen, token.id)
    })
    await end()
    assert.equal(await status, 403, path)
    assert.equal((await write).status, 200)
    assert.equal((await client.call('PATCH', `/api/${path}/`, given)).status, 200)
  }
})

test('who waits for the disk when the server ends is no listener of it', async () => {
  const { status, end } = await begin(AdminToken)
  watchingOf(client.running.store).close()
  await end()
  assert.equal(await status, 503)
})
