import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { open, picture, violations, violationsEverywhere } from '../support/browser.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const make = creating(client)
const site = await make('dcim/sites', { name: 'North', slug: 'north' })
const hall = await make('dcim/locations', { name: 'Hall', slug: 'hall', site: site.id })
const maker = await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
const role = await make('dcim/device-roles', { name: 'Server', slug: 'server', color: '2196f3' })
const type = (model: string, u_height: number, is_full_depth: boolean) =>
  make('dcim/device-types', { manufacturer: maker.id, model, slug: model.toLowerCase(), u_height, is_full_depth })
const [deep, flat] = [await type('Deep', 2, true), await type('Flat', 1, false)]
const [one, two] = [
  await make('dcim/racks', { name: 'R1', site: site.id, u_height: 12 }),
  await make('dcim/racks', { name: 'R2', site: site.id, location: hall.id, u_height: 12 }),
]
const device = (name: string, of: { id: number }, more: object = {}) =>
  make('dcim/devices', { name, device_type: of.id, role: role.id, site: site.id, ...more })
const server = await device('server', deep, { rack: one.id, position: 1, face: 'front' })
await device('panel', flat, { rack: one.id, position: 6, face: 'rear' })
const loose = await device('<loose>', flat)
const placeOf = async (id: number) => {
  const { rack, position, face } = (await client.call('GET', `/api/dcim/devices/${id}/`)).json
  return [rack?.id ?? null, position, face?.value ?? null]
}

