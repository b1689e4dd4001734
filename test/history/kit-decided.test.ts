import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { kitCommand } from '../support/kit.ts'
import { login } from '../support/session.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame, conflicts } = sides
const file = () => join(sides.kit.data, 'decided.json')
const decided = (path = file()): any[] => JSON.parse(readFileSync(path, 'utf8')).conflicts

test('what an option decided is told, also what nobody had seen, and stands in a file with both values', async () => {
  const { site } = sides.parts
  const old = await make('dcim/site-groups', { name: 'Halls', slug: 'halls' })
  await sync('pull')
  assert.ok(!existsSync(file()))
  await here('PATCH', `dcim/sites/${site}`, { facility: 'ours' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'theirs' })
  await here('DELETE', `dcim/site-groups/${old.id}`)
  const fresh = await makeHere('dcim/site-groups', { name: 'Halls', slug: 'halls' })
  await there('PATCH', `dcim/site-groups/${old.id}`, { description: 'changed', tags: [sides.parts.tag] })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.ok(!existsSync(file()), 'nothing is decided yet')
  const keys = [`dcim.site:${site}.facility`, `dcim.sitegroup:${old.id}`]
  assert.deepEqual(
    conflicts()
      .map(({ key }) => key)
      .sort(),
    keys,
  )
  const tried = await sides.kit.sync('push', { theirs: true, 'dry-run': true })
  assert.match(tried.out, /^would be decided for theirs: dcim.site \d+ "Lab", facility: /m)
  assert.ok(!existsSync(file()), 'a dry run leaves nothing')
  const said = await sync('push', { theirs: true })
  assert.match(said, /^decided for theirs: dcim.site \d+ "Lab", facility: the value of the other side is taken$/m)
  assert.match(said, /^ {2}ours: ours {3}theirs: theirs$/m)
  assert.match(said, /^decided for theirs: .* "Halls", name: site group Halls has the name Halls \(van\)$/m)
  assert.match(said, /decided\.json keeps what gave way/)
  const found = new Map(decided().map((each) => [each.key, each]))
  assert.deepEqual([...found.keys()].sort(), [
    ...keys,
    `dcim.sitegroup:${old.id}.name`,
    `dcim.sitegroup:${old.id}.slug`,
  ])
  const facility = found.get(keys[0])
  assert.deepEqual([facility.take, facility.ours, facility.theirs], ['theirs', 'ours', 'theirs'])
  assert.deepEqual(found.get(keys[1]).theirs, {
    description: 'changed',
    tags: [`Blue (${sides.parts.tag})`],
  })
  assert.deepEqual(found.get(`dcim.sitegroup:${old.id}.name`).ours, {
    [`site group Halls (${fresh.id})`]: { name: 'Halls' },
  })
  await areSame('dcim/sites', 'dcim/site-groups')
})

test('a decision is looked up on the page, and undo takes it back, on the side that gave way', async () => {
  const { site } = sides.parts
  const session = await login(sides.kit, 'admin', sides.kit.password)
  const { text } = await session.get('/kit/')
  for (const part of ['Decided', 'Halls', 'theirs']) assert.ok(text.includes(part), part)
  const query = `/api/core/object-changes/?changed_object_id=${site}&limit=9`
  const last = async (client: typeof sides.kit | typeof sides.source) =>
    (await client.call('GET', query)).json.results.find((each: any) => each.changed_object_type === 'dcim.site')
  await here('POST', 'core/object-changes/revert', { id: (await last(sides.kit)).id })
  assert.equal((await here('GET', `dcim/sites/${site}`)).facility, 'ours')
  await sync('push')
  assert.equal((await there('GET', `dcim/sites/${site}`)).facility, 'ours')
  await areSame('dcim/sites')
})

test('a pull that cannot be committed says so in one line, and leaves nothing, in no file of decisions', async () => {
  const { site, p1 } = sides.parts
  await here('PATCH', `dcim/sites/${site}`, { facility: 'before' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'after' })
  const { db } = sides.kit.running.store
  const [before, noted] = [await here('GET', `dcim/sites/${site}`), readFileSync(file(), 'utf8')]
  db.raw.exec(
    'create trigger broken after update on dcim_site ' +
      `begin update dcim_interface set _path_id = 77 where id = ${p1}; end`,
  )
  await assert.rejects(sides.kit.sync('pull', { theirs: true }), ({ message }: Error) => {
    assert.match(message, /^Nothing was written: .*row \d+ of dcim_interface to one of dcim_cablepath.*$/)
    return true
  })
  db.raw.exec('drop trigger broken')
  assert.equal(readFileSync(file(), 'utf8'), noted)
  assert.deepEqual(await here('GET', `dcim/sites/${site}`), before)
  await sync('push', { ours: true })
  await areSame('dcim/sites', 'dcim/interfaces')
  writeFileSync(file(), noted) // without this decision, for what comes next
})

