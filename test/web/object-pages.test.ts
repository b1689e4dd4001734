import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import { filtersOf } from '../../src/engine/filters.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { panelsOf, specialTabs } from '../../src/web/parts/index.ts'
import { columnOf } from '../../src/web/table.ts'
import { words } from '../../src/web/words.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login, loginAs } from '../support/session.ts'

/**
 * What people are used to find on the page of an object: members (`label=path`), tables of other objects, other parts,
 * tabs.
 */
interface Known {
  members?: string
  tables?: string
  parts?: string[]
  tabs?: string
}
const known = JSON.parse(readFileSync(new URL('object-pages.json', import.meta.url), 'utf8')) as Record<string, Known>

/** Members that stand under another name, or in a panel of their own. */
const Elsewhere: Readonly<Record<string, string>> = {
  'circuits.circuittermination connection': 'panel',
  'circuits.virtualcircuit provider': 'provider_network.provider',
  'dcim.interface tunnel': 'vpn.tunneltermination',
  'dcim.interface l2vpn': 'l2vpn_termination',
  'dcim.rackreservation region': 'rack.site.region',
  'dcim.rackreservation site': 'rack.site',
  'dcim.rackreservation location': 'rack.location',
  'dcim.rackreservation group': 'rack.group',
  'dcim.rackreservation name': 'rack',
  'extras.customfieldchoiceset choices_for': 'extras.customfield',
  'ipam.asnrange range': 'end',
  'ipam.vlan l2vpn': 'l2vpn_termination',
  'users.token token': 'panel',
  'users.user full_name': 'last_name',
  'users.user is_superuser': 'superuser',
  'virtualization.vminterface tunnel_termination': 'vpn.tunneltermination',
}
/** What is knowingly not there, and why. */
const Absent: Readonly<Record<string, string>> = {
  'extras.webhook Additional Headers': 'they hold credentials',
  'extras.webhook secret': 'a secret is set, and never shown again',
  'core.datasource Backend': 'the parameters of a source hold passwords',
}
/**
 * Where the other parts are: a member, a table of a model (`own`: of the same), `panel` for one with a file of its own,
 * or a `tab`.
 */
const Parts: Readonly<Record<string, string>> = {
  Termination: 'circuits.circuittermination',
  Content: 'panel',
  Data: 'data',
  'objectchange difference': 'panel',
  'objectchange prechange': 'panel',
  'objectchange postchange': 'panel',
  'objectchange related': 'panel',
  'cable termination a': 'panel',
  'cable termination b': 'panel',
  Connection: 'panel',
  'Inventory Items': 'dcim.inventoryitem',
  'Virtual Chassis Members': 'dcim.device',
  'Power Utilization': 'panel',
  'device rack elevations': 'panel',
  'front port mappings': 'panel',
  'rear port mappings': 'panel',
  'Virtual Device Contexts': 'dcim.virtualdevicecontext',
  'Virtual Circuit': 'panel',
  Wireless: 'panel',
  'Wireless LANs': 'panel',
  'FHRP Groups': 'ipam.fhrpgroupassignment',
  'LAG Members': 'own',
  'VLAN Translation': 'ipam.vlantranslationrule',
  'Bridged Interfaces': 'own',
  'Child Interfaces': 'own',
  Schema: 'schema',
  'JSON Schema': 'schema',
  'module type': 'module_type.attributes',
  'module type attributes': 'attributes',
  'rack elevations': 'panel',
  'rack reservation elevations': 'panel',
  'datafile panel': 'data_path',
  Assignment: 'regions',
  'configcontext data': 'data',
  'Environment Parameters': 'environment_params',
  Template: 'template_code',
  'Custom Field Choice Set Choices': 'extra_choices',
  'Object Types': 'object_types',
  'Assigned Models': 'object_types',
  'Link Text': 'link_text',
  'Link URL': 'link_url',
  'Event Types': 'event_types',
  Conditions: 'conditions',
  Groups: 'groups',
  Users: 'users',
  Parameters: 'parameters',
  'Columns Displayed': 'columns',
  Ordering: 'ordering',
  'Allowed Object Types': 'object_types',
  'Tagged Item Types': 'tab objects',
  'Tagged Objects': 'tab objects',
  'Additional Headers': 'additional_headers',
  'Body Template': 'body_template',
  Members: 'ipam.fhrpgroupassignment',
  'Parent prefixes': 'ipam.prefix',
  'Duplicate prefixes': 'ipam.prefix',
  'Duplicate IPs': 'ipam.ipaddress',
  'prefix addressing': 'panel',
  'Import route targets': 'ipam.routetarget',
  'Export route targets': 'ipam.routetarget',
  'Import Route Targets': 'ipam.routetarget',
  'Export Route Targets': 'ipam.routetarget',
  Actions: 'actions',
  Constraints: 'constraints',
  'object types': 'object_types',
  'Example Usage': 'panel',
  'Recent Activity': 'core.objectchange',
  'cluster resources': 'allocated_memory',
  'virtual machine resources': 'memory',
  'Interface A': 'panel',
  'Interface B': 'panel',
}
/** Panels and tabs that come with what a model is, and show objects of these. */
const ByFeature: Readonly<Record<string, string>> = { 'extras.imageattachment': 'image_attachments' }

