import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { open } from '../support/browser.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { here, there, sync, conflicts } = sides

/** Goes from control to control as the tabulator does until it is at one. */
async function reach(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 150; steps++) {
    if ((await page.locator(`${selector}:focus`).count()) === 1) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${selector} is not reached by the keyboard`)
}
async function follow(page: Page, selector: string): Promise<void> {
  await reach(page, selector)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

for (const [name, options] of [
  ['wide', { viewport: { width: 1280, height: 900 } }],
  ['narrow', { viewport: { width: 390, height: 844 } }],
] as const)
  test(`without scripts and by the keyboard alone, ${name}: looking back, undoing, settling`, async () => {
    const { site, a } = sides.parts
    const path = `/api/dcim/sites/${site}/`
    const edit = await sides.source.call('PATCH', path, { description: `second, ${name}`, facility: `B-${name}` })
    await sides.source.call('PATCH', path, { description: `third, ${name}` })
    const request = edit.headers.get('x-request-id')
    const [change] = (await sides.source.call('GET', `/api/core/object-changes/?request_id=${request}`)).json.results
    const { page } = await open(sides.source, { ...options, javaScriptEnabled: false })
    page.setDefaultTimeout(60_000)
    await page.goto(`/core/changelog/${change.id}/`)
    await follow(page, 'a:has-text("As it was before")')
    assert.match(page.url(), /at=before-/)
    assert.equal(await page.locator('a[href$="/edit/"]').count(), 0)
    await follow(page, 'a:has-text("Back to now")')
    assert.ok(!page.url().includes('at='))
    await reach(page, 'header summary:has(+ * input[name=at])')
    await page.keyboard.press('Enter')
    await reach(page, 'header input[name=at]')
    await follow(page, 'header button:has-text("Show")')
    assert.match(page.url(), /[?&]at=20/)
    assert.equal(await page.locator('a:has-text("Back to now")').count(), 1)
    await page.goto(`/core/changelog/${change.id}/`)
    await follow(page, 'a:has-text("Undo this request")')
    await reach(page, 'input[type=radio][value^=leave]')
    await page.keyboard.press('Space')
    await follow(page, 'button:has-text("See what that does")')
    await follow(page, 'button.primary:has-text("Undo")')
    const { description, facility } = (await sides.source.call('GET', path)).json
    assert.deepEqual([description, facility], [`third, ${name}`, change.prechange_data.facility])
    await here('PATCH', `dcim/devices/${a}`, { serial: `F-${name}` })
    await there('PATCH', `dcim/devices/${a}`, { serial: `O-${name}` })
    assert.equal((await sides.kit.sync('push')).code, 1)
    const as = { username: 'admin', password: sides.kit.password }
    const field = await open(sides.kit, { ...options, javaScriptEnabled: false, as })
    field.page.setDefaultTimeout(60_000)
    await field.page.goto('/kit/')
    await reach(field.page, 'input[type=radio][value=ours]')
    await field.page.keyboard.press('Space')
    await follow(field.page, 'button.primary:has-text("Settle")')
    assert.equal(await field.page.locator('text=Settled: cabinet push gives it to the source.').count(), 1)
    await sync('push')
    assert.equal((await there('GET', `dcim/devices/${a}`)).serial, `F-${name}`)
    assert.throws(conflicts)
    for (const each of [page, field.page])
      for (const address of ['/core/changelog/', '/core/kits/', '/kit/'].slice(0, each === page ? 2 : 3)) {
        await each.goto(address)
        const box = await each.locator('body').boundingBox()
        assert.ok(box!.width <= options.viewport.width, `${address} is ${box!.width} wide`)
      }
  })

test('kits are not offered to be made by a form: a command makes them', async () => {
  const { page } = await open(sides.source, { javaScriptEnabled: false })
  for (const path of ['/core/kits/', '/core/kits/1/']) {
    await page.goto(path)
    assert.equal(await page.locator('#main a[href*="/add/"], #main a[href$="/import/"]').count(), 0, path)
  }
})