/** Middle of a unit of a face, on the screen. */
async function unit(page: Page, rack: number, face: string, position: number): Promise<{ x: number; y: number }> {
  const svg = page.locator(`svg[data-rack="${rack}"][data-face="${face}"]`)
  const [box, height] = [(await svg.boundingBox())!, Number(await svg.getAttribute('data-height'))]
  return { x: box.x + box.width / 2, y: box.y + ((height - position + 0.5) * box.height) / height }
}
/** Drags an element by its lowest unit. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y - 8)
  await page.mouse.move(to.x, to.y, { steps: 4 })
}
const said = (page: Page, text: RegExp) => page.locator('.said', { hasText: text }).waitFor()

test('a device is dragged to a unit; what does not fit stays and says why; a loose one is dropped in', async () => {
  const { page, complaints } = await open(client, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`/dcim/racks/${one.id}/`)
  const start = await unit(page, one.id, 'front', 1)
  await drag(page, start, await unit(page, one.id, 'front', 9))
  await page.mouse.up()
  assert.deepEqual(await placeOf(server.id), [one.id, 1, 'front'], 'nothing moves before one asks to rearrange')
  await page.goto(`/dcim/racks/${one.id}/`)
  await page.click('[data-rearrange]')
  await drag(page, await unit(page, one.id, 'front', 1), await unit(page, one.id, 'front', 5))
  await page.locator('.rack-tip.bad', { hasText: 'full depth; panel is at the rear of U6' }).waitFor()
  await picture(page, 'rack-refused')
  await page.mouse.up()
  await said(page, /server stays where it is/)
  assert.deepEqual(await placeOf(server.id), [one.id, 1, 'front'])
  await drag(page, await unit(page, one.id, 'front', 1), await unit(page, one.id, 'front', 9))
  await page.locator('.rack-tip', { hasText: 'U9, front' }).waitFor()
  await picture(page, 'rack-dragged')
  await page.mouse.up()
  await said(page, /server is now at U9/)
  assert.deepEqual(await placeOf(server.id), [one.id, 9, 'front'])
  await page.click('.said button')
  await said(page, /back where it was/)
  assert.deepEqual(await placeOf(server.id), [one.id, 1, 'front'])
  const box = (await page.locator(`[data-device="${loose.id}"]`).boundingBox())!
  await drag(page, { x: box.x + 4, y: box.y + box.height / 2 }, await unit(page, one.id, 'rear', 8))
  await page.mouse.up()
  await said(page, /<loose> is now at U8, rear/)
  assert.deepEqual(await placeOf(loose.id), [one.id, 8, 'rear'])
  assert.deepEqual(complaints, [])
})

test('between racks side by side, and by the keyboard alone', async () => {
  const { page, complaints } = await open(client, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`/dcim/rack-elevations/?site_id=${site.id}`)
  await page.click('[data-rearrange]')
  await drag(page, await unit(page, one.id, 'front', 1), await unit(page, two.id, 'front', 3))
  await page.mouse.up()
  await said(page, /server is now at U3, front, of R2/)
  assert.deepEqual(await placeOf(server.id), [two.id, 3, 'front'])
  await page.goto('/dcim/racks/')
  await page.click(`main a[href="/dcim/racks/${two.id}/"]`)
  await page.focus('[data-rearrange]')
  await page.keyboard.press('Enter')
  await page.focus(`svg[data-face="front"] [data-device="${server.id}"]`)
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.name'), 'position')
  assert.match(await page.locator('[data-place] option[value="12"]').innerText(), /needs 2U; there are 1U/)
  await page.locator('[data-place] select[name=position]').selectOption('11')
  await page.focus('[data-place] button')
  await page.keyboard.press('Enter')
  await said(page, /server is now at U11/)
  assert.deepEqual(await placeOf(server.id), [two.id, 11, 'front'])
  assert.deepEqual(complaints, [])
})

test('a change by others is noticed; a click on a free unit adds there; units are chosen to be reserved', async () => {
  const { page, complaints } = await open(client, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`/dcim/racks/${two.id}/`)
  await page.click('[data-rearrange]')
  await client.call('PATCH', `/api/dcim/devices/${server.id}/`, { position: 5 })
  await drag(page, await unit(page, two.id, 'front', 11), await unit(page, two.id, 'front', 1))
  await page.mouse.up()
  await said(page, /Somebody else changed server/)
  assert.deepEqual(await placeOf(server.id), [two.id, 5, 'front'])
  await page.click('.reserve summary')
  const free = await unit(page, two.id, 'front', 9)
  await page.mouse.click(free.x, free.y)
  assert.ok(await page.locator('.reserve input[value="9"]').isChecked())
  await page.click('.reserve button')
  await page.waitForURL(/rack-reservations\/add/)
  assert.equal(await page.locator('#f-units').inputValue(), '9')
  await page.goto(`/dcim/racks/${two.id}/`)
  await page.mouse.click(free.x, free.y)
  await page.waitForURL(/devices\/add/)
  const asked = new URL(page.url()).searchParams
  assert.deepEqual(
    [asked.get('rack'), asked.get('position'), asked.get('face'), asked.get('location')],
    [String(two.id), '9', 'front', String(hall.id)],
  )
  assert.deepEqual(complaints, [])
})

test('the unit of a device is chosen in the drawing, or in the list below it', async () => {
  const { page, complaints } = await open(client, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`/dcim/devices/${server.id}/edit/`)
  await page.click('[data-choose-unit]')
  await page.locator('.unit-dialog svg[data-face="rear"]').waitFor()
  await picture(page, 'unit-dialog')
  assert.deepEqual(await violations(page), [])
  const at = async (unit: number) => {
    const box = (await page.locator('.unit-dialog svg[data-face="rear"]').boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + ((12 - unit + 0.5) * box.height) / 12)
  }
  await at(12)
  await page.locator('.unit-dialog [role=status]', { hasText: 'needs 2U' }).waitFor()
  await at(8)
  await page.locator('.unit-dialog').waitFor({ state: 'detached' })
  assert.deepEqual(
    [await page.locator('[name=position]').inputValue(), await page.locator('[name=face]').inputValue()],
    ['8', 'rear'],
  )
  await page.focus('[data-choose-unit]')
  await page.keyboard.press('Enter')
  await page.locator('.unit-dialog option[value="2"]').waitFor({ state: 'attached' })
  await page.locator('.unit-dialog select[name=unit]').selectOption('2')
  await page.focus('.unit-dialog button[value=use]')
  await page.keyboard.press('Enter')
  await page.locator('.unit-dialog').waitFor({ state: 'detached' })
  assert.equal(await page.locator('[name=position]').inputValue(), '2')
  assert.deepEqual(complaints, [])
})

test('racks can be used by everybody, light and dark, narrow and wide', async () => {
  const { page, complaints } = await open(client)
  const found: string[] = []
  for (const [name, path] of Object.entries({
    rack: `/dcim/racks/${two.id}/`,
    elevations: `/dcim/rack-elevations/?face=both`,
    place: `/dcim/devices/${server.id}/`,
    labels: `/labels/?type=dcim.device&id=${server.id}`,
  })) {
    await page.goto(path)
    found.push(...(await violationsEverywhere(page, name, true)))
  }
  assert.deepEqual([found, complaints], [[], []])
})
