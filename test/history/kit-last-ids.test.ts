import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const site = (name: string) => ({ name, slug: name.toLowerCase() })

for (const [side, last] of [
  ['source', 99_999_999],
  ['kit', 199_999_999],
] as const)
  test(`past the last id that a ${side} may give, what would be new is refused, and all else goes on`, async () => {
    const { running, call } = sides[side]
    const { commit, db } = running.store
    commit.now(() => {
      db.run("delete from sqlite_sequence where name = 'dcim_site'")
      db.run("insert into sqlite_sequence (name, seq) values ('dcim_site', ?)", last - 2)
    })
    const post = (body: unknown) => call('POST', '/api/dcim/sites/', body)
    const first = await post(site(`First-${side}`))
    assert.deepEqual([first.status, first.json.id], [201, last - 1])
    const both = await post([site(`Second-${side}`), site(`Third-${side}`)])
    assert.equal(both.status, 507)
    assert.match(both.json.detail, /All 100,000,000 ids .* dcim_site/)
    const second = await post(site(`Second-${side}`))
    assert.deepEqual([second.status, second.json.id], [201, last])
    assert.equal((await post(site(`Third-${side}`))).status, 507)
    assert.equal((await call('PATCH', `/api/dcim/sites/${last}/`, { facility: 'F' })).status, 200)
    assert.equal((await call('POST', '/api/dcim/regions/', { name: side, slug: side })).status, 201)
  })

test('and both are brought together', async () => {
  await sides.sync('push')
  await sides.areSame('dcim/sites', 'dcim/regions')
})
