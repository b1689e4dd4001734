import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, conflicts, sync, areSame } = sides

/** Who deletes, and who counts. */
const Ways = [
  ['there', 'ours'],
  ['there', 'theirs'],
  ['here', 'ours'],
  ['here', 'theirs'],
] as const
const field = sides.fieldsOf('dcim.site', 'dcim.rack')
const stored = async (id: number, name: string) => (await there('GET', `dcim/sites/${id}`)).custom_fields[name]

test('a custom field that one side deletes, the other gives values of: a conflict, no value goes unsaid', async () => {
  const { site } = sides.parts
  for (const [side, decision] of Ways) {
    const name = `f_${side}_${decision}`
    const { id } = await field(name, { default: 'preset' })
    const old = await make('dcim/sites', { name: `Old ${name}`, slug: `old_${name}`, custom_fields: { [name]: 'old' } })
    await sync('pull')
    const [deletes, writes, creates] = side === 'there' ? [there, here, makeHere] : [here, there, make]
    await deletes('DELETE', `extras/custom-fields/${id}`)
    await writes('PATCH', `dcim/sites/${site}`, { custom_fields: { [name]: 'written' } })
    const fresh = await creates('dcim/sites', { name, slug: name, custom_fields: { [name]: 'first' } })
    await creates('dcim/racks', { name, site }) // has the default, which nobody wrote
    assert.equal((await sides.kit.sync('push')).code, 1)
    const [conflict, ...others] = conflicts()
    assert.deepEqual([conflict.key, others.length], [`extras.customfield:${id}`, 0])
    const values = JSON.stringify(side === 'there' ? conflict.ours : conflict.theirs)
    for (const value of ['written', 'first']) assert.ok(values.includes(value), values)
    assert.ok(!values.includes('preset'), values)
    await sync('push', { [decision]: true })
    const isThere = (side === 'there') === (decision === 'ours')
    assert.deepEqual(
      [await stored(site!, name), await stored(fresh.id, name), await stored(old.id, name)],
      isThere ? ['written', 'first', 'old'] : [undefined, undefined, undefined],
      `${side} ${decision}`,
    )
    await areSame('dcim/sites', 'dcim/racks', 'extras/custom-fields')
  }
})

test('a custom field that one side deletes while the other gives it, and values of it, to another model', async () => {
  const { rack } = sides.parts
  for (const [side, decision] of Ways) {
    const name = `g_${side}_${decision}`
    const { id } = await field(name, { object_types: ['dcim.site'] })
    await sync('pull')
    const [deletes, writes] = side === 'there' ? [there, here] : [here, there]
    await deletes('DELETE', `extras/custom-fields/${id}`)
    await writes('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.rack'] })
    await writes('PATCH', `dcim/racks/${rack}`, { custom_fields: { [name]: 'written' } })
    assert.equal((await sides.kit.sync('push')).code, 1)
    const [conflict, ...others] = conflicts()
    assert.deepEqual([conflict.key, others.length], [`extras.customfield:${id}`, 0])
    assert.ok(JSON.stringify(side === 'there' ? conflict.ours : conflict.theirs).includes('written'))
    await sync('push', { [decision]: true })
    const { custom_fields } = await there('GET', `dcim/racks/${rack}`)
    assert.equal(custom_fields[name], (side === 'there') === (decision === 'ours') ? 'written' : undefined)
    await areSame('dcim/sites', 'dcim/racks', 'extras/custom-fields')
  }
})

test('a custom field that one side takes from a model while the other gives values of it', async () => {
  const { site } = sides.parts
  for (const decision of ['ours', 'theirs'] as const) {
    const { id } = await field(`t_${decision}`)
    await sync('pull')
    await there('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.rack'] })
    await here('PATCH', `dcim/sites/${site}`, { custom_fields: { [`t_${decision}`]: 'written' } })
    assert.equal((await sides.kit.sync('push')).code, 1)
    assert.deepEqual(
      conflicts().map(({ key }) => key),
      [`extras.customfield:${id}.object_types`],
    )
    await sync('push', { [`${decision}-of`]: `extras.customfield:${id}` })
    assert.equal(await stored(site!, `t_${decision}`), decision === 'ours' ? 'written' : undefined)
    await areSame('dcim/sites', 'extras/custom-fields')
  }
})