const sides = ['top', 'left', 'right', 'wide'] as const
const shownBy = (m: AnyModel) => {
  const { panels, tables = [], tabs = {} } = m.pages ?? {}
  const members = new Set(panels ? Object.values(panels).flatMap(words) : Object.keys(m.fields))
  const models = new Set([...tables, ...Object.values(tabs).filter((tab) => tab !== true)].map(([name]) => name))
  const special = sides.flatMap((side) => panelsOf(m, side))
  const tabNames = new Set([
    ...Object.keys(tabs),
    ...Object.entries(specialTabs).flatMap(([name, tab]) => (tab.of?.(m) ? [name] : [])),
  ])
  return (what: string): boolean =>
    what === 'panel'
      ? special.length > 0
      : what.startsWith('tab ')
        ? tabNames.has(what.slice(4))
        : members.has(what) ||
          models.has(what) ||
          (what === 'ipam.prefix' && special.length > 0) ||
          m.features?.includes(ByFeature[what] as never) === true
}

test('the pages of objects show what people are used to find there, and say what they leave out', () => {
  const missing: string[] = []
  const used = new Set<string>()
  for (const [name, { members, tables, parts, tabs }] of Object.entries(known)) {
    const m = modelNamed(name)
    const isShown = shownBy(m)
    const check = (what: string, at: readonly string[]) => {
      const key = `${name} ${what}`
      if (Absent[key]) used.add(key)
      if (Boolean(Absent[key]) === at.some(isShown)) missing.push(`${key}${Absent[key] ? ': is there, or is it?' : ''}`)
    }
    for (const member of words(members)) {
      const [own = '', path = own] = member.split('=')
      const other = Elsewhere[`${name} ${own}`]
      if (other) used.add(`${name} ${own}`)
      check(own, [other ?? own, path, path.split('.')[0]!])
    }
    for (const of of words(tables)) check(of, [of])
    for (const part of parts ?? []) check(part, [Parts[part] === 'own' ? name : (Parts[part] ?? '')])
    for (const tab of words(tabs)) check(`tab ${tab}`, [`tab ${tab}`])
  }
  assert.deepEqual(missing, [])
  const stale = [...Object.keys(Absent), ...Object.keys(Elsewhere)].filter((key) => !used.has(key))
  assert.deepEqual(stale, [], 'named, and asked for no more')
})

test('tables of an object name it by a parameter that is about its kind', () => {
  const odd: string[] = []
  for (const m of allModels)
    for (const [name, query] of [...(m.pages?.tables ?? []), ...Object.values(m.pages?.tabs ?? {})].filter(
      (each) => each !== true,
    )) {
      const parts = query.split('&')
      for (const part of parts.filter((each) => !each.includes('='))) {
        const control = filtersOf(modelNamed(name)).get(part)?.control
        const kind = parts.find((each) => each === `${part.replace(/_id$/, '')}_type=${m.name}`)
        const isNamed = `${m.name.split('.')[1]}_id` === part.replace(/_(?!id$)/g, '')
        const isOwn =
          part === 'id__n' || (control?.as === 'pick' ? control.model === m.name : kind !== undefined || isNamed)
        if (!isOwn) odd.push(`${m.name}: ${name} by ${part}`)
      }
    }
  assert.deepEqual(odd, [])
})

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)
const headings = (page: string) =>
  [...page.matchAll(/<h2>([\s\S]*?)<\/h2>/g)].map(([, text]) =>
    text!
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )

