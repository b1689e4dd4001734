import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from '../support/problems.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, device, conflicts, sync, areSame } = sides

test('who has a place is who the rule says: a device of that name of a tenant is not in the way', async () => {
  const tenant = await make('tenancy/tenants', { name: 'Acme', slug: 'acme' })
  const tenants = await make('dcim/devices', device('core', { tenant: tenant.id }))
  await sync('pull')
  const mine = await makeHere('dcim/devices', device('core'))
  const other = await make('dcim/devices', device('core'))
  assert.equal((await sides.kit.sync('push')).code, 1)
  const [conflict, ...rest] = conflicts()
  assert.equal(rest.length, 0)
  assert.match(JSON.stringify(conflict.ours), new RegExp(`\\(${mine.id}\\)`))
  assert.match(JSON.stringify(conflict.theirs), new RegExp(`\\(${other.id}\\)`))
  await sync('push', { theirs: true })
  const names = []
  for (const { id } of [tenants, mine, other]) names.push((await there('GET', `dcim/devices/${id}`)).name)
  assert.deepEqual(names, ['core', 'core (van)', 'core'])
  await areSame('dcim/devices')
})

test('a circle is who closes it, and who gives way goes back where it was; others below are untouched', async () => {
  const groups: { id: number }[] = []
  for (const name of ['top', 'low', 'high', 'old'])
    groups.push(
      await make('dcim/site-groups', { name, slug: name, ...(name === 'low' ? { parent: groups[0]!.id } : {}) }),
    )
  const [top, low, high, old] = groups.map(({ id }) => id) as [number, number, number, number]
  await there('PATCH', `dcim/site-groups/${high}`, { parent: old })
  await sync('pull')
  await here('PATCH', `dcim/site-groups/${top}`, { parent: high })
  await there('PATCH', `dcim/site-groups/${high}`, { parent: low })
  await there('PATCH', `dcim/site-groups/${low}`, { description: 'kept' })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts().map(({ key }) => key),
    [`dcim.sitegroup:${high}.parent`],
  )
  assert.equal(conflicts()[0].if_ours, `site group high has the parent old (${old})`)
  await sync('push', { ours: true })
  const group = (id: number) => there('GET', `dcim/site-groups/${id}`)
  assert.deepEqual([(await group(top)).parent.id, (await group(high)).parent.id], [high, old])
  assert.equal((await group(low)).description, 'kept')
  await areSame('dcim/site-groups')
})

test('what is unique with the object that it belongs to gives way by that, back to where it was', async () => {
  const contact = (await make('tenancy/contacts', { name: 'Ann' })).id
  const role = (await make('tenancy/contact-roles', { name: 'Admin', slug: 'admin' })).id
  const at = (object_id: number) => ({ object_type: 'dcim.site', object_id })
  for (const take of ['ours', 'theirs'] as const) {
    const sites = []
    for (const name of ['one', 'two', 'both'])
      sites.push((await make('dcim/sites', { name: `${name} ${take}`, slug: `${name}-${take}` })).id)
    const [one, two, both] = sites as [number, number, number]
    const first = await make('tenancy/contact-assignments', { ...at(one), contact, role })
    const second = await make('tenancy/contact-assignments', { ...at(two), contact, role })
    await sync('pull')
    await there('PATCH', `tenancy/contact-assignments/${first.id}`, at(both))
    await here('PATCH', `tenancy/contact-assignments/${second.id}`, { ...at(both), priority: 'primary' })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [take]: true })
    const objects = []
    for (const { id } of [first, second])
      objects.push((await there('GET', `tenancy/contact-assignments/${id}`)).object_id)
    assert.deepEqual(objects, take === 'ours' ? [one, both] : [both, two])
    await areSame('tenancy/contact-assignments')
  }
})

test('what moved before its role was deleted, to the place of another: asked about the place', async () => {
  for (const [moves, adds] of [
    [here, there],
    [there, here],
  ] as const)
    for (const take of ['ours', 'theirs'] as const) {
      const slug = `${moves === here}-${take}`
      const contact = (await make('tenancy/contacts', { name: slug })).id
      const [old, next] = [
        (await make('tenancy/contact-roles', { name: slug, slug })).id,
        (await make('tenancy/contact-roles', { name: `${slug}-2`, slug: `${slug}-2` })).id,
      ]
      const body = { contact, object_type: 'dcim.site', object_id: sides.parts.site }
      const moved = (await make('tenancy/contact-assignments', { ...body, role: old })).id
      await sync('pull')
      const added = (await adds('POST', 'tenancy/contact-assignments', { ...body, role: next })).id
      await moves('PATCH', `tenancy/contact-assignments/${moved}`, { role: next })
      await moves('DELETE', `tenancy/contact-roles/${old}`)
      assert.equal((await sides.kit.sync('push')).code, 1)
      const [first] = sides.conflicts()
      assert.deepEqual([first.object_type, first.kind], ['tenancy.contactassignment', 'taken'])
      await sync('push', { [take]: true })
      const { results } = await there('GET', 'tenancy/contact-assignments')
      const stays = (moves === here) === (take === 'ours') ? moved : added
      const found = results.filter((each: any) => each.contact.id === contact && each.role.id === next)
      assert.deepEqual(
        found.map(({ id }: { id: number }) => id),
        [stays],
        slug,
      )
      await areSame('tenancy/contact-assignments', 'tenancy/contact-roles')
    }
})

