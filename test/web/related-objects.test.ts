import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { hasPage } from '../../src/web/links.ts'
import { fill } from '../support/inventory.ts'
import { creating, serve } from '../support/server.ts'
import { fieldsIn, login, loginAs, type Session } from '../support/session.ts'

const client = await serve()
const { call } = client
const ids = await fill(call)
const browser = await login(client)
const make = creating(client)

interface Shown {
  counts: { href: string; label: string; count: number }[]
  adds: string[]
}
/** What the page of an object says of what belongs to it. */
async function relatedOf(session: Session, path: string): Promise<Shown> {
  const { status, text } = await session.get(path)
  assert.equal(status, 200, path)
  const panel = /<h2>Related objects<\/h2>[\s\S]*?<\/section>/.exec(text)?.[0].replaceAll('&amp;', '&') ?? ''
  const counts = [...panel.matchAll(/<li><a href="([^"]+)">([^<]+)<\/a> <b>(\d+)<\/b>/g)]
  const adds = [...panel.matchAll(/<li><a href="([^"]+)">[^<]+<\/a><\/li>/g)]
  return {
    counts: counts.map(([, href, label, count]) => ({ href: href!, label: label!, count: Number(count) })),
    adds: adds.map(([, href]) => href!),
  }
}

test('the page of a site leads to all that is there, by reference, by scope and by many to many', async () => {
  const site = (await make('dcim/sites', { name: 'Whole', slug: 'whole', asns: [await asn()] })).id
  const scope = { scope_type: 'dcim.site', scope_id: site }
  const role = (await make('dcim/device-roles', { name: 'Any', slug: 'any' })).id
  const type = (await call('GET', '/api/dcim/device-types/?limit=1')).json.results[0].id
  const rack = (await make('dcim/racks', { name: 'Whole 1', site })).id
  await make('dcim/devices', { name: 'in a rack', site, rack, role, device_type: type })
  await make('ipam/prefixes', { prefix: '10.99.0.0/16', ...scope })
  await make('ipam/vlan-groups', { name: 'Whole', slug: 'whole', ...scope })
  await make('ipam/vlans', { name: 'Whole', vid: 99, site })
  const clusterType = (await make('virtualization/cluster-types', { name: 'Whole', slug: 'whole' })).id
  await make('virtualization/clusters', { name: 'Whole', type: clusterType, ...scope })
  await make('wireless/wireless-lans', { ssid: 'whole', ...scope })
  await make('extras/config-contexts', { name: 'Whole', data: { a: 1 }, sites: [site] })
  const { counts } = await relatedOf(browser, `/dcim/sites/${site}/`)
  assert.deepEqual(counts.map(({ label }) => label).sort(), [
    'ASNs',
    'Clusters',
    'Config contexts',
    'Devices',
    'Prefixes',
    'Racks',
    'VLAN groups',
    'VLANs',
    'Wireless LANs',
  ])
  assert.deepEqual(new Set(counts.map(({ count }) => count)), new Set([1]))
})

test('counts of every model say what their lists find, and what is added from a page belongs to it', async () => {
  let counted = 0
  let added = 0
  for (const m of allModels.filter((each) => !each.internal && hasPage(each))) {
    const { results } = (await call('GET', `/api/${m.path}/?limit=3`)).json
    for (const { id } of results) {
      const { counts, adds } = await relatedOf(browser, `/${m.path}/${id}/`)
      for (const { href, count } of counts) {
        const list = await call('GET', `/api${href}&limit=1`)
        assert.equal(list.json.count, count, `${m.name} ${id}: ${href}`)
        counted++
      }
      for (const href of adds) {
        const form = await browser.get(href)
        assert.equal(form.status, 200, href)
        const fields = fieldsIn(form.text)
        const isBegun = Object.entries(fields).some(([name, values]) => name !== '_back' && values.includes(`${id}`))
        assert.ok(isBegun, `${m.name} ${id}: ${href} ${JSON.stringify(fields)}`)
        assert.deepEqual(fields._back, [`/${m.path}/${id}/`])
        added++
      }
    }
  }
  assert.ok(counted > 80 && added > 80, `${counted} counts, ${added} forms`)
})

test('who may see nothing else sees no counts, and who may add nothing is offered nothing', async () => {
  const reader = await loginAs(client, 'sites-alone', [[['dcim.site'], ['view']]])
  assert.deepEqual(await relatedOf(reader, `/dcim/sites/${ids.lab}/`), { counts: [], adds: [] })
  const racks = await loginAs(client, 'racks-too', [
    [['dcim.site'], ['view']],
    [['dcim.rack'], ['view', 'add']],
  ])
  const { counts, adds } = await relatedOf(racks, `/dcim/sites/${ids.lab}/`)
  assert.deepEqual([counts.map(({ label }) => label), adds.length], [['Racks'], 1])
})

async function asn(): Promise<number> {
  const rir = (await make('ipam/rirs', { name: 'Whole', slug: 'whole' })).id
  return (await make('ipam/asns', { asn: 65_099, rir })).id
}