test('a value that was emptied on one side stays so where the field stays that the other took away', async () => {
  for (const [decision, writes, takes] of [
    ['ours', here, there],
    ['theirs', there, here],
  ] as const)
    for (const isDeleted of [false, true]) {
      const name = `emptied_${decision}_${isDeleted}`
      const { id } = await field(name, { object_types: ['dcim.site', 'dcim.rack'], default: 'preset' })
      const [given, emptied, left] = await Promise.all(
        ['given', 'emptied', 'left'].map((which) =>
          make('dcim/sites', { name: `${which} ${name}`, slug: `${which}-${name}`, custom_fields: { [name]: 'text' } }),
        ),
      )
      await sync('push')
      await writes('PATCH', `dcim/sites/${given!.id}`, { custom_fields: { [name]: 'written' } })
      await writes('PATCH', `dcim/sites/${emptied!.id}`, { custom_fields: { [name]: null } })
      if (isDeleted) await takes('DELETE', `extras/custom-fields/${id}`)
      else await takes('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.rack'] })
      await sync('push', { [decision]: true })
      for (const [which, value] of [
        [given, 'written'],
        [emptied, null],
        [left, 'text'],
      ] as const)
        assert.equal((await there('GET', `dcim/sites/${which!.id}`)).custom_fields[name], value, name)
      await areSame('dcim/sites', 'extras/custom-fields')
    }
})

test('who emptied what a custom field gave by default to another model has it empty on both sides', async () => {
  const { site } = sides.parts
  for (const [name, gives, takes] of [
    ['given_here', here, 'push'],
    ['given_there', there, 'pull'],
  ] as const) {
    const { id } = await field(name, { object_types: ['dcim.rack'], default: 'preset' })
    await sync('pull')
    await gives('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.rack', 'dcim.site'] })
    await gives('PATCH', `dcim/sites/${site}`, { custom_fields: { [name]: null } })
    await sync(takes)
    await sync('push')
    assert.equal(await stored(site!, name), null, name)
    await areSame('dcim/sites', 'extras/custom-fields')
  }
})

test('what both sides took a custom field from does not get it back with what one alone took it from', async () => {
  const { site, rack } = sides.parts
  for (const decision of ['ours', 'theirs'] as const) {
    const name = `b_${decision}`
    const { id } = await field(name, { object_types: ['dcim.site', 'dcim.rack', 'dcim.device'] })
    await there('PATCH', `dcim/racks/${rack}`, { custom_fields: { [name]: 'of old' } })
    await sync('pull')
    const [takes, writes] = decision === 'ours' ? [there, here] : [here, there]
    await takes('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.device'] })
    await writes('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.site'] })
    await writes('PATCH', `dcim/sites/${site}`, { custom_fields: { [name]: 'written' } })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [decision]: true })
    assert.deepEqual((await there('GET', `extras/custom-fields/${id}`)).object_types, ['dcim.site'])
    assert.equal(await stored(site!, name), 'written')
    assert.ok(!(name in (await there('GET', `dcim/racks/${rack}`)).custom_fields))
    await areSame('dcim/sites', 'dcim/racks', 'extras/custom-fields')
  }
})

test('a custom field that one side takes away while the other renames it and gives values of that name', async () => {
  const { site } = sides.parts
  for (const [side, how] of [
    ['here', 'taken'],
    ['there', 'taken'],
    ['here', 'deleted'],
    ['there', 'deleted'],
  ] as const) {
    const [old, name] = [`n_${side}_${how}`, `new_${side}_${how}`]
    const { id } = await field(old)
    await sync('pull')
    const [takes, writes] = side === 'there' ? [there, here] : [here, there]
    if (how === 'deleted') await takes('DELETE', `extras/custom-fields/${id}`)
    else await takes('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.rack'] })
    await writes('PATCH', `extras/custom-fields/${id}`, { name })
    await writes('PATCH', `dcim/sites/${site}`, { custom_fields: { [name]: 'written' } })
    assert.equal((await sides.kit.sync('push')).code, 1, `${side} ${how}`)
    assert.ok(JSON.stringify(conflicts()).includes('"written"'), `${side} ${how}: the value is shown`)
    await sync('push', side === 'here' ? { theirs: true } : { ours: true })
    assert.equal(await stored(site!, name), 'written', `${side} ${how}`)
    await areSame('dcim/sites', 'extras/custom-fields')
  }
})

test('what one side made has the defaults of custom fields that the other made meanwhile', async () => {
  const mine = await makeHere('dcim/sites', { name: 'Mine', slug: 'mine' })
  await field('late', { default: 'preset' })
  await sync('push')
  assert.equal(await stored(mine.id, 'late'), 'preset')
  const other = await make('dcim/sites', { name: 'Other', slug: 'other' })
  await makeHere('extras/custom-fields', {
    name: 'field',
    type: 'text',
    object_types: ['dcim.site'],
    default: 'outside',
  })
  await sync('push')
  assert.equal(await stored(other.id, 'field'), 'outside')
  await areSame('dcim/sites')
})

