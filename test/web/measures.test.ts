import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLarger, unitName } from '../../src/rules/units.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const make = creating(client)
const admin = await login(client)
const page = async (path: string) => {
  const { status, text } = await admin.get(path)
  assert.equal(status, 200, path)
  return text
}
const site = await make('dcim/sites', { name: 'North', slug: 'north' })

/** What a panel of an object says under a label, without its markup. */
async function told(path: string, label: string): Promise<string | undefined> {
  const [, value] = new RegExp(`<dt>${label}</dt><dd>(.*?)</dd>`, 's').exec(await page(path)) ?? []
  return value?.replace(/<[^>]*>/g, '')
}

test('a measure is told in the largest unit that leaves a whole of it', () => {
  const text = (value: number, unit: string) => Object.values(inLarger(value, unit)).join(' ')
  for (const [value, unit, expected] of [
    [999, 'Kbps', '999 Kbps'],
    [1000, 'Kbps', '1 Mbps'],
    [1_500_000, 'Kbps', '1.5 Gbps'],
    [400_000_000_000, 'Kbps', '400 Tbps'],
    [0, 'Kbps', '0 Kbps'],
    [1000, 'MiB', '1000 MB'],
    [16_384, 'MiB', '16 GB'],
    [500_000, 'MB', '500 GB'],
    [2_147_483_647, 'MB', '2.147483647 PB'],
    [-2000, 'MB', '-2 GB'],
    [230_000, 'V', '230000 V'],
  ] as const)
    assert.equal(text(value, unit), expected)
  assert.equal(unitName('MiB'), 'MB')
  assert.equal(unitName('dBm'), 'dBm')
})

test('pages tell measures with their unit, and what was entered beside them', async () => {
  const vm = await make('virtualization/virtual-machines', { name: 'vm', site: site.id, memory: 16384, disk: 500000 })
  const path = `/virtualization/virtual-machines/${vm.id}/`
  assert.equal(await told(path, 'Memory'), '16 GB')
  assert.equal(await told(path, 'Disk'), '500 GB')
  assert.ok((await page(path)).includes('<span title="16,384 MB">16 GB</span>'))
  const list = await page('/virtualization/virtual-machines/')
  assert.match(list, /<th scope=col class=number data-column="memory"><a[^>]*>Memory<\/a>/)
  assert.ok(list.includes('<td class=number><span title="16,384 MB">16 GB</span>'))

  const panel = await make('dcim/power-panels', { site: site.id, name: 'Panel' })
  const feed = await make('dcim/power-feeds', { power_panel: panel.id, name: 'Feed', voltage: 230, amperage: 16 })
  assert.equal(await told(`/dcim/power-feeds/${feed.id}/`, 'Voltage'), '230 V')
  assert.equal(await told(`/dcim/power-feeds/${feed.id}/`, 'Max utilization'), '80 %')
  const provider = await make('circuits/providers', { name: 'P', slug: 'p' })
  const type = await make('circuits/circuit-types', { name: 'T', slug: 't' })
  const circuit = await make('circuits/circuits', { cid: '1', provider: provider.id, type: type.id, commit_rate: 1544 })
  assert.equal(await told(`/circuits/circuits/${circuit.id}/`, 'Commit rate'), '1.54 Mbps')
})

test('where numbers stand alone, their label says the unit', async () => {
  const form = await page('/virtualization/virtual-machines/add/')
  assert.match(form, /<label[^>]*>Memory \(MB\)/)
  assert.match(await page('/dcim/power-feeds/add/'), /<label[^>]*>Voltage \(V\)/)
  assert.match(await page('/dcim/interfaces/add/'), /<label[^>]*>Speed \(Kbps\)/)
  const filters = await page('/circuits/circuits/?commit_rate__gte=1000')
  assert.match(filters, /<label[^>]*>Commit rate \(Kbps\)/)
  assert.match(filters, /<li><span>Commit rate \(Kbps\)[^<]*: 1000/)
  const table = await page('/virtualization/virtual-machines/export/?_as=csv&_of=shown')
  assert.match(table, /,Memory \(MB\),Disk \(MB\),/)
  assert.match(table, /,16384,500000,/)
})

test('the page of a device says at which unit of its rack it is', async () => {
  const maker = await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
  const type = await make('dcim/device-types', { manufacturer: maker.id, model: 'M', slug: 'm' })
  const role = await make('dcim/device-roles', { name: 'Server', slug: 'server' })
  const rack = await make('dcim/racks', { name: 'R', site: site.id })
  const at = { rack: rack.id, position: 7, face: 'rear' }
  const own = await make('dcim/devices', { device_type: type.id, role: role.id, site: site.id, ...at })
  assert.equal(await told(`/dcim/devices/${own.id}/`, 'Position \\(U\\)'), '7')
  assert.equal(await told(`/dcim/devices/${own.id}/`, 'Face'), 'Rear')
})
