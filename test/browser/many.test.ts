import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../support/browser.ts'
import { plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { make, device, get, nic } = await plant(client)
const big = await device('big')
await make(
  'dcim/interfaces',
  Array.from({ length: 1000 }, (_, i) => ({ device: big.id, name: `Gi1/0/${i + 1}`, type: '1000base-t' })),
)
const panel = await device('panel')
await make(
  'dcim/rear-ports',
  Array.from({ length: 432 }, (_, i) => ({ device: panel.id, name: `R${i + 1}`, type: '8p8c', positions: 1 })),
)

test('the tab of a device with 1,000 interfaces is used as any other: scrolled, all chosen, changed', async () => {
  const { page, complaints } = await open(client)
  const tab = `/dcim/devices/${big.id}/interfaces/`
  await page.goto(tab)
  await page.click('.sizes a:text-is("1000")')
  await page.waitForSelector('tbody tr:nth-child(1000)')
  const html = await (await page.request.get(`${tab}?per_page=1000`)).body()
  assert.ok(html.length < 700_000, `${html.length} bytes`)
  await page.locator('tbody tr:last-child').scrollIntoViewIfNeeded()
  assert.ok(await page.isVisible('a:text-is("Gi1/0/1000")'))
  await page.check('thead [data-all]')
  assert.equal(await page.locator('[name=pk]:checked').count(), 1000)
  await page.click('button:has-text("Edit chosen")')
  await page.waitForSelector('h1:has-text("Edit 1,000 interfaces")')
  await page.fill('#f-mtu', '9000')
  await page.click('button:has-text("Change 1,000 interfaces")')
  await page.waitForSelector('.message.good:has-text("1,000 interfaces were changed")')
  assert.ok(new URL(page.url()).pathname === tab, 'back on the tab')
  assert.equal((await get(`dcim/interfaces/?mtu=9000&limit=1`)).count, 1000)
  await page.click('[aria-label="Edit Gi1/0/7"]')
  await page.fill('[name=description]', 'changed')
  await page.click('.submit .primary')
  await page.waitForSelector('.message.good')
  assert.equal(new URL(page.url()).pathname, tab, 'a form of a row comes back to its page')
  assert.deepEqual(complaints, [])
})

test('432 free ports are offered at once, found by typing, and connected', async () => {
  const own = await nic(await device('near'))
  const { page, complaints } = await open(client)
  const query = new URLSearchParams({ a_terminations_type: 'dcim.interface', a_terminations_id: String(own) })
  await page.goto(`/dcim/cables/add/?${query}`)
  await page.selectOption('#f-b_kind', 'dcim.rearport')
  await page.waitForSelector('#h-b_terminations:has-text("432 free rear ports")')
  const offered = page.locator('[name=b_terminations_id] option')
  assert.ok((await offered.count()) >= 432)
  const field = '#b-ports .ts-control'
  await page.click(field)
  await page.keyboard.type('R431')
  await page.click('#b-ports .option:has-text("R431")')
  await page.keyboard.press('Escape')
  await page.click('.submit .primary')
  await page.waitForSelector('.message.good')
  const peer = (await get(`dcim/interfaces/${own}/`)).link_peers[0]
  assert.match(peer.display, /R431$/)
  assert.deepEqual(complaints, [])
})
