import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, picture, violations, violationsEverywhere } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const make = new Maker(call)

test('the next free address of a prefix comes to an interface and is made primary; others are taken', async () => {
  const prefix = await make.fresh('ipam.prefix', { prefix: '10.60.0.0/24' })
  const device = await make.fresh('dcim.device', { name: 'edge-1' })
  const other = await make.fresh('dcim.device', { name: 'edge-2' })
  const port = await make.fresh('dcim.interface', { device, name: 'eth0' })
  await make.fresh('dcim.interface', { device: other, name: 'xe-0' })
  await make.fresh('ipam.ipaddress', { address: '10.60.0.1/24' })
  const { page, complaints } = await open(client)

  await page.goto(`/dcim/interfaces/${port}/`)
  await page.click('.next-free .ts-control')
  await page.click('.next-free .ts-dropdown .option:has-text("10.60.0.0/24")')
  await page.click('.next-free button:has-text("Take")')
  await page.waitForURL(/\/ipam\/ip-addresses\/add\//)
  assert.equal(await page.inputValue('[name=address]'), '10.60.0.2/24')
  await page.waitForSelector('.within:not([hidden])')
  assert.match((await page.textContent('.pair')) ?? '', /edge-1[\s\S]*eth0/)
  await page.check('[name=primary_for_parent]')
  await picture(page, 'address-form')
  assert.deepEqual(await violations(page), [])
  await page.click('.submit .primary')
  await page.waitForURL(`**/dcim/interfaces/${port}/`)
  assert.match((await page.textContent('main')) ?? '', /10\.60\.0\.2\/24/)
  assert.equal((await call('GET', `/api/dcim/devices/${device}/`)).json.primary_ip4.address, '10.60.0.2/24')

  await page.goto(`/ipam/prefixes/${prefix}/ipaddresses/`)
  assert.deepEqual(await violations(page), [])
  await picture(page, 'addresses')
  await page.fill('.take [name=count]', '3')
  await page.click('.take button')
  await page.waitForSelector('.message:has-text("were taken")')
  assert.equal(await page.locator('tbody input[name=pk]').count(), 5)
  await page.fill('.take [name=count]', '1')
  await page.click('tr.free button')
  await page.waitForSelector('.message:has-text("10.60.0.6/24 was taken")')

  await page.click('tr.free a')
  await page.waitForURL(/\/ipam\/ip-addresses\/add\//)
  assert.equal(await page.inputValue('[name=address]'), '10.60.0.7/24')
  await page.selectOption('#f-assigned_object', 'dcim.interface')
  await page.click('.within .ts-control')
  await page.click('.within .ts-dropdown .option:has-text("edge-2")')
  await page.click('.pair > .ts-wrapper:last-of-type .ts-control')
  await page.waitForSelector('.pair > .ts-wrapper .option:has-text("xe-0")')
  assert.deepEqual(await page.locator('.pair > .ts-wrapper .option').allTextContents(), ['xe-0 edge-2'])
  await page.click('.pair > .ts-wrapper .option:has-text("xe-0")')
  await page.click('.submit .primary')
  await page.waitForURL(`**/ipam/prefixes/${prefix}/ipaddresses/`)
  assert.match((await page.textContent('tbody')) ?? '', /10\.60\.0\.7\/24[\s\S]*edge-2[\s\S]*xe-0/)
  assert.deepEqual(complaints, [])
})

test('free networks, VLAN ids and AS numbers can be used by everybody, light and dark, narrow and wide', async () => {
  const top = await make.fresh('ipam.prefix', { prefix: '10.61.0.0/16', status: 'container' })
  await make.fresh('ipam.prefix', { prefix: '10.61.4.0/24' })
  const group = await make.fresh('ipam.vlangroup')
  const vlan = await make.fresh('ipam.vlan', { group, vid: 12 })
  const found: string[] = []
  const { page, complaints } = await open(client)
  for (const [name, path] of Object.entries({
    children: `/ipam/prefixes/${top}/prefixes/?near=10.61.9.9`,
    vlans: `/ipam/vlan-groups/${group}/vlans/`,
    vlan: `/ipam/vlans/${vlan}/`,
    free: `/ipam/prefixes/${top}/prefixes/?show=available`,
  })) {
    await page.goto(path)
    found.push(...(await violationsEverywhere(page, name, true)))
  }
  assert.deepEqual([found, complaints], [[], []])
})
