import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launch } from '../support/launch.ts'
import { Random, seedOf } from '../support/random.ts'
import { creating } from '../support/server.ts'

for (const count of [0, 1])
  test(`a filter knows which objects there are, in ${count ? 'a thread' : 'the first'}`, async () => {
    const server = await launch({ workers: count }, { count, alone: true })
    after(server.close)
    const { call } = server
    const create = creating(server)
    const random = new Random(seedOf())
    const there = new Set<number>()
    const gone = new Set<number>()
    const add = async (n: number): Promise<void> => {
      const made = Array.from({ length: n }, () => {
        const name = `r${there.size}-${random.below(1e9)}`
        return { name, slug: name }
      })
      for (const { id } of await create('dcim/regions', made)) there.add(id)
    }
    const some = (): number[] => random.shuffled([...there]).slice(0, 1 + random.below(3))
    await add(3)
    for (let step = 0; step < 60; step++) {
      const what = random.below(4)
      if (what === 0 || there.size < 3) await add(1 + random.below(3))
      else if (what === 1) {
        const [id] = some()
        assert.equal((await call('DELETE', `/api/dcim/regions/${id}/`)).status, 204)
        gone.add(id!)
        there.delete(id!)
      } else if (what === 2) {
        const ids = some()
        const { status } = await call(
          'DELETE',
          '/api/dcim/regions/',
          Array.from(ids, (id) => ({ id })),
        )
        assert.equal(status, 204)
        for (const id of ids) {
          gone.add(id)
          there.delete(id)
        }
      } else {
        // What is refused in the middle has added none.
        const made = [{ name: `x${step}`, slug: `x${step}` }, { name: '' }]
        assert.equal((await call('POST', '/api/dcim/regions/', made)).status, 400)
      }
      const last = Math.max(...there, ...gone)
      for (let id = 1; id <= last + 2; id++) {
        const { status } = await call('GET', `/api/dcim/sites/?region_id=${id}`)
        assert.equal(status, there.has(id) ? 200 : 400, `region ${id} after step ${step}`)
      }
    }
  })

test('a row that gets another id is known by that one', async () => {
  const server = await launch()
  after(server.close)
  const { id } = await creating(server)('dcim/regions', { name: 'R', slug: 'r' })
  const { db } = server.running.store
  assert.equal(db.rows.has('dcim_region', id), true)
  db.run('update dcim_region set id = ? where id = ?', 7, id)
  assert.deepEqual([db.rows.has('dcim_region', id), db.rows.has('dcim_region', 7)], [false, true])
  assert.equal(db.rows.lastOwn('dcim_region'), 7)
})
