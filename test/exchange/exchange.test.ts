import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Export } from '../../src/exchange/export.ts'
import { type Format, Formats, parse } from '../../src/lib/tables.ts'
import { importTable } from '../../src/exchange/import.ts'
import { modelOf } from '../../src/exchange/model.ts'
import { System } from '../../src/engine/actor.ts'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import { Writing } from '../../src/store/write.ts'
import { now } from '../../src/lib/datetime.ts'
import { run, scratch, start } from '../support/cli.ts'
import { fill } from '../support/inventory.ts'
import { type Client, serve } from '../support/server.ts'

const client: Client = await serve()
const ids = await fill(client.call)
const store = () => client.running.store
const exported = (model: string, format: Format = 'csv', ids = false): string =>
  [...new Export(store(), modelNamed(model), { actor: System, format, ids })].join('')
const writing = (from: Client) =>
  new Writing(from.running.store, System, { userId: null, username: '', requestId: 'r', message: '', now: now() })
function imported(model: string, text: string, isNew = false, format: Format = 'csv', into = client) {
  const { lines: _, ...rest } = importTable(writing(into), modelNamed(model), parse(text, format), { isNew })
  return rest
}
const get = async (path: string): Promise<any> => (await client.call('GET', `/api/${path}`)).json

test('what is exported can be imported again, of every model, and changes nothing', async () => {
  for (const m of allModels) {
    if (m.internal || (m.methods && !m.methods.includes('POST')) || ['users.token'].includes(m.name)) continue
    const list = async () =>
      (await get(`${m.path}/?limit=0&ordering=id`)).results.map(({ last_updated: _, ...rest }: any) => rest)
    const was = await list()
    for (const format of Formats) {
      for (const ids of [true, false]) {
        const one = new Export(store(), m, { actor: System, format, ids })
        const text = [...one].join('')
        if (one.nameless) continue // such a file is refused
        const result = imported(m.name, text, false, format)
        assert.deepEqual(result, { created: 0, changed: 0, unchanged: was.length, wrong: [] }, `${m.name}\n${text}`)
      }
    }
    assert.deepEqual(await list(), was, m.name)
  }
  const nameless = allModels.filter((m) => {
    if (m.internal) return false
    const one = new Export(store(), m, { actor: System })
    Array.from(one)
    return one.nameless > 0
  })
  assert.deepEqual(
    nameless.map(({ name }) => name),
    [],
  )
})

test('an export names no deleted object of a custom field, and changes nothing so', async () => {
  const define = async (name: string, type: string) =>
    (
      await client.call('POST', '/api/extras/custom-fields/', {
        ...{ name, type, related_object_type: 'dcim.manufacturer', object_types: ['tenancy.tenant'] },
      })
    ).json.id
  const fields = [await define('one', 'object'), await define('several', 'multiobject')]
  const make = async (path: string, body: object) => (await client.call('POST', `/api/${path}/`, body)).json.id
  const gone = await make('dcim/manufacturers', { name: 'Gone', slug: 'gone' })
  const tenant = { name: 'Left', slug: 'left', custom_fields: { one: gone, several: [gone] } }
  const id = await make('tenancy/tenants', tenant)
  await client.call('DELETE', `/api/dcim/manufacturers/${gone}/`)
  const { changed, wrong } = imported('tenancy.tenant', exported('tenancy.tenant', 'csv', true))
  assert.deepEqual([changed, wrong], [0, []])
  for (const path of [`tenancy/tenants/${id}`, ...fields.map((each) => `extras/custom-fields/${each}`)])
    assert.equal((await client.call('DELETE', `/api/${path}/`)).status, 204)
})

test('references are names where these are distinct, and ids where they are not', () => {
  assert.match(
    exported('dcim.rack').split('\n')[0]!,
    /^id,name,facility_id,site\.slug,location\.site\.slug,location\.slug,group\.slug,tenant\.slug,/,
  )
  const sites = exported('dcim.site')
  assert.match(sites.split('\n')[0]!, /,tags,cf_backup,cf_bought,cf_facts,cf_notes,cf_partners,.*,cf_tier,cf_visited$/)
  assert.match(sites, /,core,,2024-02-29,"\{""a"":\[2\],""b"":1\}","a\n {2}b",,https:.*,-3,1\.5,"a,b",true,a,/m)
  assert.match(exported('ipam.vlangroup'), /"\[\[1,99\],\[200,299\]\]"/)
  assert.match(exported('ipam.service'), /,"22,2222",/)
})