test('programs read what was decided as JSON', async () => {
  const { site } = sides.parts
  const disagree = async (text: string) => {
    await here('PATCH', `dcim/sites/${site}`, { facility: `ours ${text}` })
    await there('PATCH', `dcim/sites/${site}`, { facility: `theirs ${text}` })
  }
  await disagree('one')
  const open = await sides.kit.sync('push', { json: true })
  assert.equal(open.code, 1)
  assert.deepEqual(
    JSON.parse(open.out).conflicts.map(({ key }: any) => key),
    [`dcim.site:${site}.facility`],
  )
  const pushed = JSON.parse(await sync('push', { json: true, ours: true }))
  const { objects, counts, conflicts: left } = pushed
  assert.deepEqual([objects, counts, left], [1, { 'dcim.site': { update: 1 } }, []])
  assert.deepEqual(
    pushed.decided.map(({ key, take, ours, theirs }: any) => [key, take, ours, theirs]),
    [[`dcim.site:${site}.facility`, 'ours', 'ours one', 'theirs one']],
  )
  assert.equal(decided().length, 5, 'the file keeps what was decided before')
  await disagree('two')
  const pulled = JSON.parse(await sync('pull', { json: true, theirs: true }))
  assert.deepEqual([pulled.objects, pulled.decided[0].theirs], [1, 'theirs two'])
  await sync('push')
})

test('lists stay lists, and what hangs below what goes is told with its values, however deep', async () => {
  const { site } = sides.parts
  const of = { type: 'multiobject', related_object_type: 'dcim.site', object_types: ['dcim.site'] }
  await make('extras/custom-fields', { name: 'near', ...of })
  const other = await make('dcim/sites', { name: 'Other', slug: 'other' })
  const top = await make('dcim/platforms', { name: 'Top', slug: 'top' })
  await sync('pull')
  await here('PATCH', `dcim/sites/${site}`, { custom_fields: { near: [site, other.id] } })
  await there('PATCH', `dcim/sites/${site}`, { custom_fields: { near: [other.id] } })
  const middle = await makeHere('dcim/platforms', { name: 'Middle', slug: 'middle', parent: top.id })
  const low = await makeHere('dcim/platforms', { name: 'Low', slug: 'low', parent: middle.id, description: 'deep' })
  await there('DELETE', `dcim/platforms/${top.id}`)
  const pushed = JSON.parse(await sync('push', { json: true, theirs: true }))
  const near = pushed.decided.find(({ key }: any) => key === `dcim.site:${site}.custom_fields.near`)
  assert.deepEqual([near.ours, near.theirs], [[site, other.id], [other.id]])
  const below = pushed.decided.find(({ key }: any) => key === `dcim.platform:${middle.id}`)
  assert.equal(below.ours[`platform Low (${low.id})`].description, 'deep')
  await areSame('dcim/sites', 'dcim/platforms')
})

test('a bundle that is applied at the source says what was decided there, beside it', async () => {
  const { site } = sides.parts
  await here('PATCH', `dcim/sites/${site}`, { facility: 'of the kit' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'of the source' })
  const path = join(sides.kit.data, '..', 'decided-bundle')
  assert.equal((await kitCommand('bundle', sides.kit.data, { operands: [path] })).code, 0)
  const refused = await kitCommand('apply', sides.source.data, { operands: [path] })
  assert.equal(refused.code, 1)
  assert.match(
    refused.out,
    /--theirs-of,\nor by changing the objects here;/,
    'the page of a kit settles none of the source',
  )
  assert.ok(existsSync(`${path}.conflicts.json`))
  const tried = await kitCommand('apply', sides.source.data, {
    operands: [path],
    options: { ours: true, 'dry-run': true },
  })
  assert.match(tried.out, /would be decided for ours/)
  assert.ok(
    existsSync(`${path}.conflicts.json`) && !existsSync(`${path}.decided.json`),
    'a dry run leaves all as it was',
  )
  const { out } = await kitCommand('apply', sides.source.data, { operands: [path], options: { theirs: true } })
  assert.match(out, /^decided for theirs: dcim.site \d+ "Lab", facility: /m)
  assert.deepEqual(
    decided(`${path}.decided.json`).map(({ take, ours, theirs }) => [take, ours, theirs]),
    [['theirs', 'of the source', 'of the kit']],
  )
  for (const name of ['', '.decided.json']) rmSync(`${path}${name}`)
  await sync('push')
  await areSame('dcim/sites')
})

