import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Params, ParamIndexMap, Result } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { createApp } from '../../src/server/app.ts'
import { KnownRoutes } from '../../src/server/known-routes.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

/** Routes are found as somebody finds them who remembers nothing. */
const { running } = await serve()
const { store } = running
const known = new KnownRoutes<unknown>()
const plain = new TrieRouter<unknown>()
for (const { method, path, handler } of createApp(store, store.config).routes)
  for (const router of [known, plain]) router.add(method, path, handler)

/** Handlers with the values of their parameters. */
function named([found, values]: Result<unknown>): [unknown, Params][] {
  if (!values) return (found as [unknown, Params][]).map(([handler, params]) => [handler, { ...params }])
  return (found as [unknown, ParamIndexMap][]).map(([handler, places]) => [
    handler,
    Object.fromEntries(Object.entries(places).map(([name, place]) => [name, (values as string[])[place]!])),
  ])
}

const seed = seedOf()
test(`any path, asked for again and again (seed ${seed})`, () => {
  const random = new Random(seed)
  const words = ['', 'api', 'dcim', 'ipam', 'devices', 'prefixes', 'core', 'object-changes', 'revert', 'kits', 'pull']
  const more = ['available-ips', 'users', 'extras', 'sync', 'bookmark', 'x7', '7x', '%23', 'trace', '1'.repeat(16), '-']
  const numbers = ['7', '8', '77', '0', '1'.repeat(15)]
  const shapes = Array.from({ length: 300 }, () =>
    Array.from({ length: random.below(6) }, () =>
      random.below(4) === 0 ? undefined : random.pick(random.below(3) === 0 ? more : words),
    ),
  )
  let many = 0
  for (let i = 0; i < 6000; i++) {
    const segments = random.pick(shapes).map((word) => word ?? random.pick(numbers))
    const path = `${['', ...segments].join('/')}${random.below(5) === 0 ? '' : '/'}` || '/'
    const method = random.pick(['GET', 'GET', 'POST', 'OPTIONS', 'DELETE'])
    const expected = named(plain.match(method, path))
    assert.deepEqual(named(known.match(method, path)), expected, `${method} ${path}`)
    if (expected.some(([, params]) => params.id !== undefined)) many++
  }
  assert.ok(many > 100, `${many}`)
})
