import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { defaults } from '../../src/config.ts'
import { modelNamed } from '../../src/engine/catalog.ts'
import { makePast, momentOf } from '../../src/history/past.ts'
import { openAgain } from '../../src/store/open.ts'
import { admin, type Server, scratch, start } from '../support/cli.ts'
import { Doer } from '../support/history.ts'
import { contentOf, differences, modelsWithRows, stateOf } from '../support/states.ts'
import { problemsOf } from '../support/problems.ts'
import type { Client } from '../support/launch.ts'
import { Random, seedOf } from '../support/random.ts'
import { AdminToken } from '../support/server.ts'

/**
 * CABINET_TEST_SEED repeats what is drawn; CABINET_TEST_MINUTES makes the run longer, CABINET_TEST_WORKERS has threads.
 */
const seed = seedOf()
const random = new Random(seed)
const minutes = Number(process.env.CABINET_TEST_MINUTES ?? 0)
const env = { ...admin, CABINET_WORKERS: process.env.CABINET_TEST_WORKERS ?? '0' }
const headers = { authorization: `Token ${AdminToken}` }

let server: Server
/** A request; one that the end of the server cut off has the status 0. */
const call: Client['call'] = async (method, path, body, more = {}) => {
  const isForm = body instanceof FormData
  try {
    const reply = await fetch(server.base + path, {
      method,
      headers: { ...headers, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }), ...more },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json') && text !== ''
    return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
  } catch {
    return { status: 0, headers: new Headers(), text: '', json: undefined }
  }
}

/** Ids of the changes that a listener hears of, who comes back whenever the stream ends. */
function listening(): { heard: number[]; stop: () => Promise<void> } {
  const heard: number[] = []
  const ending = new AbortController()
  const work = (async () => {
    while (!ending.signal.aborted) {
      try {
        const last = heard.at(-1)
        const reply = await fetch(`${server.base}/api/core/object-changes/stream/`, {
          headers: { ...headers, accept: 'text/event-stream', 'last-event-id': String(last ?? 0) },
          signal: ending.signal,
        })
        let text = ''
        for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
          text += piece
          const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
          text = text.slice(whole.length)
          for (const [, id] of whole.matchAll(/^id: (\d+)\nevent: change$/gm)) heard.push(Number(id))
        }
      } catch {
        await wait(50)
      }
    }
  })()
  return {
    heard,
    stop: async () => {
      ending.abort()
      await work
    },
  }
}

test(`a server that is killed again and again keeps its whole history (seed ${seed})`, async (t) => {
  const data = scratch()
  server = await start(data, { env })
  const place = { file: join(data, 'cabinet.db'), uploads: join(data, 'uploads'), config: { ...defaults(), data } }
  const store = openAgain(place, { writes: false, threads: 1 })
  after(() => store.db.raw.close())
  const doer = new Doer({ call, running: { store } }, random)
  const ear = listening()
  const counts = { kills: 0, undone: 0, moments: 0, lists: 0 }
  await doer.begin()
  const end = Date.now() + minutes * 60_000
  do {
    for (let i = 0; i < 15; i++) await doer.one()
    const before = { step: doer.step, state: stateOf(store) }
    const file = join(data, `taken-${counts.moments}.db`)
    await wait(3)
    store.db.raw.prepare('vacuum into ?').run(file)
    const moment = new Date().toISOString()
    const lists = ['dcim.device', 'dcim.cable', 'dcim.interface', 'ipam.prefix', 'dcim.site', 'extras.tag'].map(
      (name) => `/api/${modelNamed(name).path}/?limit=20`,
    )
    const shown = await Promise.all(lists.map(async (path) => (await call('GET', path)).json))
    await wait(3)
    for (let kills = 1 + random.below(2); kills > 0; kills--) {
      for (let i = random.below(6); i > 0; i--) await doer.one()
      const work = doer.one()
      await wait(random.below(30))
      await server.end('SIGKILL')
      await work
      counts.kills++
      server = await start(data, { env })
    }
    const last = doer.requests(before.step).reverse()
    const writing = openAgain(place, { writes: true, threads: 1 })
    assert.deepEqual(problemsOf(writing), [], 'after the kill')
    const past = join(data, 'one-past.db')
    await makePast(place, momentOf(store.db, moment).step, past)
    assert.deepEqual(contentOf(past), contentOf(file))
    for (const [i, path] of lists.entries()) {
      const reply = await call('GET', `${path}&at=${moment}`)
      const links = /(?<=")http:\/\/127\.0\.0\.1:\d+|&at=[^"]*|(?<=\?)at=[^"&]*&/g
      const plain = (value: unknown) => JSON.stringify(value).replace(links, '')
      assert.equal(plain(reply.json), plain(shown[i]), `${path} at ${moment}: ${reply.status}`)
      counts.lists++
    }
    counts.moments++
    for (const request_id of random.chance(0.5) && last.length ? [last] : last) {
      const reply = await call('POST', '/api/core/object-changes/revert/', { request_id })
      assert.equal(reply.status, 200, reply.text)
      counts.undone += [request_id].flat().length
    }
    assert.deepEqual(differences(before.state, stateOf(store)).slice(0, 20), [])
    assert.deepEqual(problemsOf(writing), [], 'after the undo')
    writing.db.raw.close()
  } while (Date.now() < end)
  const all = store.db.all<{ id: number }>('select id from core_objectchange order by id').map(({ id }) => id)
  for (const until = Date.now() + 20_000; ear.heard.length < all.length && Date.now() < until; ) await wait(50)
  await ear.stop()
  assert.deepEqual(ear.heard, all, 'a listener hears of every change, once')
  t.diagnostic(
    `seed ${seed}: ${JSON.stringify(doer.counts)}, ${JSON.stringify(counts)}, ${all.length} changes heard, ` +
      `${modelsWithRows(store)} models`,
  )
})