test('an interface shows what belongs to it, and a table of nothing only where one adds to it', async () => {
  const device = await make.fresh('dcim.device')
  const policy = await make.fresh('ipam.vlantranslationpolicy', { name: 'Swap' })
  await make.fresh('ipam.vlantranslationrule', { policy, local_vid: 17, remote_vid: 71 })
  const own = await make.fresh('dcim.interface', {
    device,
    name: 'lag0',
    type: 'lag',
    mode: 'tagged',
    vlan_translation_policy: policy,
  })
  await make.fresh('dcim.interface', { device, name: 'member0', type: '1000base-t', lag: own })
  const item = { device, name: 'optic0', component_type: 'dcim.interface', component_id: own }
  await make.fresh('dcim.inventoryitem', item)
  const shown = (await browser.get(`/dcim/interfaces/${own}/`)).text
  for (const name of ['LAG members', 'Inventory items', 'VLAN translation'])
    assert.ok(
      headings(shown).some((text) => text.startsWith(name)),
      `${name}: ${headings(shown).join()}`,
    )
  for (const name of ['member0', 'optic0', '>17<', '>71<']) assert.ok(shown.includes(name), name)
  assert.ok(!headings(shown).some((text) => /^(?:Child|Bridged)/.test(text)))
})

test('an inventory item shows the items in it, a circuit both of its ends', async () => {
  const device = await make.fresh('dcim.device')
  const parent = await make.fresh('dcim.inventoryitem', { device, name: 'chassis-item' })
  await make.fresh('dcim.inventoryitem', { device, parent, name: 'inner-item' })
  const inner = (await browser.get(`/dcim/inventory-items/${parent}/children/`)).text
  assert.match(inner, /inner-item/)
  assert.doesNotMatch(inner.slice(inner.indexOf('<table')), /chassis-item<\/a><td/)
  const circuit = await make.fresh('circuits.circuit', { cid: 'two-ended' })
  const site = await make.fresh('dcim.site', { name: 'Far end' })
  for (const term_side of ['A', 'Z'])
    await make.fresh('circuits.circuittermination', {
      circuit,
      term_side,
      termination_type: 'dcim.site',
      termination_id: site,
    })
  const group = await make.fresh('circuits.circuitgroup', { name: 'Pair of circuits' })
  const assigned = { group, member_type: 'circuits.circuit', member_id: circuit }
  await make.fresh('circuits.circuitgroupassignment', assigned)
  const shown = (await browser.get(`/circuits/circuits/${circuit}/`)).text
  assert.ok(headings(shown).includes('Terminations 2 Add'), headings(shown).join())
  assert.match(shown, /Pair of circuits/)
  assert.match(shown, /Far end/)
})

test('a prefix says which addresses hosts may have, and a range which prefixes hold it', async () => {
  const prefix = await make.fresh('ipam.prefix', { prefix: '10.77.0.0/22', is_pool: false })
  const shown = (await browser.get(`/ipam/prefixes/${prefix}/`)).text
  for (const text of ['10.77.0.1', '10.77.3.254', '10.77.3.255', '255.255.252.0', '0.0.3.255', '1,024'])
    assert.ok(shown.includes(text), text)
  const six = await make.fresh('ipam.prefix', { prefix: '2001:db8:77::/48' })
  const sixth = (await browser.get(`/ipam/prefixes/${six}/`)).text
  assert.match(sixth, /2001:db8:77:ffff:ffff:ffff:ffff:ffff/)
  assert.match(sixth, /2<sup>80<\/sup>/)
  await make.fresh('ipam.prefix', { prefix: '10.77.0.0/24' })
  const range = await make.fresh('ipam.iprange', { start_address: '10.77.0.250/22', end_address: '10.77.1.5/22' })
  const parents = (await browser.get(`/ipam/ip-ranges/${range}/`)).text
  assert.match(parents, />10\.77\.0\.0\/22</)
  assert.doesNotMatch(parents, />10\.77\.0\.0\/24</, 'it holds only the beginning')
})