test('what is named by a number is told from what has that id', async () => {
  const made: [path: string, id: number][] = []
  const make = async (path: string, body: object): Promise<number> => {
    const { id } = (await client.call('POST', `/api/${path}/`, body)).json
    made.push([path, id])
    return id
  }
  const rir = await make('ipam/rirs', { name: 'Numbers', slug: 'numbers' })
  const first = await make('ipam/asns', { asn: 64_500, rir })
  const second = await make('ipam/asns', { asn: first, rir })
  await make('dcim/sites', { name: `${ids.lab}`, slug: 'of-a-number', asns: [first, second] })
  await make('dcim/locations', { name: 'Of a number', slug: 'of-a-number', site: { name: `${ids.lab}` } })
  for (const model of ['dcim.site', 'dcim.location'])
    for (const format of Formats)
      for (const byId of [true, false]) {
        const text = exported(model, format, byId)
        const { changed, wrong } = imported(model, text, false, format)
        assert.deepEqual({ changed, wrong }, { changed: 0, wrong: [] }, text)
      }
  const word = `id,asns\n${ids.lab},${first}\n`
  assert.match(
    imported('dcim.site', word).wrong[0]!.text,
    /is the id of one ASN and the name of another: .*\.id or .*\.asn$/,
  )
  for (const [path, id] of made.toReversed())
    assert.equal((await client.call('DELETE', `/api/${path}/${id}/`)).status, 204)
})

test('lines without an id make objects; references by id, name, slug and attributes', async () => {
  const result = imported(
    'dcim.device',
    `name,role,device_type.slug,device_type.manufacturer.name,site,tags,cf_tier,cf_partners,comments
new1,Access,blade,Maker,lab,core,b,"${ids.lab}",plain
new2,access,blade,Maker,${ids.lab},,,,"two
lines"
`,
  )
  assert.deepEqual(result, { created: 2, changed: 0, unchanged: 0, wrong: [] })
  const [device] = (await get('dcim/devices/?name=new1')).results
  assert.deepEqual(
    [
      device.role.slug,
      device.device_type.slug,
      device.site.id,
      device.tags[0].slug,
      device.custom_fields.tier,
      device.custom_fields.partners[0].id,
    ],
    ['access', 'blade', ids.lab, 'core', 'b', ids.lab],
  )
  assert.equal((await get('dcim/devices/?name=new2')).results[0].comments, 'two\nlines')
})

test('all or nothing: every wrong value is named by line and column', async () => {
  const { count } = await get('dcim/sites/?limit=1')
  const result = imported(
    'dcim.site',
    '\ufeffname,slug,status,region.slug,tenant,latitude,cf_bought,cf_facts\nFine,fine,active,alps,,,,\n' +
      'Bad,"not\n a slug",sleeping,nowhere,,95,,\nWorse,worse,active,,nobody,,,\n' +
      'Worst,worst,active,,,,someday,\nJ,j,active,,,,,{\nX,x,active,,,,,,9\nFine,fine2,,,,,,\n',
  )
  assert.deepEqual(
    result.wrong.map(({ line, column }) => [line, column]),
    [
      [3, 'slug'],
      [3, 'status'],
      [3, 'region.slug'],
      [3, 'latitude'],
      [5, 'tenant'],
      [6, 'cf_bought'],
      [7, 'cf_facts'],
      [8, undefined],
      [9, 'name'],
    ],
  )
  assert.deepEqual([result.created, (await get('dcim/sites/?limit=1')).count], [0, count])
  assert.deepEqual(imported('dcim.site', 'name,colour,name\n').wrong, [
    { line: 1, column: 'colour', text: 'site has no such column' },
    { line: 1, column: 'name', text: 'there are two columns of this name' },
  ])
  assert.deepEqual(imported('dcim.site', 'id,name\n999999,x\n').wrong, [
    { line: 2, column: 'id', text: 'there is no site 999999 to change' },
  ])
  assert.equal(imported('dcim.site', '').wrong.length, 1)
})

test('an empty cell empties what is there', async () => {
  assert.equal(imported('dcim.site', `id,region,description,tags,cf_tier\n${ids.lab},,,,\n`).changed, 1)
  const site = await get(`dcim/sites/${ids.lab}/`)
  assert.deepEqual([site.region, site.description, site.tags, site.custom_fields.tier], [null, '', [], null])
  assert.throws(() => modelOf('dcim.nothing'), /not the name of a model/)
  assert.equal(modelOf('dcim/sites').name, 'dcim.site')
})

