import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { AdminToken, launch } from '../support/launch.ts'
import { Random, seedOf } from '../support/random.ts'
import { until } from '../support/until.ts'

/** CABINET_TEST_SEED repeats a draw; CABINET_TEST_SECONDS makes the run longer. */
const seed = seedOf()
const random = new Random(seed)
const seconds = Number(process.env.CABINET_TEST_SECONDS) || 4

/** Threads of the application that run. */
const threads = new Set<Worker>()
process.on('worker', (worker) => {
  worker.on('message', (said) => 'ready' in said && threads.add(worker))
  worker.on('exit', () => threads.delete(worker))
})
const { base, call, close } = await launch({ workers: 2 }, { count: 2, alone: false, sharesAll: true })
after(close)

/** A request over a connection of its own; undefined where that was cut off. */
const isDone = (status: number) => (reply: { status: number }) => reply.status === status

/** Milliseconds more that it may take until what is asked of the answers can be judged. */
const Patience = 60_000

async function ask(method: string, path: string, agent: Agent, body?: unknown) {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = { authorization: `Token ${AdminToken}`, 'content-type': 'application/json' }
  return new Promise<{ status: number; json: any } | undefined>((resolve) => {
    request(base + path, {
      agent,
      method,
      headers: sent === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(sent) },
    })
      .on('error', () => resolve(undefined))
      .on('response', (message) => {
        text(message).then(
          (answer) => resolve({ status: message.statusCode!, json: answer === '' ? undefined : JSON.parse(answer) }),
          () => resolve(undefined),
        )
      })
      .end(sent)
  })
}

test(`what was answered is kept, whichever threads are killed meanwhile (seed ${seed})`, async (t) => {
  const end = performance.now() + seconds * 1000
  const made = new Set<string>()
  const refused = new Set<string>()
  const told: Record<string, number> = {}
  // On a machine with much else to do it takes longer until some are answered between two that are ended.
  const goesOn = () => {
    const over = performance.now() - end
    return over < 0 || (over < Patience && (made.size === 0 || refused.size === 0))
  }
  const count = (what: string) => (told[what] = (told[what] ?? 0) + 1)
  const writers = Array.from({ length: 6 }, async (_, n) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let i = 0; goesOn(); i++) {
      const names = [`w${n}-${i}-a`, `w${n}-${i}-b`]
      const isWrong = i % 3 === 0
      const body = names.map((name, k) => ({ name, slug: isWrong && k ? 'no slug!' : name, comments: 'x'.repeat(50) }))
      const reply = await ask('POST', '/api/dcim/sites/', agent, body)
      count(`write ${reply?.status}`)
      if (reply?.status === 201) for (const name of names) made.add(name)
      else if (reply?.status === 400) for (const name of names) refused.add(name)
      else assert.ok(reply === undefined || reply.status === 503, JSON.stringify(reply))
      if (reply?.status === 201) {
        const seen = await ask('GET', `/api/dcim/sites/?name=${names[1]}&fields=name`, agent)
        count(`read ${seen?.status}`)
        if (seen?.status === 200) assert.equal(seen.json.count, 1, `${names[1]} is seen at once`)
        else assert.ok(seen === undefined || seen.status === 503, JSON.stringify(seen))
      }
    }
    agent.destroy()
  })
  const killer = (async () => {
    while (goesOn()) {
      const isLate = performance.now() > end
      await setTimeout((isLate ? 2000 : 50) + random.below(250))
      const all = [...threads]
      if (all.length === 0) continue
      count('killed')
      void random.pick(all).terminate()
    }
  })()
  await Promise.all([...writers, killer])
  t.diagnostic(JSON.stringify(told))
  const names = new Set<string>()
  for (let offset = 0; ; offset += 1000) {
    const page = `/api/dcim/sites/?limit=1000&offset=${offset}&fields=name`
    const { json } = await until(() => call('GET', page), isDone(200)) // the last thread may end just now
    for (const { name } of json.results) names.add(name)
    if (!json.next) break
  }
  assert.deepEqual(
    [...made].filter((name) => !names.has(name)),
    [],
    'nothing that was answered is lost',
  )
  assert.deepEqual(
    [...refused].filter((name) => names.has(name)),
    [],
    'nothing that was refused is kept',
  )
  for (const name of names) assert.ok(names.has(name.replace(/.$/, name.endsWith('a') ? 'b' : 'a')), `${name}: whole`)
  assert.ok(made.size > 0 && refused.size > 0)
  let tries = 0
  await until(() => call('POST', '/api/dcim/sites/', { name: `Last ${++tries}`, slug: `last-${tries}` }), isDone(201))
})