test('contacts of what is above an object in its tree are shown with it, and where they are named', async () => {
  const above = await make.fresh('dcim.region', { name: 'Whole country' })
  const below = await make.fresh('dcim.region', { name: 'One town', parent: above })
  const contact = await make.fresh('tenancy.contact', { name: 'Head of all' })
  await make.fresh('tenancy.contactassignment', { object_type: 'dcim.region', object_id: above, contact })
  const shown = (await browser.get(`/dcim/regions/${below}/contacts/`)).text
  assert.match(shown, /Head of all/)
  assert.match(shown.slice(shown.indexOf('<table')), /Whole country/)
  assert.match(shown, /Contacts <small>1<\/small>/)
  const other = await make.fresh('dcim.region', { name: 'Elsewhere' })
  assert.doesNotMatch((await browser.get(`/dcim/regions/${other}/contacts/`)).text, /Head of all/)
})

test('a pass-through port shows where its positions lead', async () => {
  const device = await make.fresh('dcim.device')
  const rear = await make.fresh('dcim.rearport', { device, name: 'rear-of-it', type: '8p8c', positions: 4 })
  const front = await make.fresh('dcim.frontport', {
    device,
    name: 'front-of-it',
    type: '8p8c',
    rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 3 }],
  })
  const [one, other] = await Promise.all(
    [`/dcim/front-ports/${front}/`, `/dcim/rear-ports/${rear}/`].map(async (path) => (await browser.get(path)).text),
  )
  assert.match(one!, /rear-of-it<\/a><\/td><td class="number">3</)
  assert.match(other!, /<td class="number">3<\/td><td><a[^>]*>front-of-it<\/a><\/td><td class="number">1</)
})

test('every member that a panel names is there', () => {
  for (const m of allModels)
    for (const path of Object.values(m.pages?.panels ?? {}).flatMap(words)) assert.ok(columnOf(m, path), path)
})

test('a data file shows what it holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-files-'))
  try {
    writeFileSync(join(folder, 'notes.txt'), 'first line\n<b>second</b>\n')
    writeFileSync(join(folder, 'long.txt'), 'x'.repeat(100_001))
    writeFileSync(join(folder, 'picture.bin'), Buffer.from([0xff, 0xfe, 0x00, 0xff]))
    const files = await serve({ dataSourcePaths: [folder] })
    const source = await new Maker(files.call).fresh('core.datasource', { type: 'local', source_url: folder })
    assert.equal((await files.call('POST', `/api/core/data-sources/${source}/sync/`, {})).status, 200)
    const reader = await login(files)
    let found: { id: number; path: string }[] = []
    for (let i = 0; i < 100 && found.length < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      found = (await files.call('GET', '/api/core/data-files/')).json.results
    }
    const page = async (name: string) =>
      (await reader.get(`/core/data-files/${found.find(({ path }) => path === name)!.id}/`)).text
    assert.match(await page('notes.txt'), /<code>first line\n&lt;b&gt;second&lt;\/b&gt;\n<\/code>/)
    assert.match(await page('long.txt'), /The first 100,000 of 100,001 bytes/)
    assert.match(await page('picture.bin'), /no text in UTF-8/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what is above an object of a tree is told with it, as far as one may view it', async () => {
  const site = await make.fresh('dcim.site', {
    region: await make.fresh('dcim.region', {
      name: 'Land',
      parent: await make.fresh('dcim.region', { name: 'Continent' }),
    }),
  })
  const hall = await make.fresh('dcim.location', { site, name: 'Hall 1' })
  const aisle = await make.fresh('dcim.location', { site, name: 'Row A', parent: hall })
  const rack = await make.fresh('dcim.rack', { site, location: aisle })
  const page = (await browser.get(`/dcim/racks/${rack}/`)).text
  const link = (id: number, name: string) => `<a href="/dcim/locations/${id}/">${name}</a>`
  assert.ok(page.includes(`<dd>${link(hall, 'Hall 1')} / ${link(aisle, 'Row A')}</dd>`))
  assert.match(page, /<dt>Region<\/dt><dd><a[^>]*>Continent<\/a> \/ <a[^>]*>Land<\/a><\/dd>/)
  const list = (await browser.get(`/dcim/racks/?id=${rack}`)).text
  assert.doesNotMatch(list.slice(list.indexOf('<tbody')), /Hall 1/)
  const reader = await loginAs(client, 'rows', [
    [['dcim.rack'], ['view']],
    [['dcim.location'], ['view'], { name: 'Row A' }],
  ])
  assert.doesNotMatch((await reader.get(`/dcim/racks/${rack}/`)).text, /Hall 1/)
})
