import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ask, type Server, scratch, start } from '../support/cli.ts'
import { Random, seedOf } from '../support/random.ts'
import { AdminToken } from '../support/server.ts'

/** CABINET_TEST_SEED repeats what is drawn. */
const seed = seedOf()
const random = new Random(seed)

let server: Server

interface Change {
  id: number
  changed_object_id: number
  action: { value: string }
}

/** Hears the stream as a browser does: comes back where it was whenever that ends. */
function listening(authorization: string) {
  const heard: Change[] = []
  const ending = new AbortController()
  let last = ''
  let comings = 0
  void (async () => {
    while (!ending.signal.aborted) {
      try {
        const reply = await fetch(`${server.base}/api/core/object-changes/stream/`, {
          headers: { authorization, ...(last ? { 'last-event-id': last } : {}) },
          signal: ending.signal,
        })
        assert.equal(reply.status, 200)
        comings++
        let text = ''
        for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
          text += piece
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const block = text.slice(0, end)
            text = text.slice(end + 2)
            last = /^id: (\d+)$/m.exec(block)?.[1] ?? last
            const data = /^data: (.*)$/m.exec(block)?.[1]
            if (data) heard.push(JSON.parse(data))
          }
        }
      } catch {
        await wait(20)
      }
    }
  })()
  after(() => ending.abort())
  return { heard, comings: () => comings, stop: () => ending.abort() }
}

test(`listeners hear each change once, in order, if allowed, however the server is killed (seed ${seed})`, async () => {
  const data = scratch()
  server = await start(data)
  const make = async (path: string, body: object) => {
    const { status, json } = await ask(server.base, 'POST', `/api/${path}/`, body)
    assert.equal(status, 201, JSON.stringify(json))
    return json
  }
  const permission = await make('users/permissions', {
    name: 'changes that are updates',
    actions: ['view'],
    object_types: ['core.objectchange'],
    constraints: { action: 'update' },
  })
  const user = await make('users/users', {
    username: 'few',
    password: 'Cabinet-Test-Passw0rd',
    permissions: [permission.id],
  })
  const key = await make('users/tokens', { user: user.id, version: 1 })
  const [all, few] = [listening(`Token ${AdminToken}`), listening(`Token ${key.token ?? key.key}`)]
  while (all.comings() === 0 || few.comings() === 0) await wait(5)
  /** What was answered: objects by what was done to them. */
  const acknowledged: string[] = []
  let isOver = false
  const writers = [1, 2, 3].map(async (writer) => {
    for (let i = 0; !isOver; i++) {
      try {
        const name = `${writer}-${i}`
        const body = random.chance(0.2)
          ? Array.from({ length: 5 }, (_, n) => ({ name: `${name}-${n}`, slug: `s${name}-${n}` }))
          : [{ name, slug: `s${name}` }]
        const made = await ask(server.base, 'POST', '/api/dcim/sites/', body)
        if (made.status !== 201) continue
        for (const { id } of made.json) acknowledged.push(`create ${id}`)
        const { id } = made.json[0]
        const changed = await ask(server.base, 'PATCH', `/api/dcim/sites/${id}/`, { description: 'changed' })
        if (changed.status === 200) acknowledged.push(`update ${id}`)
      } catch {
        await wait(20) // nobody serves just now
      }
    }
  })
  for (let kills = 0; kills < 4; kills++) {
    const [before, comings] = [acknowledged.length, all.comings()]
    while (acknowledged.length < before + 6) await wait(2)
    await wait(random.below(60))
    await server.end('SIGKILL')
    server = await start(data)
    while (all.comings() === comings) await wait(2)
  }
  isOver = true
  await Promise.all(writers)
  const logged = (await ask(server.base, 'GET', `/api/core/object-changes/?limit=0&ordering=id`)).json
    .results as Change[]
  const updates = logged.filter(({ action }) => action.value === 'update')
  const idsOf = (changes: readonly Change[]) => changes.map(({ id }) => id)
  for (const until = Date.now() + 20_000; Date.now() < until; await wait(20))
    if (all.heard.length >= logged.length && few.heard.length >= updates.length) break
  await wait(50)
  for (const each of [all, few]) each.stop()
  assert.deepEqual(idsOf(all.heard), idsOf(logged))
  assert.deepEqual(idsOf(few.heard), idsOf(updates))
  const told = new Set(all.heard.map(({ action, changed_object_id: id }) => `${action.value} ${id}`))
  assert.deepEqual(
    acknowledged.filter((each) => !told.has(each)),
    [],
  )
})
