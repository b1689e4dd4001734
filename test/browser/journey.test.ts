import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { open, picture } from '../support/browser.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const found = async (path: string) => (await client.call('GET', `/api/${path}`)).json

/** Chooses in a picker by what is typed into it. */
async function pick(page: Page, name: string, text: string, option = text): Promise<void> {
  const box = page.locator(`#f-${name} + .ts-wrapper, .ts-wrapper:has(+ #f-${name})`).first()
  await box.click()
  await box.locator('input').fill(text)
  await box.locator('.ts-dropdown .option, .ts-dropdown .create', { hasText: option }).first().click()
  await page.keyboard.press('Escape')
}
const fill = (page: Page, name: string, text: string) => page.fill(`[name="${name}"]`, text)
/**
 * Sends the form of a page and waits for the page that it leads to; fails with what the form says when it is refused.
 */
async function send(page: Page, button = 'form.form button.primary'): Promise<void> {
  await page.click(button)
  await page.locator('.message.good, .message.bad, .field .error').first().waitFor()
  assert.equal(
    await page
      .locator('.message.bad, .field .error')
      .allInnerTexts()
      .then((texts) => texts.join('; ')),
    '',
  )
}

test('a small site is set up from the pages alone', async () => {
  const { page, complaints } = await open(client)
  await page.goto('/dcim/sites/add/')
  await fill(page, 'name', 'Field Lab')
  assert.equal(await page.inputValue('[name=slug]'), 'field-lab', 'the slug follows the name')
  await send(page)
  const site = (await found('dcim/sites/?name=Field Lab')).results[0]

  await page.goto(`/dcim/racks/add/?site=${site.id}`)
  await fill(page, 'name', 'R1')
  await send(page)
  const rack = (await found('dcim/racks/?name=R1')).results[0]
  assert.equal(rack.site.id, site.id)

  await page.goto('/dcim/device-types/add/')
  await pick(page, 'manufacturer', 'Acme', 'Acme')
  await page.locator('.ts-wrapper .item', { hasText: 'Acme' }).waitFor()
  await fill(page, 'model', 'Switch 4')
  await send(page)
  const type = (await found('dcim/device-types/?model=Switch 4')).results[0]
  assert.deepEqual([type.manufacturer.name, type.slug], ['Acme', 'switch-4'])

  await page.goto(`/dcim/interface-templates/add/?device_type=${type.id}`)
  await fill(page, 'name', 'Gi1/0/[1-4]')
  await page.selectOption('[name=type]', '1000base-t').catch(() => pick(page, 'type', '1000BASE-T (1GE)'))
  await send(page)
  assert.equal((await found(`dcim/interface-templates/?device_type_id=${type.id}`)).count, 4)

  for (const [name, unit] of [
    ['sw1', 10],
    ['sw2', 12],
  ] as const) {
    await page.goto(
      `/dcim/devices/add/?site=${site.id}&rack=${rack.id}&face=front&position=${unit}&device_type=${type.id}`,
    )
    await fill(page, 'name', name)
    await pick(page, 'role', 'Access')
    await send(page)
  }
  await page.goto(`/dcim/racks/${rack.id}/`)
  await page.locator('svg', { hasText: 'sw2' }).first().waitFor()
  await picture(page, 'journey-rack')
  const [one, two] = (await found('dcim/devices/?ordering=name')).results
  const ports = (await found(`dcim/interfaces/?device_id=${one.id}`)).results
  assert.equal(ports.length, 4, 'a device has the ports of its type')

  await page.goto(`/dcim/devices/${one.id}/interfaces/`)
  await page
    .locator('a', { hasText: /^connect$/i })
    .first()
    .click()
  await page.waitForURL(/\/dcim\/cables\/add\//)
  await picture(page, 'journey-connect')
  const far = (await found(`dcim/interfaces/?device_id=${two.id}&name=Gi1/0/1`)).results[0]
  await page.locator(`button[value="${far.id}"]`).first().click()
  await page.locator('.message.good').waitFor()
  await page.goto(`/dcim/interfaces/${ports[0].id}/trace/`)
  await page.locator('main svg, main object').first().waitFor()
  await page.locator('main table', { hasText: 'sw2' }).first().waitFor()
  await picture(page, 'journey-trace')

  await page.goto('/ipam/prefixes/add/')
  await fill(page, 'prefix', '10.9.0.0/29')
  await send(page)
  const prefix = (await found('ipam/prefixes/?prefix=10.9.0.0/29')).results[0]
  await page.goto(`/ipam/prefixes/${prefix.id}/ipaddresses/`)
  await picture(page, 'journey-addresses')
  await page.locator('main button', { hasText: 'Take next free' }).click()
  await page.locator('.message.good').waitFor()
  assert.deepEqual(
    (await found('ipam/ip-addresses/')).results.map((each: { address: string }) => each.address),
    ['10.9.0.1/29'],
  )

  await page.goto(`/dcim/devices/${one.id}/journal/`)
  await page.locator('details:has([name=comments]) > summary').click()
  await fill(page, 'comments', 'Racked by **two**')
  await page.locator('details:has([name=comments]) button.primary').click()
  await page.locator('main strong', { hasText: 'two' }).waitFor()

  await page.goto('/dcim/devices/')
  await page.check('thead input[type=checkbox]')
  await page.locator('button', { hasText: 'Edit chosen' }).click()
  await page.waitForURL(/\/dcim\/devices\/edit\//)
  await fill(page, 'serial', 'typed wrong')
  await page.locator('main form button.primary').click()
  await page.locator('.message.good').waitFor()
  assert.equal((await found('dcim/devices/?serial=typed wrong')).count, 2)
  await page.goto(`/dcim/devices/${two.id}/edit/`)
  await fill(page, 'serial', 'SN-2')
  await send(page)

  await page.goto(`/labels/?type=dcim.device&id=${one.id}&id=${two.id}`)
  await page.locator('svg', { hasText: 'sw2' }).first().waitFor()
  await picture(page, 'journey-labels')

  await page.goto('/')
  await page.fill('#q', 'sw2')
  await page.locator('#hits [role=option]', { hasText: 'sw2' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await Promise.all([page.waitForURL(/\/dcim\/devices\/\d+\//), page.keyboard.press('Enter')])
  assert.match(await page.title(), /sw2/)
  assert.deepEqual(complaints, [])
})
