import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { modelNamed } from '../../src/engine/catalog.ts'
import { orderOf } from '../../src/engine/order.ts'
import { OrderedIds } from '../../src/store/ordered-ids.ts'
import { forgetful } from '../support/forgetful.ts'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'
import { statementsOf } from '../support/statements.ts'
import { until } from '../support/until.ts'

/**
 * Lists of ids that are kept in order follow every write: their pages are those that somebody finds who keeps nothing.
 */
const client = await serve({ maxPageSize: 0 })
const { call, running } = client
const { store } = running
store.db.raw.pragma('synchronous = off')
const create = creating({ call })
const seed = seedOf()
const random = new Random(seed)
const vrfs: number[] = (await create('ipam/vrfs', [{ name: 'Blue' }, { name: 'Red' }])).map((vrf: any) => vrf.id)
const tag = (await create('extras/tags', { name: 'Half', slug: 'half' })).id
const body = (i: number) => ({
  address: `10.${i % 3}.${(i >> 8) & 255}.${i & 255}/24`,
  status: i % 2 ? 'active' : 'reserved',
  dns_name: `h${(i * 37) % 900}.example`,
  vrf: [null, ...vrfs][(i >> 4) % 3],
  tags: i % 5 ? [tag] : [],
})
const ids: number[] = (
  await create(
    'ipam/ip-addresses',
    Array.from({ length: 3000 }, (_, i) => body(i)),
  )
).map((address: any) => address.id)

const { other, ask: anew } = forgetful(store)

const queries = [
  '',
  'ordering=-dns_name',
  'ordering=vrf,status',
  'ordering=-vrf',
  'tag=half',
  'tag=half&ordering=dns_name',
  'dns_name__ic=h',
  'status=active&ordering=dns_name',
]
const pageOf = (query: string, offset: number) => `/api/ipam/ip-addresses/?fields=id&limit=7&offset=${offset}&${query}`
async function compare(): Promise<void> {
  for (const query of queries) {
    const path = pageOf(query, random.below(2500))
    const { json } = await call('GET', path)
    const { count, results } = await anew(path)
    assert.deepEqual({ count: json.count, results: json.results }, { count, results }, `${path} (seed ${seed})`)
  }
}

async function keepLists(): Promise<void> {
  for (let tries = 0; tries < 60 && store.reader.cachedLists < 5; tries++) {
    for (const query of queries) await call('GET', pageOf(query, random.below(2500)))
    await new Promise((done) => setTimeout(done, 5))
  }
  assert.ok(store.reader.cachedLists >= 5, `${store.reader.cachedLists} lists are kept`)
}

test('a page of many rows goes along the order of all, where it soon meets as many', async () => {
  const page = (limit: number) => `/api/ipam/ip-addresses/?fields=id&tag=half&limit=${limit}`
  const all = (await call('GET', page(0))).json.results
  const { json, statements } = await statementsOf(client, page(20))
  assert.deepEqual(json.results, all.slice(0, 20))
  assert.ok(statements.some((sql) => /indexed by "ipam_ipaddress_order_ix"/.test(sql)))
  assert.deepEqual(
    statements.filter((sql) =>
      /json_each\(\+:ids\) j cross join "ipam_ipaddress" t on t.id = j.value\s+order by/.test(sql),
    ),
    [],
  )
})

test('pages found soon call for no list, however many; as many rows passed over as there are do', async () => {
  const m = modelNamed('ipam.ipaddress')
  const listing = { m, order: orderOf(m, undefined), where: [], values: {} }
  const lists = new OrderedIds(store.db, () => new Database(store.db.raw.name, { readonly: true }), 1)
  const spend = (rows: number) => lists.spent('all', listing, 3000, rows)
  for (let i = 0; i < 60; i++) spend(900)
  for (let i = 0; i < 2; i++) spend(1400)
  await new Promise((done) => setTimeout(done, 50))
  assert.equal(lists.size, 0)
  spend(1400)
  const found = await until(() => lists.page('all', 5, 2900))
  assert.deepEqual(
    found!.ids,
    (await anew(pageOf('', 2900))).results.slice(0, 5).map(({ id }: any) => id),
  )
  lists.close()
})

test(`pages of kept lists while rows come, change and go (seed ${seed})`, async () => {
  await keepLists()
  await compare()
  const writes: (() => Promise<{ status: number }>)[] = [
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { dns_name: `h${random.below(900)}.example` }),
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { vrf: random.pick([null, ...vrfs]) }),
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { address: body(random.below(9000)).address }),
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { tags: random.below(2) ? [tag] : [] }),
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { status: 'nonsense' }),
    () => call('PATCH', `/api/ipam/vrfs/${random.pick(vrfs)}/`, { name: `V${random.below(1e6)}` }),
    () => call('DELETE', `/api/ipam/ip-addresses/${ids.splice(random.below(ids.length), 1)[0]}/`),
    async () => {
      const reply = await call('POST', '/api/ipam/ip-addresses/', body(random.below(9000)))
      ids.push(reply.json.id)
      return reply
    },
    () =>
      call('PATCH', '/api/ipam/ip-addresses/', [
        { id: random.pick(ids), dns_name: 'a.example' },
        { id: random.pick(ids), status: 'nonsense' },
      ]),
  ]
  for (let i = 0; i < 25; i++) {
    for (let n = random.below(4); n >= 0; n--) assert.ok((await random.pick(writes)()).status < 500)
    await compare()
  }
})

test('a change by other means than the server takes the lists along', async () => {
  other.db.run("update ipam_ipaddress set dns_name = 'z.example' where id % 3 = 0")
  await compare()
})

test('ids of kits, far apart and past 32 bits, keep their places', async () => {
  const names = other.db.all<{ name: string }>(
    "select name from pragma_table_info('ipam_ipaddress') where name <> 'id'",
  )
  const columns = names.map(({ name }) => `"${name}"`).join()
  for (const id of [300_000_001, 47 * 100_000_000 + 1, 2747 * 100_000_000 + 1])
    other.db.run(`insert into ipam_ipaddress (id, ${columns}) select ?, ${columns} from ipam_ipaddress limit 1`, id)
  await compare()
  await keepLists()
  for (let i = 0; i < 4; i++) await compare()
  for (const query of queries) {
    const path = `/api/ipam/ip-addresses/?fields=id&limit=0&${query}`
    assert.deepEqual((await call('GET', path)).json.results, (await anew(path)).results, path)
  }
})

test.after(() => other.close())
