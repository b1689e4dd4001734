import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'
import { Maker } from '../support/maker.ts'

const { call } = await serve()
const make = new Maker(call)
const found = async (path: string): Promise<number[]> =>
  (await call('GET', `/api/${path}`)).json.results.map(({ id }: { id: number }) => id)

test('attributes of a module type are filters', async () => {
  const profile = await make.fresh('dcim.moduletypeprofile', {
    schema: { properties: { speed: { type: 'number' }, kind: { type: 'string' }, hot: { type: 'boolean' } } },
  })
  const a = await make.fresh('dcim.moduletype', { profile, attributes: { speed: 2, kind: 'Fibre', hot: true } })
  const b = await make.fresh('dcim.moduletype', { profile, attributes: { speed: 10, kind: 'copper', hot: false } })
  for (const [query, ids] of [
    ['attr_speed=2.0', [a]],
    ['attr_speed__gt=5', [b]],
    ['attr_kind=copper', [b]],
    ['attr_kind__icontains=FIB', [a]],
    ['attr_hot=true', [a]],
    ['attr_kind__n=copper', [a]],
    ['attr_none=1', []],
  ] as const)
    assert.deepEqual(await found(`dcim/module-types/?profile_id=${profile}&${query}`), ids, query)
  assert.equal((await call('GET', '/api/dcim/module-types/?attr_speed__lt=x')).status, 400)
})

test('object types in a list are found by each of them', async () => {
  const id = await make.fresh('extras.savedfilter', { object_types: ['dcim.site', 'dcim.rack'] })
  for (const query of ['object_type=dcim.rack', 'object_type__ic=SITE', 'object_type__n=dcim.device'])
    assert.deepEqual(await found(`extras/saved-filters/?${query}`), [id], query)
  assert.deepEqual(await found('extras/saved-filters/?object_type__nic=site'), [])
})

test('a VLAN of another site is not available, whatever its group', async () => {
  const [here, there, group] = [
    await make.fresh('dcim.site'),
    await make.fresh('dcim.site'),
    await make.fresh('ipam.vlangroup'),
  ]
  const common = await make.fresh('ipam.vlan', { group })
  await make.fresh('ipam.vlan', { group, site: there })
  assert.deepEqual(await found(`ipam/vlans/?available_at_site=${here}`), [common])
})

test('many values, many alternatives and repeated orders are one query still', async () => {
  const id = await make.fresh('dcim.region')
  assert.deepEqual(await found(`dcim/regions/?${Array.from({ length: 3000 }, (_, i) => `id=${i}`).join('&')}`), [id])
  assert.deepEqual(await found(`dcim/regions/?ordering=${'name,-parent,'.repeat(500)}`), [id])
  assert.deepEqual(
    Object.keys(
      (await call('GET', `/api/dcim/regions/?${Array.from({ length: 101 }, (_, i) => `name__ic=${i}`).join('&')}`))
        .json,
    ),
    ['name__ic'],
  )
})

test('a machine interface takes tagged VLANs without a mode, a device interface does not', async () => {
  const tagged_vlans = [await make.fresh('ipam.vlan')]
  await make.fresh('virtualization.vminterface', { tagged_vlans })
  const { status, json } = await call('POST', '/api/dcim/interfaces/', {
    device: await make.fresh('dcim.device'),
    name: 'x',
    type: '1000base-t',
    tagged_vlans,
  })
  assert.deepEqual([status, Object.keys(json)], [400, ['tagged_vlans']])
})

test('an object type or color that there is none of is refused, and null finds what has none', async () => {
  for (const query of [
    'custom-fields/?object_type_id=99999',
    'custom-fields/?object_type_id=x',
    'tags/?content_type_id=x',
    'bookmarks/?object_type_id=x',
    'custom-field-choice-sets/?choice_colors=mauve',
  ]) {
    assert.equal((await call('GET', `/api/extras/${query}`)).status, 400, query)
  }
  assert.equal((await call('GET', '/api/extras/bookmarks/?object_type_id=99999')).status, 200)
  const plain = await make.fresh('extras.customfield')
  const related = await make.fresh('extras.customfield', {
    type: 'object',
    related_object_type: 'dcim.site',
    validation_regex: '',
  })
  const both = `id=${plain}&id=${related}`
  assert.deepEqual(await found(`extras/custom-fields/?${both}&related_object_type_id=null`), [plain])
  assert.deepEqual(await found(`extras/custom-fields/?${both}&related_object_type_id__n=null`), [related])
})