/** Names and, where there are any, slugs of new objects of two models, and what else they need. */
const Named = [
  ['dcim/sites', (name: string) => ({ name, slug: name })],
  ['extras/custom-fields', (name: string) => ({ name, type: 'text', object_types: ['dcim.site'] })],
] as const

test('what changed names with each other on one side has them on the other, with its values', async () => {
  const { site } = sides.parts
  for (const [path, body] of Named)
    for (const renames of [here, there]) {
      const names = ['a', 'b', 'c'].map((name) => `${name}_${renames === here}`)
      const ids: number[] = []
      for (const name of names) ids.push((await make(path, body(name))).id)
      const values = Object.fromEntries(names.map((name) => [name, name]))
      if (path === 'extras/custom-fields') await there('PATCH', `dcim/sites/${site}`, { custom_fields: values })
      await sync('pull')
      const rename = (i: number, name: string) => renames('PATCH', `${path}/${ids[i]}`, { name })
      await rename(0, 'meanwhile')
      await rename(1, names[0]!)
      await rename(2, names[1]!)
      await rename(0, names[2]!)
      await sync('push')
      for (const [i, name] of [0, 1, 2].map((each) => [each, names[(each + 2) % 3]!] as const))
        assert.equal((await there('GET', `${path}/${ids[i]}`)).name, name)
      if (path === 'extras/custom-fields') {
        const { custom_fields } = await there('GET', `dcim/sites/${site}`)
        assert.deepEqual(
          names.map((name) => custom_fields[name]),
          [names[1], names[2], names[0]],
        )
      }
      await areSame(path, 'dcim/sites')
    }
})

test('a name that one object is to leave for one that it cannot have: one question', async () => {
  for (const [path, body] of Named)
    for (const turns of [
      ['theirs', 'ours'],
      ['theirs', 'theirs'],
      ['ours', 'ours'],
      ['ours', 'theirs'],
    ] as const) {
      const [first, second] = [`first_${turns.join('_')}`, `second_${turns.join('_')}`]
      const { id } = await make(path, body(`old_${turns.join('_')}`))
      await sync('pull')
      await here('PATCH', `${path}/${id}`, { name: first })
      await here('POST', path, { ...body(second), ...(path === 'dcim/sites' ? { slug: `${second}-here` } : {}) })
      await there('PATCH', `${path}/${id}`, { name: second })
      await there('POST', path, { ...body(first), ...(path === 'dcim/sites' ? { slug: `${first}-there` } : {}) })
      await sides.inTurn(turns)
      const { results } = await there('GET', path)
      const names = results.map((each: any) => each.name).filter((name: string) => name.includes(turns.join('_')))
      const wanted = turns[0] === 'theirs' ? second : first // by two of them
      assert.deepEqual(names.sort(), [first, second, `${wanted} (van)`].sort())
      await areSame(path, 'dcim/sites')
    }
})

test('a cluster that comes to a site with its location, where one of its name came on the other side', async () => {
  const type = (await make('virtualization/cluster-types', { name: 'Kinds', slug: 'kinds' })).id
  for (const [moves, take] of [
    [here, 'ours'],
    [here, 'theirs'],
    [there, 'ours'],
  ] as const) {
    const name = `cluster-${moves === here}-${take}`
    const site = (await make('dcim/sites', { name, slug: name })).id
    const location = (await make('dcim/locations', { name, slug: name, site: sides.parts.site })).id
    const body = { name, type, scope_type: 'dcim.location' }
    const { id } = await make('virtualization/clusters', { ...body, scope_id: location })
    await sync('pull')
    await moves('PATCH', `dcim/locations/${location}`, { site })
    await (moves === here ? there : here)('POST', 'virtualization/clusters', {
      ...body,
      scope_type: 'dcim.site',
      scope_id: site,
    })
    await sync('push', { [take]: true })
    const found = [(await there('GET', `dcim/locations/${location}`)).site.id]
    found.push((await there('GET', `virtualization/clusters/${id}`)).name)
    const place = moves === here ? site : sides.parts.site
    assert.deepEqual(found, [place, take === 'theirs' ? `${name} (van)` : name])
    await areSame('virtualization/clusters', 'dcim/locations')
  }
})

test('a device that comes to a site with its location or rack, where one of its name came meanwhile', async () => {
  const { type, role } = sides.parts
  for (const [i, [moves, take, by]] of (
    [
      [here, 'ours', 'locations'],
      [there, 'theirs', 'racks'],
      [here, 'theirs', 'racks'],
      [there, 'ours', 'locations'],
    ] as const
  ).entries()) {
    const site = (await make('dcim/sites', { name: `goal ${i}`, slug: `goal-${i}` })).id
    const body = { device_type: type, role }
    const name = `goes ${i}`
    const slug = by === 'locations' ? { slug: `goes-${i}` } : {}
    const holder = (await make(`dcim/${by}`, { name, ...slug, site: sides.parts.site })).id
    const within = { site: sides.parts.site, [by.slice(0, -1)]: holder }
    await make('dcim/devices', { ...body, ...within, name: `Twin ${i}` })
    await sync('pull')
    await moves('PATCH', `dcim/${by}/${holder}`, { site })
    await (moves === here ? there : here)('POST', 'dcim/devices', { ...body, site, name: `twin ${i}` })
    await sync('push', { [take]: true })
    await areSame('dcim/devices', 'dcim/locations', 'dcim/racks')
    assert.deepEqual(problemsOf(sides.source.running.store), [])
  }
})
