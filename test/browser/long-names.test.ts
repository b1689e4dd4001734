import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, settled } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const create = creating(client)
const make = new Maker(client.call)
/** A name without a gap, as long as it may be. */
const long = (length: number, letter = 'W') => letter.repeat(length)
const named = { name: long(100), slug: long(100, 'w') }
const told = { group_name: long(50), description: long(200) }

test('a name without a gap makes no page wider than its window', async () => {
  const site = await make.fresh('dcim.site', { ...named, comments: `${long(300)}\n\n|a|b|\n|-|-|\n|${long(99)}|b|` })
  const types = ['dcim.site']
  await create('extras/custom-fields', { name: 'lot', label: long(50), type: 'text', object_types: types, ...told })
  const link = { object_types: types, link_text: long(120), link_url: 'https://example.org/' }
  for (const group_name of ['', long(50)])
    await create('extras/custom-links', { ...link, name: `to ${group_name}`, group_name })
  await client.call('PATCH', `/api/dcim/sites/${site}/`, { custom_fields: { lot: long(300) } })
  const role = await make.fresh('dcim.devicerole', named)
  const maker = await make.fresh('dcim.manufacturer', named)
  const type = await make.fresh('dcim.devicetype', { manufacturer: maker, model: long(100), slug: named.slug })
  const rack = await make.fresh('dcim.rack', { site, name: long(100) })
  const tag = await make.fresh('extras.tag', named)
  const device = async (letter: string, position: number) => {
    const placed = { site, rack, position, face: 'front' }
    const body = {
      ...placed,
      name: long(64, letter),
      role,
      device_type: type,
      tags: [tag],
      asset_tag: long(50, letter),
    }
    const id = (await create('dcim/devices', body)).id
    return [id, await make.fresh('dcim.interface', { device: id, name: long(64), label: long(64) })]
  }
  const [[one, left], [two, right]] = [await device('X', 1), await device('Y', 5)]
  const free = await make.fresh('dcim.interface', { device: one, name: 'free' })
  await make.fresh('dcim.interface', { device: two, name: long(64, 'M') })
  const end = (id: unknown) => [{ object_type: 'dcim.interface', object_id: id }]
  const ends = { a_terminations: end(left), b_terminations: end(right) }
  const cable = (await create('dcim/cables', { ...ends, label: long(100) })).id
  const vrf = await make.fresh('ipam.vrf', { name: long(100) })
  const address = { address: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff/128', vrf, dns_name: `${long(60, 'w')}.example` }
  const ip = await make.fresh('ipam.ipaddress', address)
  const pages = [
    ...['', 'edit/'].map((tab) => `sites/${site}/${tab}`),
    'sites/columns/',
    `racks/${rack}/`,
    `device-types/${type}/`,
    ...['', 'interfaces/', 'edit/', 'delete/', 'changelog/'].map((tab) => `devices/${one}/${tab}`),
    `interfaces/${left}/trace/`,
    `cables/add/?a_terminations_type=dcim.interface&a_terminations_id=${free}`,
    `cables/${cable}/`,
    `devices/?site_id=${site}`,
    `rack-elevations/?site_id=${site}`,
    `map/?site_id=${site}`,
  ].map((path) => `/dcim/${path}`)
  const { page, complaints } = await open(client)
  const wide: string[] = []
  for (const path of [...pages, `/ipam/ip-addresses/${ip}/`, `/extras/tags/${tag}/objects/`, '/search/?q=WWW']) {
    assert.equal((await page.goto(path))!.status(), 200, path)
    await settled(page)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const more = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (more > 0) wide.push(`${path}: ${more} pixels wider than ${width}`)
    }
  }
  assert.deepEqual(wide, [])
  for (const path of [`/dcim/racks/${rack}/`, `/api/dcim/racks/${rack}/elevation/?face=front&render=svg`]) {
    await page.goto(path)
    const over = await page.evaluate(`[...document.querySelectorAll('svg a')].flatMap((link) => {
      const [box, text] = [link.querySelector('rect'), link.querySelector('text')]
      const more = box && text ? text.getBBox().width - box.getBBox().width : 0
      return more > 0 ? [text.textContent + ': ' + more] : []
    })`)
    assert.deepEqual(over, [], `${path}: names end in their boxes`)
  }
  await page.goto(`/dcim/devices/?site_id=${site}`)
  const cells = "[...document.querySelectorAll('tbody tr:first-child > :is(th, td)')]"
  const overlapping = await page.evaluate(`${cells}.filter((each) => each.scrollWidth > each.clientWidth + 1).length`)
  assert.equal(overlapping, 0, 'no name runs into the next column')
  assert.deepEqual(complaints, [])
})