test('to give, rename or take away a custom field changes no objects: what the other side deleted goes', async () => {
  const { id } = await field('moved')
  const taken = await field('dropped')
  const made = []
  for (const name of ['G1', 'G2', 'G3', 'G4'])
    made.push(await make('dcim/racks', { name, site: sides.parts.site, custom_fields: { moved: name, dropped: name } }))
  await sync('pull')
  await makeHere('extras/custom-fields', { name: 'spread', type: 'text', object_types: ['dcim.rack'], default: 'x' })
  await makeHere('extras/custom-fields', { name: 'bare', type: 'text', object_types: ['dcim.rack'] })
  await here('PATCH', `extras/custom-fields/${id}`, { name: 'moved_on' })
  await here('DELETE', `extras/custom-fields/${taken.id}`)
  await here('PATCH', `dcim/racks/${made[2].id}`, { custom_fields: { moved_on: 'by hand' } })
  await here('PATCH', `dcim/racks/${made[3].id}`, { custom_fields: { bare: 'by hand' } })
  for (const each of made) await there('DELETE', `dcim/racks/${each.id}`)
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts().map(({ key }) => key),
    [`dcim.rack:${made[2].id}`, `dcim.rack:${made[3].id}`],
  )
  await sync('push', { theirs: true })
  await areSame('dcim/racks', 'extras/custom-fields')
})

test('two new custom fields of one name: one gets another name, and the values of both sides stay theirs', async () => {
  const { site } = sides.parts
  for (const decision of ['ours', 'theirs'] as const) {
    const name = `clash_${decision}`
    const body = (preset: string) => ({ name, type: 'text', object_types: ['dcim.site'], default: preset })
    await makeHere('extras/custom-fields', body('here'))
    await make('extras/custom-fields', body('there'))
    const mine = await makeHere('dcim/sites', { name: `Mine ${name}`, slug: `mine-${decision}` })
    const other = await make('dcim/sites', { name: `Other ${name}`, slug: `other-${decision}` })
    await here('PATCH', `dcim/sites/${site}`, { custom_fields: { [name]: 'written here' } })
    await there('PATCH', `dcim/sites/${site}`, { custom_fields: { [name]: 'written there' } })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [decision]: true })
    const given = { [decision === 'ours' ? 'there' : 'here']: `${name} (van)` }
    const seen = async (id: number) => {
      const { custom_fields: values } = await there('GET', `dcim/sites/${id}`)
      return [values[given.here ?? name], values[given.there ?? name]]
    }
    assert.deepEqual(await seen(site!), ['written here', 'written there'], decision)
    for (const { id } of [mine, other]) assert.deepEqual(await seen(id), ['here', 'there'], decision)
    await areSame('dcim/sites', 'extras/custom-fields')
  }
})

test('values of new fields of one name are told of by the name that they have on their side', async () => {
  const { maker, site } = sides.parts
  const body = { name: 'twice', type: 'text', object_types: ['dcim.device'], default: 'preset' }
  const type = await make('dcim/device-types', { manufacturer: maker, model: 'Twice', slug: 'twice' })
  await sync('pull')
  await makeHere('extras/custom-fields', body)
  await make('extras/custom-fields', body)
  await there('DELETE', `dcim/device-types/${type.id}`)
  const values = { site, custom_fields: { twice: 'mine' } }
  await makeHere('dcim/devices', sides.device('twice', { ...values, device_type: type.id }))
  await sync('push', { theirs: true })
  const { conflicts: decided } = JSON.parse(readFileSync(join(sides.kit.data, 'decided.json'), 'utf8'))
  const { ours } = decided.find(({ key }: { key: string }) => key === `dcim.devicetype:${type.id}`)
  const [shown] = Object.values(ours) as any[]
  assert.equal(shown['custom_fields.twice'], 'mine')
  await areSame('dcim/devices', 'extras/custom-fields')
})

test('a new custom field with the name that another got there, which is taken from its objects', async () => {
  const { maker } = sides.parts
  for (const [renames, makes] of [
    [here, there],
    [there, here],
  ] as const)
    for (const taker of [here, there])
      for (const take of ['ours', 'theirs'] as const) {
        const name = `passed_${renames === here}_${taker === here}_${take}`
        const body = { type: 'text', default: 'preset', object_types: ['dcim.manufacturer'] }
        const { id } = await make('extras/custom-fields', { ...body, name: `${name}_old` })
        await sync('pull')
        await makes('POST', 'extras/custom-fields', { ...body, name })
        await taker('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.site'] })
        await renames('PATCH', `extras/custom-fields/${id}`, { name })
        await sync('push', { [take]: true })
        const { custom_fields } = await there('GET', `dcim/manufacturers/${maker}`)
        const values = Object.entries(custom_fields).filter(([key]) => key.startsWith(name))
        assert.deepEqual(
          values.map(([, value]) => value),
          ['preset'],
          name,
        )
        await areSame('dcim/manufacturers', 'extras/custom-fields')
      }
})