test('from the command line, into another folder', async () => {
  const folder = scratch()
  const [data, file] = [join(folder, 'data'), join(folder, 'makers.csv')]
  writeFileSync(file, exported('dcim.manufacturer'))
  const none = await run(['import', 'csv', 'dcim.manufacturer', file, '--data', data])
  assert.equal(none.code, 1)
  await (await start(data)).end('SIGTERM')
  const done = await run(['import', 'csv', 'dcim.manufacturer', '-', '--new', '--data', data], {
    input: readFileSync(file, 'utf8'),
  })
  assert.deepEqual([done.code, done.stdout, done.stderr], [0, '1 created, 0 changed, 0 unchanged\n', ''])
  const again = await run(['import', 'csv', 'dcim.manufacturer', file, '--new', '--data', data])
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^line 2, column name: .*\n(line 2, column slug: .*\n)?cabinet: nothing was imported\n$/)
  const shown = await run(['export', 'csv', 'dcim/manufacturers', '--data', data])
  assert.deepEqual([shown.code, shown.stdout], [0, readFileSync(file, 'utf8')])
  const latin = Buffer.from('name,slug\nKöln,koeln\n', 'latin1')
  writeFileSync(file, latin)
  for (const [from, input] of [
    [file, ''],
    ['-', latin],
  ] as const) {
    const refused = await run(['import', 'csv', 'dcim.manufacturer', from, '--new', '--data', data], { input })
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^cabinet: .*: This is not text in UTF-8\.\n$/)
  }
})

test('another data folder finds the same objects, whatever their ids, or refuses', async () => {
  const other = await serve()
  try {
    const ask = async (path: string): Promise<any> => (await other.call('GET', `/api/${path}`)).json
    assert.equal((await other.call('POST', '/api/dcim/sites/', { name: 'First', slug: 'first' })).status, 201)
    const take = (model: string, text: string, format: Format = 'csv') => imported(model, text, true, format, other)
    const kept = (model: string, without: RegExp): string => {
      const { columns, lines } = parse(exported(model), 'csv')
      const left = columns.filter((name) => !without.test(name))
      return JSON.stringify(lines.map(({ cells }) => Object.fromEntries(left.map((name) => [name, cells[name]]))))
    }
    const first = ['extras.tag', 'tenancy.tenantgroup', 'tenancy.tenant', 'dcim.region', 'dcim.sitegroup', 'dcim.site']
    for (const model of [
      ...first,
      'dcim.location',
      'dcim.manufacturer',
      'dcim.rackrole',
      'dcim.racktype',
      'dcim.rackgroup',
    ])
      assert.deepEqual(take(model, kept(model, /^(cf_|owner)/), 'json').wrong, [], model)
    for (const model of ['dcim.rack', 'extras.configtemplate', 'dcim.platform', 'dcim.devicerole', 'dcim.devicetype'])
      assert.deepEqual(take(model, exported(model, 'yaml'), 'yaml').wrong, [], model)
    const devices = kept('dcim.device', /^(cf_|primary_|oob_|virtual_chassis|vc_|cluster)/)
    assert.deepEqual(take('dcim.device', devices, 'json').wrong, [])
    const where = (list: any[]) =>
      list.map((each) => [each.name, each.site.slug, each.rack?.name, each.device_type.slug])
    assert.deepEqual(
      where((await ask('dcim/devices/?limit=0')).results),
      where((await get('dcim/devices/?limit=0')).results),
    )
    const ids = take('dcim.rack', exported('dcim.rack', 'csv', true))
    assert.deepEqual([...new Set(ids.wrong.map(({ line }) => line))], [1])
    assert.ok(ids.wrong.some(({ column, text }) => column === 'site.id' && /name the object/.test(text)))
    assert.match(take('dcim.rack', 'name,site\nX,1\n').wrong[0]!.text, /^there is no site 1 \(by slug, name\)/)
    assert.match(
      take('ipam.prefix', 'prefix,scope_type,scope_id\n10.0.0.0/8,dcim.site,1\n').wrong[0]!.column!,
      /scope_id/,
    )
    // of two of the same name, none is taken
    for (const site of ['first', 'lab'])
      await other.call('POST', '/api/dcim/racks/', { name: 'Twin', site: { slug: site } })
    const device = 'name,role.slug,device_type,site,rack'
    assert.equal(take('dcim.device', `${device}\nin,access,blade,lab,Twin\n`).created, 1) // the rack of its site
    const twin = take('dcim.powerfeed', 'name,power_panel,rack\nF,P,Twin\n')
    assert.deepEqual(
      twin.wrong.map(({ column }) => column),
      ['power_panel', 'rack'],
    )
    assert.match(twin.wrong[1]!.text, /more than one rack/)
    // a number may be a name and an id
    await other.call('POST', '/api/dcim/sites/', { name: '1', slug: 'one' })
    assert.match(
      imported('dcim.rack', 'name,site\nY,1\n', false, 'csv', other).wrong[0]!.text,
      /the id of one site and the name/,
    )
  } finally {
    await other.close()
  }
})

