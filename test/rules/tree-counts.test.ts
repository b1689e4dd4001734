import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'

const { call } = await serve()

test('counts of a tree are the same for one node, for many and in orders', async () => {
  const body = Array.from({ length: 60 }, (_, i) => ({
    name: `${i % 7 ? 'Ünder' : '\u{10ffff}\u{10ffff}'} ${i}`,
    slug: `r${i}`,
    // A chain of forty, with leaves and a second tree beside it.
    parent: i === 0 || i === 55 ? null : { slug: `r${i < 40 ? i - 1 : (i * 7) % i}` },
  }))
  const made = await call('POST', '/api/dcim/regions/', body)
  assert.equal(made.status, 201, made.text)
  const ids = made.json.map(({ id }: { id: number }) => id) as number[]
  const sites = Array.from({ length: 50 }, (_, i) => ({ name: `s${i}`, slug: `s${i}`, region: ids[(i * 13) % 60] }))
  assert.equal((await call('POST', '/api/dcim/sites/', sites)).status, 201)
  const same = async () => {
    const many = (await call('GET', '/api/dcim/regions/?limit=100')).json.results as any[]
    assert.equal(many.length, 60)
    for (const { id, site_count: count } of many) {
      assert.equal(count, (await call('GET', `/api/dcim/regions/${id}/`)).json.site_count)
      const { parent } = many.find((each) => each.id === id)
      if (parent) assert.ok(many.find((each) => each.id === parent.id).site_count >= count)
    }
    const roots = many.filter(({ parent }) => parent === null)
    assert.equal(
      roots.reduce((sum, { site_count: count }) => sum + count, 0),
      50,
    )
    const ordered = (await call('GET', '/api/dcim/regions/?limit=100&ordering=-site_count')).json.results as any[]
    assert.deepEqual(
      ordered.map(({ site_count: count }) => count),
      many.map(({ site_count: count }) => count).sort((a, b) => b - a),
    )
  }
  await same()
  assert.equal((await call('PATCH', `/api/dcim/regions/${ids[20]}/`, { parent: ids[55] })).status, 200)
  await same()
})