test('a master of a new chassis that a decision keeps in another is told of: the chassis goes without it', async () => {
  const device = await make('dcim/devices', sides.device('wanted'))
  await sync('pull')
  const own = await makeHere('dcim/virtual-chassis', { name: 'own' })
  await here('PATCH', `dcim/devices/${device.id}`, { virtual_chassis: own.id, vc_position: 4 })
  const other = await make('dcim/virtual-chassis', { name: 'other', master: device.id })
  assert.match(
    await sync('push', { ours: true }),
    new RegExp(
      `^decided for ours: dcim.virtualchassis ${other.id} "other", master: it refers to nothing\n` +
        `.*theirs: wanted \\(${device.id}\\)`,
      'm',
    ),
  )
  assert.equal((await there('GET', `dcim/virtual-chassis/${other.id}`)).master, null)
  assert.equal((await there('GET', `dcim/devices/${device.id}`)).virtual_chassis.id, own.id)
  await areSame('dcim/virtual-chassis', 'dcim/devices')
})

test('what one decision lets go and another keeps is there, and told of so', async () => {
  const { maker, p1 } = sides.parts
  const type = await make('dcim/device-types', { manufacturer: maker, model: 'Gone', slug: 'gone' })
  await sync('pull')
  const device = await makeHere('dcim/devices', sides.device('kept', { device_type: type.id }))
  const port = await makeHere('dcim/interfaces', { device: device.id, name: 'up', type: '1000base-t' })
  await makeHere('dcim/cables', { a_terminations: sides.end(port.id), b_terminations: sides.end(p1!) })
  await there('DELETE', `dcim/device-types/${type.id}`)
  const decisions = { theirs: true, 'ours-of': `dcim.interface:${port.id}` }
  const tried = await sides.kit.sync('push', { ...decisions, 'dry-run': true })
  assert.match(tried.out, /^would be decided for ours: dcim.devicetype \d+ "Gone"/m)
  await sync('push', decisions)
  const told = decided().filter(
    ({ key, detail }) => key === `dcim.devicetype:${type.id}` && /all the same/.test(detail),
  )
  assert.deepEqual(
    told.map(({ take }) => take),
    ['ours'],
  )
  assert.equal((await there('GET', `dcim/devices/${device.id}`)).device_type.id, type.id)
  await areSame('dcim/devices', 'dcim/device-types', 'dcim/cables')
})

test('what the other side made in something that goes by another decision is told with its values', async () => {
  const { maker, a } = sides.parts
  const type = (model: string) => make('dcim/module-types', { manufacturer: maker, model })
  const [first, second] = [await type('First'), await type('Second')]
  const bay = await make('dcim/module-bays', { device: a, name: 'swept' })
  const module = await make('dcim/modules', { device: a, module_bay: bay.id, module_type: first.id, status: 'active' })
  const old = await make('dcim/interfaces', { device: a, module: module.id, name: 'old', type: '1000base-t' })
  await sync('pull')
  await here('PATCH', `dcim/modules/${module.id}`, { module_type: second.id })
  await here('DELETE', `dcim/module-types/${first.id}`)
  await here('PATCH', `dcim/interfaces/${old.id}`, { label: 'of the kit' })
  await there('DELETE', `dcim/module-types/${second.id}`)
  const port = await make('dcim/rear-ports', {
    device: a,
    module: module.id,
    name: 'late',
    type: '8p8c',
    description: 'x',
  })
  const { decided } = JSON.parse(await sync('push', { theirs: true, json: true }))
  for (const [key, side, values] of [
    [`dcim.rearport:${port.id}`, 'theirs', { name: 'late', description: 'x' }],
    [`dcim.interface:${old.id}`, 'ours', { label: 'of the kit' }],
  ] as const) {
    const [told] = decided.filter((each: any) => each.key === key && each.take !== side)
    assert.deepEqual({ ...told[side], ...values }, told[side], key)
  }
  await areSame('dcim/modules', 'dcim/module-types', 'dcim/rear-ports', 'dcim/interfaces')
})

test('a dry run of a push with a decision says once what the push does then, and changes nothing', async () => {
  const { site } = sides.parts
  await here('PATCH', `dcim/sites/${site}`, { comments: 'of the kit' })
  await there('PATCH', `dcim/sites/${site}`, { comments: 'of the source' })
  const comments = async () =>
    Promise.all([here, there].map(async (ask) => (await ask('GET', `dcim/sites/${site}`)).comments))
  for (const take of ['ours', 'theirs'] as const) {
    const { code, out } = await sides.kit.sync('push', { [take]: true, 'dry-run': true })
    assert.equal(code, 0, out)
    assert.equal(out.match(/would be decided for/g)?.length, 1, out)
    assert.match(out, take === 'ours' ? /^would push 1 object$/m : /^nothing to push$/m)
    assert.deepEqual(await comments(), ['of the kit', 'of the source'])
  }
  const { json } = await sides.source.call('GET', '/api/core/kits/1/')
  const out = await sync('push', { ours: true })
  assert.match(out, /^decided for ours/m)
  assert.match(out, /^pushed 1 object$/m)
  assert.deepEqual(await comments(), ['of the kit', 'of the kit'])
  assert.equal((await sides.source.call('GET', '/api/core/kits/1/')).json.pushed, json.pushed + 1)
  await areSame('dcim/sites')
})