test('custom decimals are numbers even where a text was written; what is no day or moment is refused', async () => {
  for (const type of ['decimal', 'date', 'datetime'])
    await call('POST', '/api/extras/custom-fields/', { name: `a_${type}`, type, object_types: ['ipam.rir'] })
  const id = await make.fresh('ipam.rir', {
    custom_fields: { a_decimal: '5.5', a_date: '2020-01-02', a_datetime: '2020-01-02 03:04:05' },
  })
  for (const query of [
    'cf_a_decimal=5.50',
    'cf_a_decimal__lt=6',
    'cf_a_date=2020-01-02',
    'cf_a_date__gt=2020-1-1',
    'cf_a_datetime=2020-01-02T03:04:05',
    'cf_a_datetime__gte=2020-01-02',
  ])
    assert.deepEqual(await found(`ipam/rirs/?${query}`), [id], query)
  assert.deepEqual(await found('ipam/rirs/?cf_a_decimal__gt=6'), [])
  for (const query of ['cf_a_decimal=x', 'cf_a_date=junk', 'cf_a_datetime=junk'])
    assert.equal((await call('GET', `/api/ipam/rirs/?${query}`)).status, 400, query)
})

test('of a parameter that takes one value the last counts; lists compare by their first items', async () => {
  const [low, high] = [
    await make.fresh('ipam.servicetemplate', { ports: [80, 443] }),
    await make.fresh('ipam.servicetemplate', { ports: [8080] }),
  ]
  const among = (query: string) => found(`ipam/service-templates/?id=${low}&id=${high}&${query}`)
  for (const [query, ids] of [
    ['port=443', [low]],
    ['port=80&port=8080', [high]],
    ['port__n=443', [high]],
    ['port__lt=8080', [low]],
    ['port__lte=8080', [low, high]],
    ['port__gte=8080', [high]],
    ['port__gt=80', [low, high]],
    ['port__gt=8080', []],
  ] as const)
    assert.deepEqual((await among(query)).sort(), [...ids].sort(), query)
  assert.equal((await call('GET', '/api/core/object-changes/?request_id=x')).status, 400)
  const network = await make.fresh('ipam.aggregate', { prefix: '172.31.0.0/16' })
  assert.deepEqual(await found('ipam/aggregates/?prefix=172.31.0.0/16&prefix=10.0.0.0/24'), [])
  assert.deepEqual(await found('ipam/aggregates/?prefix=10.0.0.0/24&prefix=172.31.0.0/16'), [network])
})

test('null finds what is without an object, or has one without the attribute that names others', async () => {
  const [named, unnamed] = [await make.fresh('dcim.device', { name: 'named' }), await make.fresh('dcim.device')]
  await call('PATCH', `/api/dcim/devices/${unnamed}/`, { name: null })
  const port = await make.fresh('dcim.consoleport', { device: unnamed })
  const other = await make.fresh('dcim.consoleport', { device: named })
  assert.deepEqual(await found('dcim/console-ports/?device=null'), [port])
  assert.deepEqual(await found('dcim/console-ports/?device__n=null'), [other])
  assert.deepEqual(await found('dcim/console-ports/?device_id=null'), [])
  assert.deepEqual((await found('dcim/console-ports/?device=null&device=named')).sort(), [port, other].sort())
  const [plain, marked] = [await make.fresh('ipam.vrf'), await make.fresh('ipam.vrf', { rd: '65000:1' })]
  const [none, without, has] = [
    await make.fresh('ipam.prefix', { prefix: '10.0.0.0/24' }),
    await make.fresh('ipam.prefix', { prefix: '10.0.1.0/24', vrf: plain }),
    await make.fresh('ipam.prefix', { prefix: '10.0.2.0/24', vrf: marked }),
  ]
  assert.deepEqual((await found('ipam/prefixes/?vrf=null')).sort(), [none, without].sort())
  assert.deepEqual(await found('ipam/prefixes/?vrf__n=null'), [has])
  assert.deepEqual(await found('ipam/prefixes/?vrf_id=null'), [none])
  const target = await make.fresh('ipam.routetarget')
  await call('PATCH', `/api/ipam/vrfs/${marked}/`, { import_targets: [target] })
  assert.deepEqual(await found(`ipam/route-targets/?id=${target}&importing_vrf=null`), [])
  await call('PATCH', `/api/ipam/vrfs/${plain}/`, { import_targets: [target] })
  assert.deepEqual(await found(`ipam/route-targets/?id=${target}&importing_vrf=null`), [target])
})
