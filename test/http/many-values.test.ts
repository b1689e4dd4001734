import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf } from '../../src/engine/filters.ts'
import { allModels } from '../../src/engine/catalog.ts'
import { Maker } from '../support/maker.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const make = new Maker(call)

const asked = async (path: string, name: string, values: readonly string[]) =>
  await call(
    'GET',
    `/api/${path}/?limit=0&brief=true&${values.map((v) => `${name}=${encodeURIComponent(v)}`).join('&')}`,
  )
const idsOf = async (path: string, name: string, values: readonly string[]) => {
  const { status, json } = await asked(path, name, values)
  assert.equal(status, 200, `${path} ${name}: ${JSON.stringify(json).slice(0, 200)}`)
  return (json.results as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
}

/** That many values at once find what each of them finds by itself. */
async function isUnion(path: string, name: string, real: readonly string[], others: readonly string[]): Promise<void> {
  const each = await Promise.all(real.map((value) => idsOf(path, name, [value])))
  const wanted = [...new Set(each.flat())].sort((a, b) => a - b)
  assert.ok(wanted.length, `${name} finds something`)
  assert.deepEqual(await idsOf(path, name, [...others, ...real]), wanted, name)
}

const random = new Random(seedOf())
const address = () => `10.${random.below(4)}.${random.below(4)}.${random.below(250) + 1}`

test('many addresses and networks find what each of them finds', async () => {
  const given = [...new Set(Array.from({ length: 40 }, address))]
  for (const a of given) await make.fresh('ipam.ipaddress', { address: `${a}/24` })
  await make.fresh('ipam.ipaddress', { address: '2001:db8::1/64' })
  for (const a of given.slice(0, 9)) {
    await call('POST', '/api/ipam/prefixes/', { prefix: `${a}/32` })
    await call('POST', '/api/ipam/ip-ranges/', { start_address: `${a}/32`, end_address: `${a}/32` })
  }
  const absent = Array.from({ length: 300 }, (_, i) => `172.16.${i % 250}.${i % 200}`)
  const real = given.slice(0, 7)
  const nets = ['10.1.0.0/16', '10.1.2.0/24', '10.1.2.128/25', '10.2.0.0/22', '2001:db8::/32', 'none']
  await isUnion(
    'ipam/ip-addresses',
    'address',
    [...real, ...real.map((a) => `${a}/24`), ...real.map((a) => `${a}/25`)],
    absent,
  )
  await isUnion('ipam/ip-addresses', 'parent', nets, absent)
  await isUnion('ipam/ip-ranges', 'parent', nets, absent)
  await isUnion(
    'ipam/prefixes',
    'prefix',
    real.map((a) => `${a}/32`),
    absent,
  )
})

test('many values of custom fields find what each of them finds', async () => {
  const types: Record<string, readonly unknown[]> = {
    text: ['a', 'b', 'c'],
    integer: [1, 20, 300],
    decimal: [1.5, '2.50', 3],
    date: ['2020-01-02', '2021-01-02', '2022-01-02'],
    datetime: ['2020-01-02T10:00:00+02:00', '2021-01-02', '2022-01-02T00:00:00Z'],
    boolean: [true, false, true],
    object: [],
  }
  const site = await make.fresh('dcim.site', {})
  types.object = [site]
  for (const type of Object.keys(types)) {
    const own = type === 'object' ? { related_object_type: 'dcim.site' } : {}
    const body = { name: type, type, object_types: ['tenancy.tenant'], filter_logic: 'exact', ...own }
    assert.equal((await call('POST', '/api/extras/custom-fields/', body)).status, 201)
  }
  for (const i of [0, 1, 2])
    await make.fresh('tenancy.tenant', {
      custom_fields: Object.fromEntries(
        Object.entries(types).flatMap(([t, v]) => (v[i] === undefined ? [] : [[t, v[i]]])),
      ),
    })
  await make.fresh('tenancy.tenant', {})
  const others: Record<string, (i: number) => string> = {
    date: (i) => `1990-01-${String((i % 28) + 1).padStart(2, '0')}`,
    datetime: (i) => `1990-01-02T00:00:${String(i % 60).padStart(2, '0')}Z`,
    boolean: () => 'maybe',
  }
  for (const [type, values] of Object.entries(types)) {
    if (type === 'boolean') continue // an unknown truth is ignored, by itself too
    const absent = Array.from({ length: 150 }, (_, i) => others[type]?.(i) ?? `${90_000 + i}`)
    const real = [...values.slice(0, 2).map(String), 'null']
    await isUnion('tenancy/tenants', `cf_${type}`, real, absent)
  }
})

test('many values of any parameter are answered, or refused by its name', async () => {
  const values = Array.from({ length: 1000 }, (_, i) => `${i + 1}`)
  for (const m of allModels)
    for (const [name, { filter, lookup }] of parametersOf(m)) {
      if (!filter.multiple || (lookup !== '' && !['n', 'ic', 'gt', 'any'].includes(lookup))) continue
      const { status, json } = await asked(m.path, name, values)
      if ([200, 404, 405].includes(status)) continue // not every model has a list
      assert.equal(status, 400, `${m.name} ${name}`)
      assert.deepEqual(Object.keys(json), [name], m.name)
    }
})

test('what is not looked up at once is refused past a bound, with its name', async () => {
  const many = Array.from({ length: 300 }, (_, i) => `v${i}`)
  for (const [path, name] of [
    ['dcim/sites', 'name__ic'],
    ['dcim/module-types', 'attr_x'],
    ['dcim/module-types', 'attr_x__n'],
  ] as const) {
    const { status, json } = await asked(path, name, many)
    assert.deepEqual([status, json], [400, { [name]: ['Give no more than 100 values.'] }])
  }
})
