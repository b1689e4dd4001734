import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { csvOf } from '../../src/csv/export.ts'
import { importCsv } from '../../src/csv/import.ts'
import { modelOf } from '../../src/csv/model.ts'
import { allModels, modelNamed } from '../../src/registry/catalog.ts'
import { run, scratch, start } from '../support/cli.ts'
import { fill } from '../support/inventory.ts'
import { type Client, serve } from '../support/server.ts'

const client: Client = await serve()
const ids = await fill(client.call)
const store = () => client.running.store
const exported = (model: string): string => [...csvOf(store(), modelNamed(model))].join('')
const imported = (model: string, text: string, isNew = false) =>
  importCsv(store(), modelNamed(model), text, isNew, () => undefined)
const get = async (path: string): Promise<any> => (await client.call('GET', `/api/${path}`)).json

test('what is exported can be imported again, of every model, and changes nothing', async () => {
  for (const m of allModels) {
    if (m.internal || (m.methods && !m.methods.includes('POST')) || ['users.token'].includes(m.name)) continue
    const list = async () =>
      (await get(`${m.path}/?limit=0&ordering=id`)).results.map(({ last_updated: _, ...rest }: any) => rest)
    const was = await list()
    const result = imported(m.name, exported(m.name))
    assert.deepEqual(result, { created: 0, changed: was.length, wrong: [] }, m.name)
    assert.deepEqual(await list(), was, m.name)
  }
})

test('references are names where these are distinct, and ids where they are not', () => {
  assert.match(
    exported('dcim.rack').split('\n')[0]!,
    /^id,name,facility_id,site\.slug,location\.slug,group\.slug,tenant\.slug,/,
  )
  const sites = exported('dcim.site')
  assert.match(sites.split('\n')[0]!, /,tags,cf_backup,cf_bought,cf_facts,cf_partners,cf_tier$/)
  assert.match(sites, /,core,,2024-02-29,"\{""a"":\[2\],""b"":1\}",,a$/m)
  assert.match(exported('ipam.vlangroup'), /"\[\[1,99\],\[200,299\]\]"/)
  assert.match(exported('ipam.service'), /,"22,2222",/)
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
  assert.deepEqual(result, { created: 2, changed: 0, wrong: [] })
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
    '\ufeffname,slug,status,region.slug,tenant,latitude,cf_bought,cf_facts\nFine,fine,active,alps,,,,\nBad,"not\n a slug",sleeping,nowhere,,95,,\nWorse,worse,active,,nobody,,,\nWorst,worst,active,,,,someday,\nJ,j,active,,,,,{\nX,x,active,,,,,,9\nFine,fine2,,,,,,\n',
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
  assert.deepEqual([done.code, done.stdout, done.stderr], [0, '1 created, 0 changed\n', ''])
  const again = await run(['import', 'csv', 'dcim.manufacturer', file, '--new', '--data', data])
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^line 2, column name: .*\n(line 2, column slug: .*\n)?cabinet: nothing was imported\n$/)
  const shown = await run(['export', 'csv', 'dcim/manufacturers', '--data', data])
  assert.deepEqual([shown.code, shown.stdout], [0, readFileSync(file, 'utf8')])
})
