import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, settled } from '../support/browser.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const create = creating(client)

test('pickers find what they offer by what it is called there', async () => {
  const rir = (await create('ipam/rirs', { name: 'RIR', slug: 'rir' })).id
  const provider = (await create('circuits/providers', { name: 'P', slug: 'p' })).id
  const group = (await create('ipam/fhrp-groups', { protocol: 'vrrp2', group_id: 10 })).id
  const assigned = { assigned_object_type: 'ipam.fhrpgroup', assigned_object_id: group }
  await create('ipam/ip-addresses', { address: '10.1.0.1/26', ...assigned })
  await create('ipam/vlans', { name: 'S', vid: 3001 })
  await create('circuits/provider-accounts', { provider, account: '1234', name: 'acc' })
  await create('ipam/ip-ranges', { start_address: '192.168.1.0/22', end_address: '192.168.1.49/22' })
  for (let asn = 65_000; asn < 65_060; asn++) await create('ipam/asns', { asn, rir })
  await create('ipam/fhrp-groups', { protocol: 'hsrp', group_id: 11 })
  await create('ipam/vlans', { name: 'T', vid: 3002 })

  for (const [path, typed, display] of [
    ['ipam/fhrp-groups', 'vrrpv2', 'VRRPv2: 10 (10.1.0.1/26)'],
    ['ipam/fhrp-groups', '10.1.0.1', 'VRRPv2: 10 (10.1.0.1/26)'],
    ['ipam/fhrp-groups', 'VRRPv2: 10 (10.1.0.1/26)', 'VRRPv2: 10 (10.1.0.1/26)'],
    ['ipam/vlans', 'S (3001)', 'S (3001)'],
    ['circuits/provider-accounts', '1234 (acc)', '1234 (acc)'],
    ['ipam/ip-ranges', '192.168.1.0-49/22', '192.168.1.0-49/22'],
  ] as const) {
    const { results } = (await client.call('GET', `/api/${path}/?_called=${encodeURIComponent(typed)}`)).json
    assert.deepEqual(
      results.map((each: { display: string }) => each.display),
      [display],
      typed,
    )
    assert.equal((await client.call('GET', `/api/${path}/?q=vrrpv2`)).json.count, 0, 'the search is as NetBox has it')
  }

  const { page, complaints } = await open(client)
  await page.goto('/dcim/sites/add/')
  await settled(page)
  await page.locator('#f-asns-ts-control').click()
  await page.keyboard.type('AS65057')
  const option = page.locator('#f-asns-ts-dropdown [role=option]')
  await option.filter({ hasText: 'AS65057' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.ts-control .item', { hasText: 'AS65057' }).waitFor()
  assert.deepEqual(complaints, [])
})
