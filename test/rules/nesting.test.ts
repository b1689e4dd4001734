import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefixes } from '../../src/services/derived.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve({ enforceGlobalUnique: false })
const { call, running } = client

/** Numbers that look random and are the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

test('depth and children of prefixes stay right, whatever comes, moves and goes', async () => {
  const vrf = (await creating(client)('ipam/vrfs', { name: 'v', enforce_unique: false })).id
  const roll = dice(7)
  const random = () => {
    const length = [8, 9, 12, 15, 16, 17, 24, 28, 31, 32][roll(10)]!
    const [a, b, c] = [roll(2), roll(3) * 85, roll(4) * 64]
    return roll(2) ? `10.${b}.${c}.${a}/${length}` : `2001:${b}:${c}::${a}/${length * 4}`
  }
  /** The network that an address with a mask lies in. */
  const network = async (text: string): Promise<string> => {
    const [host, length] = text.split('/') as [string, string]
    const bits = host.includes(':') ? 128n : 32n
    const { parseAddress, networkOf, formatAddress } = await import('../../src/lib/ip.ts')
    assert.ok(BigInt(length) <= bits)
    return formatAddress(networkOf(parseAddress(text)!))
  }
  let alive: number[] = []
  for (let round = 0; round < 12; round++) {
    const bodies = await Promise.all(
      Array.from({ length: 25 }, async () => ({ prefix: await network(random()), vrf: roll(2) ? vrf : null })),
    )
    const made = await call('POST', '/api/ipam/prefixes/', bodies)
    assert.equal(made.status, 201, made.text)
    alive.push(...made.json.map((each: { id: number }) => each.id))
    const moved = await Promise.all(
      alive.filter(() => roll(6) === 0).map(async (id) => ({ id, prefix: await network(random()) })),
    )
    if (moved.length) assert.equal((await call('PATCH', '/api/ipam/prefixes/', moved)).status, 200)
    const gone = new Set(alive.filter(() => roll(8) === 0))
    alive = alive.filter((id) => !gone.has(id))
    const body = [...gone].map((id) => ({ id }))
    if (gone.size) assert.equal((await call('DELETE', '/api/ipam/prefixes/', body)).status, 204)
    assert.deepEqual(prefixes(running.store, false).problems, [])
  }
})

test('a deep tree keeps its order and refuses circles, and its places do not grow with its depth squared', async () => {
  const ids: number[] = []
  for (let from = 0; from < 1200; from += 100) {
    const bodies = Array.from({ length: 100 }, (_, i) => ({
      name: `${'n'.repeat(80)}${from + i}`,
      slug: `r${from + i}`,
      parent: from + i ? { slug: `r${from + i - 1}` } : null,
    }))
    const made = await call('POST', '/api/dcim/regions/', bodies)
    assert.equal(made.status, 201, made.text.slice(0, 200))
    ids.push(...made.json.map((each: { id: number }) => each.id))
  }
  const [first, last] = [ids[0]!, ids.at(-1)!]
  const top = (await creating(client)('dcim/regions', { name: 'a', slug: 'top' })).id
  const circle = await call('PATCH', `/api/dcim/regions/${first}/`, { parent: last })
  assert.deepEqual([circle.status, Object.keys(circle.json)], [400, ['parent']])
  assert.equal((await call('PATCH', `/api/dcim/regions/${first}/`, { parent: top })).status, 200)
  const listed = await call('GET', '/api/dcim/regions/?fields=id,_depth&limit=1000')
  assert.deepEqual(
    listed.json.results.map((each: { id: number; _depth: number }) => [each.id, each._depth]),
    [top, ...ids].slice(0, 1000).map((id, depth) => [id, depth]),
  )
  assert.equal((await call('PATCH', `/api/dcim/regions/${top}/`, { parent: last })).status, 400)
  const { longest } = running.store.db.get<{ longest: number }>(
    'select max(length(_place)) as longest from dcim_region',
  )!
  assert.ok(longest < 10_000, `a place of ${longest} bytes`)
})
