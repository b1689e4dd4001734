import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve({ loginRequired: false })
const make = new Maker(call)

test('days and moments of custom fields are compared as such, and refused when they are none', async () => {
  for (const type of ['date', 'datetime'])
    assert.equal(
      (await call('POST', '/api/extras/custom-fields/', { name: type, type, object_types: ['dcim.site'] })).status,
      201,
    )
  const of = (n: number, custom_fields: object) =>
    make.fresh('dcim.site', { name: `S${n}`, slug: `s${n}`, custom_fields })
  await of(1, { date: '2020-01-02', datetime: '2020-01-02T10:00:00+02:00' })
  await of(2, { date: '2021-01-02', datetime: '2021-01-02' })
  const found = async (query: string) => {
    const { status, json } = await call('GET', `/api/dcim/sites/?${query}`)
    return status === 200 ? json.results.map((row: { name: string }) => row.name).join() : Object.keys(json).join()
  }
  assert.equal(await found('cf_date=2020-01-02'), 'S1')
  assert.equal(await found('cf_date__gt=2020-1-3'), 'S2')
  assert.equal(await found('cf_datetime=2020-01-02T08:00:00Z'), 'S1')
  assert.equal(await found('cf_datetime=2021-01-02'), 'S2')
  assert.equal(await found('cf_datetime__lt=2020-06-01'), 'S1')
  assert.equal(await found('cf_date=x&cf_datetime__gte=y'), 'cf_date,cf_datetime__gte')
})

test('without LOGIN_REQUIRED anyone reads object types and scripts, one and all', async () => {
  const anyone = async (path: string) => (await call('GET', path, undefined, { authorization: '' })).status
  assert.deepEqual(
    await Promise.all(
      [
        '/api/',
        '/api/status/',
        '/api/core/object-types/',
        '/api/core/object-types/5/',
        '/api/extras/scripts/1/',
        '/api/dcim/sites/',
      ].map(anyone),
    ),
    [200, 200, 200, 200, 404, 403],
  )
})

test('whole numbers past 2^53 are unique and found exactly; decimals are none in another notation', async () => {
  for (const [name, type] of [
    ['big', 'integer'],
    ['share', 'decimal'],
  ])
    assert.equal(
      (await call('POST', '/api/extras/custom-fields/', { name, type, unique: true, object_types: ['dcim.region'] }))
        .status,
      201,
    )
  const of = async (slug: string, values: string) =>
    await call('POST', '/api/dcim/regions/', `{"name": "${slug}", "slug": "${slug}", "custom_fields": ${values}}`, {
      'content-type': 'application/json',
    })
  assert.equal((await of('r1', '{"big": 9007199254740993}')).status, 201)
  assert.equal((await of('r2', '{"big": 9007199254740993}')).status, 400)
  assert.equal((await of('r3', '{"big": 9007199254740992}')).status, 201)
  assert.equal((await of('r4', '{"big": 9223372036854775807}')).status, 201)
  const found = async (query: string) => (await call('GET', `/api/dcim/regions/?${query}`)).json.count
  assert.equal(await found('cf_big=9007199254740993'), 1)
  assert.equal(await found('cf_big=9007199254740993&cf_big=9007199254740992'), 2)
  assert.equal(await found('cf_big__gt=9007199254740993'), 1)
  for (const share of ['"0x1F"', '"0b11"', '"1_000"', '"Infinity"', 'true'])
    assert.equal((await of('r9', `{"share": ${share}}`)).status, 400, share)
  assert.equal((await of('r5', '{"share": "1e2"}')).status, 201)
  assert.equal(await found('cf_share=100'), 1)
})

test('what is empty is neither more nor less than a number or a day', async () => {
  for (const [name, type] of [
    ['count', 'integer'],
    ['part', 'decimal'],
    ['day', 'date'],
  ])
    await call('POST', '/api/extras/custom-fields/', { name, type, object_types: ['dcim.manufacturer'] })
  await make.fresh('dcim.manufacturer', { custom_fields: { count: '', part: '', day: '' } })
  await make.fresh('dcim.manufacturer', { custom_fields: { count: 7, part: 7.5, day: '2020-01-01' } })
  for (const query of [
    'cf_count__gte=5',
    'cf_count__lte=9',
    'cf_part__lte=9',
    'cf_part__gt=0',
    'cf_day__lt=2021-01-01',
  ])
    assert.equal((await call('GET', `/api/dcim/manufacturers/?${query}`)).json.count, 1, query)
})

test('null finds what has no name, also where letters of either case are the same', async () => {
  const unnamed = await make.fresh('dcim.device', { name: null })
  await make.fresh('dcim.device', { name: 'null hypothesis' })
  const { results } = (await call('GET', '/api/dcim/devices/?name=null')).json
  assert.deepEqual(
    results.map((row: { id: number }) => row.id),
    [unnamed],
  )
})

test('a deleted object is no value: it is found as none', async () => {
  for (const [name, type] of [
    ['one', 'object'],
    ['many', 'multiobject'],
  ])
    await call('POST', '/api/extras/custom-fields/', {
      ...{ name, type, related_object_type: 'dcim.manufacturer', object_types: ['tenancy.tenant'] },
    })
  const [gone, there] = [await make.fresh('dcim.manufacturer'), await make.fresh('dcim.manufacturer')]
  const of = (name: string, custom_fields: object) =>
    make.fresh('tenancy.tenant', { name, slug: name.toLowerCase(), custom_fields })
  await of('Gone', { one: gone, many: [gone] })
  await of('There', { one: there, many: [gone, there] })
  await of('None', { one: null, many: [] })
  assert.equal((await call('DELETE', `/api/dcim/manufacturers/${gone}/`)).status, 204)
  const found = async (query: string) =>
    (await call('GET', `/api/tenancy/tenants/?${query}`)).json.results.map((row: { name: string }) => row.name).join()
  assert.equal(await found('cf_one=null'), 'Gone,None')
  assert.equal(await found(`cf_one=null&cf_one=${there}`), 'Gone,None,There')
  assert.equal(await found('cf_one__n=null'), 'There')
  assert.equal(await found('cf_one__empty=true'), 'Gone,None')
  assert.equal(await found('cf_one__empty=false'), 'There')
  assert.equal(await found('cf_many__empty=true'), 'Gone,None')
  assert.equal(await found('cf_many__empty=false'), 'There')
})
