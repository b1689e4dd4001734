import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Kept } from '../../src/web/assets.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const make = creating(client)
const browser = await login(client)

/** Bytes that the HTML of a list of 50 may have, and all files that pages load, compressed. */
const Bounds = { list: 60_000, files: 150_000 }

const named = (name: string) => ({ name, slug: name.toLowerCase().replaceAll(/\W+/g, '-') })
const id = async (path: string, body: Record<string, unknown>) => (await make(path, body)).id as number
const tenant = await id('tenancy/tenants', named('Dunder-Mifflin Paper'))
const site = await id('dcim/sites', named('Branch Scranton'))
const location = await id('dcim/locations', { ...named('Second floor'), site })
const group = await id('dcim/rack-groups', named('Network cabinets'))
const racked = { site, location, tenant, status: 'active', u_height: 42, group }
const role = await id('dcim/device-roles', { ...named('Access switch'), color: '2196f3' })
const maker = await id('dcim/manufacturers', named('Juniper Networks'))
const type = await id('dcim/device-types', { manufacturer: maker, model: 'EX4300-48T', slug: 'ex4300', u_height: 0 })
const rack = await id('dcim/racks', { name: 'Comms closet', ...racked })
const rows = (one: (n: number) => Record<string, unknown>) => Array.from({ length: 50 }, (_, i) => one(i + 1))
const many = async (path: string, bodies: object[]) =>
  (await make(path, bodies as never)) as unknown as { id: number }[]
const device = { site, location, rack, tenant, role, device_type: type, status: 'active' }
const devices = await many(
  'dcim/devices',
  rows((n) => ({ ...device, name: `scranton-access-${String(n).padStart(2, '0')}` })),
)
const ports = await many(
  'dcim/interfaces',
  devices.map(({ id: each }) => ({
    device: each,
    name: 'GigabitEthernet1/0/1',
    type: '1000base-t',
    description: 'up',
  })),
)
await many(
  'dcim/cables',
  Array.from({ length: 25 }, (_, i) => ({
    a_terminations: [{ object_type: 'dcim.interface', object_id: ports[2 * i]!.id }],
    b_terminations: [{ object_type: 'dcim.interface', object_id: ports[2 * i + 1]!.id }],
  })),
)
const addresses = await many(
  'ipam/ip-addresses',
  ports.map((port, i) => ({
    address: `10.112.128.${i + 1}/24`,
    tenant,
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port.id,
    dns_name: `scranton-access-${i}.example.com`,
  })),
)
await client.call(
  'PATCH',
  '/api/dcim/devices/',
  devices.map((each, i) => ({ id: each.id, primary_ip4: addresses[i]!.id })),
)
const vlans = await many(
  'ipam/vlans',
  rows((n) => ({ vid: 100 + n, name: `Offices ${n}`, site, tenant })),
)
await many(
  'ipam/prefixes',
  rows((n) => ({
    prefix: `10.112.${100 + n}.0/24`,
    tenant,
    scope_type: 'dcim.site',
    scope_id: site,
    vlan: vlans[n - 1]!.id,
    description: 'Offices of the branch',
  })),
)
await many(
  'dcim/racks',
  rows((n) => ({ name: `Cabinet ${n}`, ...racked })),
)
const power = await many(
  'dcim/power-ports',
  devices.map((each) => ({ device: each.id, name: 'PSU1', type: 'iec-60320-c14', maximum_draw: 350 })),
)
await many(
  'dcim/power-outlets',
  devices.map((each, i) => ({ device: each.id, name: 'Outlet 1', type: 'iec-60320-c13', power_port: power[i]!.id })),
)

for (const path of ['devices', 'interfaces', 'racks', 'power-ports', 'power-outlets'].map((name) => `dcim/${name}`))
  listed(path)
for (const path of ['prefixes', 'ip-addresses', 'vlans'].map((name) => `ipam/${name}`)) listed(path)

function listed(path: string): void {
  test(`50 rows of ${path} are a page of at most ${Bounds.list / 1000} kB`, async () => {
    const { text } = await browser.get(`/${path}/`)
    assert.equal(text.match(/name=pk /g)?.length, 50)
    assert.ok(Buffer.byteLength(text) <= Bounds.list, `${Buffer.byteLength(text)} bytes`)
  })
}

test(`all files that pages load are at most ${Bounds.files / 1000} kB as they are sent`, async () => {
  const pages = [
    '/',
    '/?arrange',
    '/dcim/devices/',
    '/dcim/sites/add/',
    `/dcim/racks/${rack}/`,
    '/user/preferences/',
    '/graphql/',
    '/api/dcim/sites/',
  ]
  const paths = new Set<string>()
  for (const page of pages)
    for (const [, path] of (await browser.get(page)).text.matchAll(/(?:src|href|data-choices)="(\/assets\/[^"#]+)/g))
      paths.add(path!)
  const names = [...paths].map((path) => path.replace(/^.*\/(\w+)-\w+(\.\w+)$/, '$1$2'))
  for (const name of Object.keys(Kept)) assert.ok(names.includes(name), `${name} is among them`)
  let sum = 0
  for (const path of paths) {
    const answer = await fetch(client.base + path, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(answer.headers.get('content-encoding'), 'gzip', path)
    sum += gzipSync(Buffer.from(await answer.arrayBuffer())).length
  }
  assert.ok(sum <= Bounds.files, `${sum} bytes`)
})
