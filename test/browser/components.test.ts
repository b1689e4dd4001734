import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, picture, settled, violations } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const make = new Maker(client.call)

test('a device type gets ports by a pattern, and a device of it has them', async () => {
  const type = await make.fresh('dcim.devicetype', { model: 'Switch 24' })
  const [site, role] = [await make.fresh('dcim.site'), await make.fresh('dcim.devicerole')]
  const { page, complaints } = await open(client)
  await page.goto(`/dcim/device-types/${type}/`)
  await page.click('.actions .drop > summary')
  await page.click('.drop a:has-text("Interface templates")')
  await page.fill('[name=name]', 'Gi1/0/[1-24]')
  await page.locator('#series li').nth(23).waitFor()
  assert.equal(await page.locator('#series li').nth(23).innerText(), 'Gi1/0/24')
  await page.evaluate(`{
    const { tomselect } = document.querySelector('select[name=type]')
    if (tomselect) tomselect.setValue('1000base-t')
    else document.querySelector('select[name=type]').value = '1000base-t'
  }`)
  await page.click('.submit .primary')
  await page.waitForURL(`**/dcim/device-types/${type}/interfaces/`)
  assert.match((await page.textContent('.message')) ?? '', /24 interface templates were added/)
  assert.equal(await page.locator('tbody tr').count(), 24)
  await picture(page, 'components')
  assert.deepEqual(await violations(page), [])

  await page.goto(`/dcim/devices/add/?device_type=${type}&site=${site}&role=${role}`)
  await page.fill('[name=name]', 'sw1')
  await page.click('.submit .primary')
  await page.waitForURL(/\/dcim\/devices\/\d+\/$/)
  await page.click('.tabs a:has-text("Interfaces")')
  await page.waitForURL(/\/interfaces\/$/)
  assert.equal(await page.locator('tbody tr').count(), 24)
  assert.match((await page.textContent('tbody')) ?? '', /Gi1\/0\/24/)
  assert.deepEqual(complaints, [])
})

test('new names are shown as one types what is replaced', async () => {
  const { page, complaints } = await open(client)
  const device = await make.fresh('dcim.device')
  for (const name of ['eth0', 'eth1']) await make.fresh('dcim.interface', { device, name })
  await page.goto(`/dcim/interfaces/?device_id=${device}`)
  await page.check('[data-all]')
  await page.click('button:has-text("Rename chosen")')
  await page.fill('#f-find', 'eth')
  await page.fill('#f-replace', 'ge-0/0/')
  await page.getByRole('cell', { name: 'ge-0/0/1', exact: true }).waitFor()
  await page.click('button:has-text("Rename 2")')
  await page.getByText('2 interfaces were renamed').waitFor()
  assert.deepEqual(complaints, [])
})

test('what one types before the scripts of a page are there counts', async () => {
  const { page, complaints } = await open(client)
  let typed = Promise.withResolvers<void>()
  await page.route('**/htmx*.js*', async (route) => {
    await typed.promise
    await route.continue()
  })
  const type = async (address: string, name: string) => {
    typed = Promise.withResolvers<void>()
    await page.goto(address, { waitUntil: 'commit' })
    await page.fill('[name=name]', name)
    typed.resolve()
    await page.waitForLoadState()
  }
  await type('/dcim/interface-templates/add/', 'Gi1/0/[1-4]')
  await page.locator('#series li').nth(3).waitFor()
  await type('/dcim/sites/add/', 'Lab 1')
  await settled(page)
  assert.equal(await page.inputValue('[name=slug]'), 'lab-1')
  assert.deepEqual(complaints, [])
})
