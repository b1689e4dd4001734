import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOf } from '../../../src/exchange/netbox/rows.ts'
import { modelNamed } from '../../../src/engine/catalog.ts'

const copied = (model: string, json: Record<string, unknown>) =>
  copyOf(modelNamed(model), 7, { id: 7, ...json }, (_model, id) => Number(id) + 100, [])

test('members of older versions become those of today', () => {
  const prefix = copied('ipam.prefix', { prefix: '10.0.0.0/8', site: { id: 1 } }).columns
  assert.deepEqual([prefix.scope_type, prefix.scope_id, prefix.prefix_mask], ['dcim.site', 101, 8])
  assert.equal(copied('ipam.prefix', { prefix: '10.0.0.0/8', site: null }).columns.scope_id, null)
  assert.deepEqual(
    copied('ipam.vlangroup', { name: 'g', slug: 'g', min_vid: 5, max_vid: 9 }).columns.vid_ranges,
    '[[5,9]]',
  )
  assert.deepEqual(
    copied('dcim.rack', { name: 'r', type: { value: '4-post-frame', label: '4-post frame' } }).columns.form_factor,
    '4-post-frame',
  )
  const termination = copied('circuits.circuittermination', {
    term_side: 'A',
    site: null,
    provider_network: { id: 2 },
  }).columns
  assert.deepEqual([termination.termination_type, termination.termination_id], ['circuits.providernetwork', 102])
  assert.deepEqual(copied('tenancy.contact', { name: 'c', group: { id: 4 } }).more, [
    { table: 'tenancy_contact_groups', columns: { from_id: 7, to_id: 104 } },
  ])
  assert.deepEqual(
    copied('dcim.frontport', { name: 'f', device: { id: 3 }, rear_port: { id: 5 }, rear_port_position: 2 }).more,
    [
      {
        table: 'dcim_portmapping',
        columns: { device_id: 103, front_port_id: 7, front_port_position: 1, rear_port_id: 105, rear_port_position: 2 },
      },
    ],
  )
  const [mac] = copied('dcim.interface', { name: 'eth0', device: { id: 3 }, mac_address: '00:11:22:33:44:55' }).more
  assert.deepEqual(
    [mac!.table, mac!.columns.mac_address, mac!.columns.assigned_object_id],
    ['dcim_macaddress', '00:11:22:33:44:55', 7],
  )
})

test('an object of today is read by its fields', () => {
  const { columns, more } = copied('dcim.site', {
    name: 'Lab',
    slug: 'lab',
    status: { value: 'planned', label: 'Planned' },
    region: { id: 2 },
    tenant: null,
    latitude: '46.5',
    time_zone: 'Europe/Zurich',
    asns: [{ id: 9 }],
    tags: [{ id: 1, slug: 'core' }],
    custom_fields: { tier: 'a' },
    created: '2024-02-29T10:00:00Z',
    description: null,
    someday: 'unknown',
  })
  assert.deepEqual(
    [
      columns.status,
      columns.region_id,
      columns.tenant_id,
      columns.latitude,
      columns.created,
      columns.description,
      columns.custom_field_data,
    ],
    ['planned', 102, null, 46.5, '2024-02-29T10:00:00.000000Z', '', '{"tier":"a"}'],
  )
  assert.deepEqual(more, [
    { table: 'dcim_site_asns', columns: { from_id: 7, to_id: 109 } },
    { table: 'extras_taggeditem', columns: { object_type: 'dcim.site', object_id: 7, tag_id: 101 } },
  ])
})
