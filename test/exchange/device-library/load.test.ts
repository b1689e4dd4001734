import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { ask, run, scratch, type Server, start } from '../../support/cli.ts'
import { Pixel } from '../../support/inventory.ts'

const folder = scratch()
const library = join(folder, 'library')
const data = join(folder, 'data')
let server: Server

const put = (path: string, content: string | Buffer) => {
  mkdirSync(dirname(join(library, path)), { recursive: true })
  writeFileSync(join(library, path), content)
}

before(async () => {
  put(
    'device-types/Maker & Söhne/edge-1.yaml',
    `---
manufacturer: Maker & Söhne
model: Edge 1
slug: maker-edge-1
part_number: 0012
airflow:
u_height: 1
is_full_depth: no
subdevice_role: parent
weight: 2.5
weight_unit: kg
front_image: true
is_powered: true
console-ports:
  - {name: con 0, type: rj-45}
console-server-ports:
  - {name: srv 0, type: rj-45}
power-ports:
  - {name: PSU0, type: iec-60320-c14, maximum_draw: 100}
power-outlets:
  - {name: Out 1, type: iec-60320-c13, power_port: PSU0, feed_leg: A}
interfaces:
  - {name: Gi1, type: 1000base-t, bridge: br0, poe_mode: pse, poe_type: type2-ieee802.3at}
  - {name: br0, type: bridge}
  - {name: mgmt0, type: 1000base-t, mgmt_only: yes}
rear-ports:
  - {name: Rear, type: mpo, positions: 2}
front-ports:
  - {name: Front 1, type: lc, rear_port: Rear, rear_port_position: 1}
  - {name: Front 2, type: lc}
port-mappings:
  - {front_port: Front 2, front_port_position: 1, rear_port: Rear, rear_port_position: 2}
module-bays:
  - {name: Slot 1, position: '1'}
device-bays:
  - {name: Bay 1}
inventory-items:
  - {name: Fan, manufacturer: Fans Inc, part_id: F1}
`,
  )
  put('elevation-images/Maker & Söhne/maker-edge-1.front.png', Pixel)
  put(
    'device-types/Maker & Söhne/bad.yaml',
    'manufacturer: Maker & Söhne\nmodel: Bad\nslug: bad\ninterfaces:\n  - {name: e0, type: 1000base-t}\n' +
      '  - {name: e1, type: no-such-type}\n',
  )
  put(
    'device-types/Maker & Söhne/lost.yaml',
    'manufacturer: Maker & Söhne\nmodel: Lost\nslug: lost\npower-outlets:\n  - {name: o1, power_port: nowhere}\n',
  )
  put('device-types/Maker & Söhne/broken.yaml', 'model: [')
  put(
    'module-types/Maker & Söhne/card.yml',
    'manufacturer: Maker & Söhne\nmodel: Card\ninterfaces:\n  - {name: "Te{module}/1", type: 10gbase-x-sfpp}\n',
  )
  put(
    'rack-types/Maker & Söhne/tall.yaml',
    'manufacturer: Maker & Söhne\nmodel: Tall\nslug: tall\nform_factor: 4-post-cabinet\nwidth: 19\nu_height: 48\n',
  )
  put('README.md', 'about')
  put('device-types/README.md', 'about')
  server = await start(data)
})

const list = async (path: string) =>
  (await ask(server.base, 'GET', `/api/dcim/${path}/?limit=0&ordering=id`)).json.results

test('a library is taken over, bad files are named and leave nothing behind', async () => {
  const { code, stdout, stderr } = await run(['import', 'devicetypes', library, '--data', data])
  assert.deepEqual(
    [code, stdout],
    [
      1,
      'device-types: 1 new, 0 there already, 3 not taken\nmodule-types: 1 new, 0 there already, 0 not taken\n' +
        'rack-types: 1 new, 0 there already, 0 not taken\n',
    ],
    stderr,
  )
  const lines = stderr.trim().split('\n')
  assert.equal(lines.length, 3)
  assert.match(lines[0]!, /bad\.yaml: interfaces 2 \(e1\): type: /)
  assert.match(lines[1]!, /broken\.yaml: /)
  assert.match(lines[2]!, /lost\.yaml: power-outlets 1 \(o1\): power-ports has no nowhere$/)

  const [type, ...others] = await list('device-types')
  assert.deepEqual(
    [
      others.length,
      type.model,
      type.is_full_depth,
      type.part_number,
      type.weight,
      type.interface_template_count,
      type.front_port_template_count,
    ],
    [0, 'Edge 1', false, '0012', 2.5, 3, 2],
  )
  assert.match(type.front_image, /\/media\/devicetype-images\/maker-edge-1\.front\.png$/)
  assert.equal(type.rear_image, null)
  assert.deepEqual(
    (await list('manufacturers')).map((maker: any) => [maker.name, maker.slug]),
    [
      ['Maker & Söhne', 'maker-sohne'],
      ['Fans Inc', 'fans-inc'],
    ],
  )
  const interfaces = await list('interface-templates')
  assert.deepEqual(
    interfaces.map((each: any) => [each.name, each.mgmt_only, each.bridge?.name, each.poe_mode?.value]),
    [
      ['Gi1', false, 'br0', 'pse'],
      ['br0', false, undefined, undefined],
      ['mgmt0', true, undefined, undefined],
      ['Te{module}/1', false, undefined, undefined],
    ],
  )
  const [rear] = await list('rear-port-templates')
  assert.deepEqual(
    (await list('front-port-templates')).map((port: any) => port.rear_ports),
    [
      [{ position: 1, rear_port: rear.id, rear_port_position: 1 }],
      [{ position: 1, rear_port: rear.id, rear_port_position: 2 }],
    ],
  )
  const [outlet] = await list('power-outlet-templates')
  assert.deepEqual([outlet.power_port.name, outlet.feed_leg.value], ['PSU0', 'A'])
  for (const path of [
    'console-port-templates',
    'console-server-port-templates',
    'power-port-templates',
    'module-bay-templates',
    'device-bay-templates',
    'inventory-item-templates',
  ])
    assert.equal((await list(path)).length, 1, path)
  assert.equal((await list('inventory-item-templates'))[0].manufacturer.name, 'Fans Inc')
  assert.equal((await list('rack-types'))[0].u_height, 48)
})

test('what is there already stays as it is', async () => {
  const { stdout } = await run(['import', 'devicetypes', library, '--data', data])
  assert.equal(
    stdout,
    'device-types: 0 new, 1 there already, 3 not taken\nmodule-types: 0 new, 1 there already, 0 not taken\n' +
      'rack-types: 0 new, 1 there already, 0 not taken\n',
  )
  assert.equal((await list('interface-templates')).length, 4)
  assert.equal((await run(['check', '--data', data])).code, 0)
  const latin = join(folder, 'latin')
  mkdirSync(join(latin, 'device-types/Fans Inc'), { recursive: true })
  const bytes = Buffer.from('manufacturer: Fans Inc\nmodel: Köln\nslug: koeln\n', 'latin1')
  writeFileSync(join(latin, 'device-types/Fans Inc/koeln.yaml'), bytes)
  const unread = await run(['import', 'devicetypes', latin, '--data', data])
  assert.deepEqual([unread.code, /koeln\.yaml: This is not text in UTF-8/.test(unread.stderr)], [1, true])
  const other = await run(['import', 'devicetypes', folder, '--data', data])
  assert.deepEqual([other.code, other.stderr.includes('holds none of the folders')], [1, true])
})
