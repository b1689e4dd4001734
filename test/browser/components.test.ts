import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, picture, violations } from '../support/browser.ts'
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