test('a custom field that goes and one of its name that comes are two: the new values stay', async () => {
  const { site } = sides.parts
  const old = await field('again')
  await there('PATCH', `dcim/sites/${site}`, { custom_fields: { again: 'old' } })
  await sync('pull')
  await there('DELETE', `extras/custom-fields/${old.id}`)
  await field('again')
  await there('PATCH', `dcim/sites/${site}`, { custom_fields: { again: 'new' } })
  const fresh = await make('dcim/sites', { name: 'Again', slug: 'again', custom_fields: { again: 'newer' } })
  await sync('pull')
  for (const [id, value] of [
    [site, 'new'],
    [fresh.id, 'newer'],
  ])
    assert.equal((await here('GET', `dcim/sites/${id}`)).custom_fields.again, value)
  await areSame('dcim/sites', 'extras/custom-fields')
})

test('the models of a custom field are a set: what each side added and took is merged', async () => {
  const { site } = sides.parts
  const { id } = await field('set')
  await sync('pull')
  await here('PATCH', `extras/custom-fields/${id}`, { object_types: ['dcim.site', 'dcim.rack', 'dcim.device'] })
  await there('PATCH', `extras/custom-fields/${id}`, { object_types: ['tenancy.tenant', 'dcim.site'] })
  await sync('push')
  const types = async () => (await there('GET', `extras/custom-fields/${id}`)).object_types.sort()
  assert.deepEqual(await types(), ['dcim.device', 'dcim.site', 'tenancy.tenant'])
  // Each takes it from what the other writes values to: one decision, which shows both.
  await there('PATCH', `dcim/devices/${sides.parts.a}`, { custom_fields: { set: 'there' } })
  await here('PATCH', `dcim/sites/${site}`, { custom_fields: { set: 'here' } })
  await there('PATCH', `extras/custom-fields/${id}`, { object_types: ['tenancy.tenant', 'dcim.device'] })
  await here('PATCH', `extras/custom-fields/${id}`, { object_types: ['tenancy.tenant', 'dcim.site', 'dcim.rack'] })
  assert.equal((await sides.kit.sync('push')).code, 1)
  const [conflict, ...others] = conflicts()
  assert.deepEqual([conflict.key, others.length], [`extras.customfield:${id}.object_types`, 0])
  for (const [values, said] of [
    [conflict.ours, ['"here"', 'dcim.rack']],
    [conflict.theirs, ['"there"', 'dcim.device']],
  ])
    for (const each of said) assert.ok(JSON.stringify(values).includes(each), `${each}: ${JSON.stringify(values)}`)
  await sync('push', { ours: true })
  assert.deepEqual(await types(), ['dcim.rack', 'dcim.site', 'tenancy.tenant'])
  assert.equal(await stored(site!, 'set'), 'here')
  await areSame('dcim/sites', 'dcim/devices', 'extras/custom-fields')
})

test('a device whose custom fields alone come or go is not written: what is in its bays stays there', async () => {
  const { maker, role, site } = sides.parts
  const type = (model: string, subdevice_role: string) =>
    make('dcim/device-types', { manufacturer: maker, model, slug: model, u_height: 0, subdevice_role })
  const [parent, child] = [await type('holder', 'parent'), await type('held', 'child')]
  const far = await make('dcim/sites', { name: 'Far', slug: 'far' })
  for (const [made, field] of [
    [make, makeHere],
    [makeHere, make],
  ] as const) {
    const name = made === make ? 'there' : 'here'
    const held = await make('dcim/devices', { site: far.id, role, device_type: child.id, name: `held ${name}` })
    await sync('pull')
    const holder = await made('dcim/devices', { site, role, device_type: parent.id, name: `holder ${name}` })
    await made('dcim/device-bays', { device: holder.id, name: 'bay', installed_device: held.id })
    await field('extras/custom-fields', {
      name: `own_${name}`,
      type: 'text',
      object_types: ['dcim.device'],
      default: 'x',
    })
    await sync('push')
    const seen = await there('GET', `dcim/devices/${held.id}`)
    assert.deepEqual([seen.site.id, seen.custom_fields[`own_${name}`]], [far.id, 'x'])
    await areSame('dcim/devices', 'dcim/device-bays')
  }
})