test("columns of the reference's own import forms", async () => {
  const take = (model: string, text: string) => {
    const result = imported(model, text)
    assert.deepEqual(result.wrong, [], model)
    return result.created
  }
  take('dcim.interface', 'device,name,type\nnew1,form0,1000base-t\nnew2,form0,1000base-t\n')
  take(
    'dcim.cable',
    'side_a_site,side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status\n' +
      'lab,new1,dcim.interface,form0,new2,dcim.interface,form0,connected\n',
  )
  const [cable] = (await get('dcim/cables/?ordering=-id&limit=1')).results
  assert.deepEqual([cable.a_terminations[0].object.device.name, cable.b_terminations[0].object.name], ['new1', 'form0'])
  take('ipam.ipaddress', 'address,status,device,interface,is_primary\n10.77.0.1/24,active,new1,form0,true\n')
  take('dcim.macaddress', 'mac_address,device,interface,is_primary\n00:00:5E:00:53:99,new1,form0,yes\n')
  const [device] = (await get('dcim/devices/?name=new1')).results
  assert.equal(device.primary_ip4.address, '10.77.0.1/24')
  const [port] = (await get('dcim/interfaces/?name=form0&device=new1')).results
  assert.equal(port.mac_address, '00:00:5E:00:53:99')
  take('ipam.vlangroup', 'name,slug,vid_ranges\nForm,form,"1-99,200"\n')
  assert.deepEqual((await get('ipam/vlan-groups/?slug=form')).results[0].vid_ranges, [
    [1, 99],
    [200, 200],
  ])
  take('ipam.vlan', 'vid,name,group,status\n77,Form77,Form,active\n')
  take(
    'ipam.prefix',
    'prefix,vlan_group,vlan,status,scope_type,scope_name\n10.77.0.0/16,Form,77,active,dcim.site,Lab\n',
  )
  const [prefix] = (await get('ipam/prefixes/?prefix=10.77.0.0/16')).results
  assert.deepEqual([prefix.vlan.vid, prefix.scope.slug], [77, 'lab'])
  const [user] = (await get('users/users/?limit=1')).results
  take(
    'dcim.rackreservation',
    `site,rack,user,units,status,description\nlab,R1,${user.username},"30-31,33",active,form\n`,
  )
  assert.deepEqual((await get('dcim/rack-reservations/?q=form')).results[0].units, [30, 31, 33])
})

test('a preview tells what would happen to each line, and keeps nothing', async () => {
  const { count } = await get('dcim/sites/?limit=1')
  const site = await get(`dcim/sites/${ids.lab}/`)
  const text = `- {id: ${site.id}, name: ${site.name}}\n- {id: ${site.id}, name: Other}\n- {name: Third, slug: third}\n`
  const table = parse(text, 'yaml')
  const result = importTable(writing(client), modelNamed('dcim.site'), table, { isPreview: true })
  assert.deepEqual(
    result.lines.map(({ line, action }) => [line, action]),
    [
      [1, 'nothing'],
      [2, 'change'],
      [3, 'create'],
    ],
  )
  assert.deepEqual([result.created, result.changed, result.unchanged], [1, 1, 1])
  assert.deepEqual(
    [(await get('dcim/sites/?limit=1')).count, (await get(`dcim/sites/${ids.lab}/`)).name],
    [count, site.name],
  )
  assert.deepEqual(parse('- a: 1\n  b: [\n', 'yaml').wrong.length > 0, true)
  assert.deepEqual(parse('{"a":', 'json').wrong[0]!.line, 1)
})
