import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetful } from '../support/forgetful.ts'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'

/**
 * What is kept of the rows that hold a text follows every write: searches find what somebody finds who keeps nothing.
 */
const { call, running } = await serve()
const { store } = running
store.db.raw.pragma('synchronous = off')
const create = creating({ call })
const seed = seedOf()
const random = new Random(seed)
const words = ['alpha', 'bravo-7', 'charlie', '%25', 'under_score', 'ÄRGER', 'x'.repeat(2010), '']
const text = () => `${words[random.below(words.length)]} ${random.below(40)} ${words[random.below(words.length)]}`
let made = 0
const body = () => ({ name: `site ${++made} ${random.below(9)}`, slug: `s${made}`, facility: '', comments: text() })
const ids: number[] = (
  await create(
    'dcim/sites',
    Array.from({ length: 240 }, () => body()),
  )
).map((site: any) => site.id)

const { ask: anew } = forgetful(store)

const queries = [
  ...['alpha', 'BRAVO-7', 'site', 'site 1', 'score', '_sc', '%25', 'rger', 'xxx', ' 11 '].map(
    (q) => `q=${encodeURIComponent(q)}`,
  ),
  'name__ic=site 3',
  'name__isw=SITE 2',
  'name__iew= 7',
  'facility__ic=moved',
]

test('searches find what somebody finds who keeps nothing, between any writes', { timeout: 60_000 }, async () => {
  const writes: Record<string, () => Promise<unknown>> = {
    comment: () => call('PATCH', `/api/dcim/sites/${random.pick(ids)}/`, { comments: text() }),
    rename: () => call('PATCH', `/api/dcim/sites/${random.pick(ids)}/`, { name: `site ${++made} ${random.below(9)}` }),
    move: () =>
      call('PATCH', `/api/dcim/sites/${random.pick(ids)}/`, { facility: random.pick(['moved', '', 'MOVED x']) }),
    create: async () => ids.push((await create('dcim/sites', body())).id),
    remove: () => call('DELETE', `/api/dcim/sites/${ids.splice(random.below(ids.length), 1)[0]}/`),
    many: () =>
      call(
        'PATCH',
        '/api/dcim/sites/',
        ids.slice(0, 90).map((id) => ({ id, comments: text() })),
      ),
    refused: async () => {
      const { status } = await call('PATCH', '/api/dcim/sites/', [
        { id: ids[0], comments: 'alpha never' },
        { id: ids[1], name: '' },
      ])
      assert.equal(status, 400)
    },
  }
  for (let i = 0; i < 150; i++) {
    const name = random.pick(Object.keys(writes))
    if (name !== 'many' || i % 10 === 0) await writes[name]!()
    for (const query of [random.pick(queries), random.pick(queries)]) {
      const path = `/api/dcim/sites/?fields=id&limit=500&${query}`
      const [{ json }, expected] = [await call('GET', path), await anew(path)]
      assert.deepEqual(json, expected, `${path} after ${name} (seed ${seed})`)
    }
  }
})
