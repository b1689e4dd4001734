import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, picture, settled, violations } from '../support/browser.ts'
import { plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { make, site, device, nic, get } = await plant(client)
const rack = (await make('dcim/racks', { name: 'R1', site: site.id })).id as number
const [near, far] = [await device('near', { rack }), await device('far', { rack })]
const begin = await nic(near, 'ge-0/0/1')
await nic(near, 'ge-0/0/2')
const [end, other] = [await nic(far, 'xe-1'), await nic(far, 'xe-2')]

test('two clicks connect a port, and the trace is drawn', async () => {
  const { page, complaints } = await open(client)
  await page.goto(`/dcim/devices/${near.id}/interfaces/`)
  await page.click('[aria-label="Connect ge-0/0/1"]')
  await page.click('[aria-label="Connect to far › xe-1"]')
  await page.waitForSelector('.message.good')
  assert.ok(page.url().endsWith(`/dcim/devices/${near.id}/interfaces/`), 'back to where it began')
  assert.equal((await get(`dcim/interfaces/${begin}/`)).link_peers[0].id, end)
  await page.click('.message.good a')
  await page.waitForSelector('.drawing svg')
  assert.match((await page.textContent('.drawing'))!, /near[\s\S]*far/)
  assert.deepEqual(complaints, [])
})

test('on a phone, what can be done with a port does not cover its name', async () => {
  const { page } = await open(client, { viewport: { width: 390, height: 800 } })
  const long = await nic(near, 'GigabitEthernet101/0/48')
  await make('dcim/cables', {
    a_terminations: [{ object_type: 'dcim.interface', object_id: long }],
    b_terminations: [{ object_type: 'dcim.interface', object_id: await nic(far, 'far end') }],
  })
  await page.goto(`/dcim/devices/${near.id}/interfaces/`)
  const row = page.locator(`tr:has([value="${long}"])`)
  const name = (await row.locator('th a').boundingBox())!
  for (const word of ['Trace', 'Disconnect', 'Edit', 'Delete']) {
    const box = (await row.getByRole('link', { name: `${word} GigabitEthernet101/0/48` }).boundingBox())!
    assert.ok(name.x + name.width <= box.x && box.x + box.width <= 390, `${word} begins at ${box.x}`)
    assert.ok(Math.min(box.width, box.height) >= 24, `${word}: ${box.width} x ${box.height}`)
  }
  await page.close()
})

test('what is chosen of an end narrows its ports at once, and nothing else is lost', async () => {
  const wanted = await nic(await device('third'), 'ge-9')
  const { page, complaints } = await open(client)
  await page.goto('/dcim/cables/add/')
  await page.fill('[name=label]', 'typed')
  await page.waitForSelector('#f-a_device-ts-control')
  await page.click('#f-a_device-ts-control')
  await page.keyboard.type('third')
  await page.click('.ts-dropdown .option:has-text("third")')
  await page.waitForSelector('#h-a_terminations:has-text("in this device")')
  const options = page.locator('[name=a_terminations_id] option')
  assert.deepEqual(await options.evaluateAll((all) => all.map((each) => each.getAttribute('value'))), [String(wanted)])
  await page.selectOption('#f-a_kind', 'dcim.powerport')
  await page.waitForSelector('#f-b_kind option[value="dcim.poweroutlet"]', { state: 'attached' })
  assert.equal(await page.inputValue('[name=label]'), 'typed')
  assert.deepEqual(complaints, [])
})

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const)
  test(`the pages of cables can be used by everybody, ${colorScheme}, ${width} wide`, async () => {
    const { page, complaints } = await open(client, { colorScheme, viewport: { width, height: 900 } })
    const found: string[] = []
    const cable = (await get('dcim/cables/?limit=1')).results[0].id as number
    const pages = {
      connect: `/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations_id=${other}`,
      trace: `/dcim/interfaces/${begin}/trace/`,
      cable: `/dcim/cables/${cable}/`,
      port: `/dcim/interfaces/${begin}/`,
      connections: '/dcim/interface-connections/',
      many: '',
    }
    for (const [name, path] of Object.entries(pages)) {
      if (path) await page.goto(path)
      else {
        await page.goto(`/dcim/devices/${near.id}/interfaces/`)
        await page.check('thead [data-all]')
        await page.click('button:has-text("Connect chosen")')
        await page.waitForSelector('#b-ports')
      }
      await settled(page)
      await picture(page, `cables-${name}-${colorScheme}-${width}`)
      found.push(...(await violations(page)).map((each) => `${name}: ${each}`))
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (wide > 0) found.push(`${name}: ${wide} pixels wider than the window`)
    }
    assert.deepEqual(found, [])
    assert.deepEqual(complaints, [])
  })
