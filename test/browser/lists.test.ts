import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, violations } from '../support/browser.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const created = creating(client)
const sites = [
  await created('dcim/sites', { name: 'Aachen', slug: 'aachen' }),
  await created('dcim/sites', { name: 'Bonn', slug: 'bonn' }),
]
for (const { id, name } of sites) await created('dcim/locations', { name: `Room in ${name}`, slug: name, site: id })
for (let i = 0; i < 30; i++)
  await created('dcim/racks', {
    name: `R${i}`,
    site: sites[i % 2].id,
    status: i % 3 ? 'active' : 'planned',
    u_height: 10 + i,
  })

test('a list narrows as one types, by pickers that narrow each other, by ranges, and back by its chips', async () => {
  const { page, complaints } = await open(client)
  await page.goto('/dcim/racks/')
  await page.fill('#quick', 'R1')
  await page.waitForURL(/q=R1$/)
  await page.waitForSelector('#count:text-is("11")')
  assert.equal(await page.evaluate('document.activeElement.id'), 'quick', 'one may type on')
  await page.fill('#quick', '')
  await page.waitForURL(/\/dcim\/racks\/$/)
  await page.click('.filters summary')
  const pick = async (label: string, option: string) => {
    await page.click(`.field:has(label:text-is("${label}")) .ts-control`)
    await page.click(`.ts-dropdown .option:has-text("${option}")`)
    await page.keyboard.press('Escape')
  }
  await pick('Site', 'Bonn')
  await page.click('.field:has(label:text-is("Location")) .ts-control')
  await page.waitForSelector('.ts-dropdown .option:has-text("Room in Bonn")')
  assert.equal(await page.locator('.ts-dropdown .option:has-text("Room in Aachen")').count(), 0, 'narrowed by the site')
  await page.keyboard.press('Escape')
  await pick('Status', 'Active')
  await page.fill('#f-u_height__gte', '30')
  await page.click('.filters .submit button')
  await page.waitForURL(/u_height__gte=30/)
  assert.ok(!page.url().includes('=&') && !page.url().endsWith('='), 'empty fields stay out of the address')
  assert.equal(await page.textContent('#count'), '3')
  assert.deepEqual(await page.locator('.chips li span').allTextContents(), [
    'Site: Bonn',
    'Status: Active',
    'U height ≥: 30',
  ])
  await page.click('.chips a[aria-label="Remove Status: Active"]')
  await page.waitForSelector('#count:text-is("5")')
  assert.deepEqual(await violations(page), [])
  await page.goBack()
  await page.waitForSelector('#count:text-is("3")')
  assert.deepEqual(complaints, [])
})

test('rows are chosen, changed, renamed and deleted in a browser', async () => {
  const { page, complaints } = await open(client)
  await page.goto('/dcim/racks/?q=R2')
  await page.check('input[data-all]')
  await page.click('button:has-text("Edit chosen")')
  await page.waitForSelector('h1:has-text("Edit 11 racks")')
  await page.fill('#f-description', 'in bulk')
  assert.deepEqual(await violations(page), [])
  await page.click('button:has-text("Change 11 racks")')
  await page.waitForSelector('.message.good:has-text("11 racks were changed")')
  assert.match(page.url(), /\/dcim\/racks\/\?q=R2$/)
  await page.check('input[name=_all]')
  await page.click('button:has-text("Rename chosen")')
  await page.fill('#f-find', '^R(\\d+)$')
  await page.fill('#f-replace', 'Rack $1')
  await page.check('#f-use_pattern')
  await page.click('button:has-text("Preview")')
  await page.waitForSelector('td:text-is("Rack 25")')
  assert.deepEqual(await violations(page), [])
  await page.click('button:has-text("Rename 11")')
  await page.waitForSelector('.message.good')
  await page.goto('/dcim/racks/?q=Rack')
  await page.check('input[name=_all]')
  await page.click('button:has-text("Delete chosen")')
  await page.waitForSelector('h1:has-text("Delete 11 racks?")')
  assert.deepEqual(await violations(page), [])
  await page.click('button:has-text("Delete 11 racks")')
  await page.waitForSelector('.message.good:has-text("11 racks were deleted")')
  assert.equal((await client.call('GET', '/api/dcim/racks/')).json.count, 19)
  assert.deepEqual(complaints, [])
})

test('in a narrow window what is done with rows comes once one is chosen, and moves none', async () => {
  const { page } = await open(client)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/dcim/racks/')
  const edit = page.locator('button:has-text("Edit chosen")')
  const row = page.locator('tbody tr').nth(3)
  assert.equal(await edit.isVisible(), false)
  const before = (await row.boundingBox())!
  await row.locator('[name=pk]').check()
  const [after, button] = [(await row.boundingBox())!, (await edit.boundingBox())!]
  assert.ok(Math.abs(after.y - before.y) < 1, `${before.y} > ${after.y}`)
  assert.ok(button.y > 400 && button.y + button.height <= 800, `at ${button.y}`)
  assert.deepEqual(await violations(page), [])
  await page.locator('tbody tr').last().locator('[name=pk]').focus()
  const last = (await page.locator('tbody tr').last().locator('[name=pk]').boundingBox())!
  const bar = (await page.locator('.bulk').boundingBox())!
  assert.ok(last.y + last.height <= bar.y, 'what has the focus is not behind the bar')
  await edit.click()
  await page.waitForSelector('h1:has-text("Edit")')
})

test('what can be done with a row is in sight in a narrow window, and large enough for a finger', async () => {
  const { page } = await open(client)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/dcim/racks/')
  assert.ok(await page.evaluate("(s => s.scrollWidth > s.clientWidth)(document.querySelector('.scroll'))"), 'scrolls')
  const box = (await page.locator('.acting tbody tr:first-child td:last-child a').boundingBox())!
  assert.ok(box.x >= 0 && box.x + box.width <= 390, `from ${box.x} to ${box.x + box.width}`)
  assert.ok(Math.min(box.width, box.height) >= 24, `${box.width} x ${box.height}`)
  const link = page.locator('.acting thead th:nth-last-child(3) a')
  const { x } = (await link.boundingBox())!
  await page.evaluate(`document.querySelector('.scroll').scrollLeft += ${x - box.x}`)
  await link.focus()
  const focused = (await link.boundingBox())!
  const end = focused.x + focused.width
  assert.ok(end <= box.x, `what has the focus ends at ${end}, behind what begins at ${box.x}`)
  await page.close()
})

test('columns are chosen with the keyboard alone, and without scripts', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await open(client, { javaScriptEnabled })
    await page.goto('/dcim/racks/')
    await page.focus('a:text-is("Columns")')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:has-text("Columns of racks")')
    await page.focus('#up-site')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.column-order li:first-child input[value=site]:checked')
    await page.focus('button:text-is("Save")')
    await page.keyboard.press('Enter')
    await page.waitForSelector('th[data-column=site]:first-child, th:first-child + th[data-column=site]')
    await page.goto('/dcim/racks/columns/')
    await page.click('button:text-is("Back to the usual ones")')
    await page.waitForSelector('.message.good')
  }
})

test('the text of a label stays within it', async () => {
  const rack = await created('dcim/racks', { name: 'a-rather-long-name-of-the-source-1', site: sites[0].id })
  const { page } = await open(client)
  await page.goto(`/labels/?type=dcim.rack&id=${rack.id}`)
  const beyond = `[...document.querySelectorAll('.sheet text')].map((text) =>
    text.getBoundingClientRect().right - text.parentNode.querySelector('.cut').getBoundingClientRect().right)`
  const found = (await page.evaluate(beyond)) as number[]
  assert.ok(found.length >= 2 && found.every((pixels) => pixels <= 0), found.join())
})

test('menus close by Escape, which leaves the focus at them, and by a click elsewhere', async () => {
  const { page } = await open(client)
  const { id } = (await client.call('GET', '/api/dcim/sites/?limit=1')).json.results[0]
  await page.goto(`/dcim/sites/${id}/`)
  for (const selector of ['details.drop.add', 'header details.user:not(.when)']) {
    const menu = page.locator(selector)
    await menu.locator('summary').focus()
    await page.keyboard.press('Enter')
    assert.equal(await menu.locator('li').first().isVisible(), true, selector)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    assert.equal(await menu.locator('li').first().isVisible(), false, selector)
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY')
    await menu.locator('summary').click()
    await page.locator('h1').click()
    assert.equal(await menu.locator('li').first().isVisible(), false, selector)
  }
})

test('the tabs of an object are all in sight, in any window', async () => {
  const part = {
    manufacturer: (await created('dcim/manufacturers', { name: 'M', slug: 'm' })).id,
    model: 'T',
    slug: 't',
  }
  const device = await created('dcim/devices', {
    name: 'Many tabs',
    site: sites[0].id,
    device_type: (await created('dcim/device-types', part)).id,
    role: (await created('dcim/device-roles', { name: 'R', slug: 'r' })).id,
  })
  for (const path of ['console-ports', 'console-server-ports', 'power-ports', 'power-outlets'])
    await created(`dcim/${path}`, { device: device.id, name: '1' })
  const { page } = await open(client)
  for (const width of [1280, 640, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/dcim/devices/${device.id}/changelog/`)
    const tabs = await page.locator('.tabs a').all()
    assert.ok(tabs.length > 8)
    for (const tab of tabs) {
      const { x, width: own } = (await tab.boundingBox())!
      assert.ok(x >= 0 && x + own <= width, `${await tab.innerText()} at ${width}`)
    }
  }
})

test('filters take a part of an address, and numbers beyond those that a field takes', async () => {
  const object_types = ['dcim.rack']
  await created('extras/custom-fields', { name: 'docs', type: 'url', object_types })
  await created('extras/custom-fields', { name: 'load', type: 'decimal', validation_minimum: 10, object_types })
  const documented = { custom_fields: { docs: 'https://wiki.example/racks/1', load: 12.25 } }
  await created('dcim/racks', { name: 'Documented', site: sites[0].id, ...documented })
  const { page } = await open(client)
  await page.goto('/dcim/racks/')
  await page.click('.filters summary')
  await page.fill('[name^=cf_docs]', 'wiki.ex')
  await page.fill('[name=cf_load__gte]', '2.5')
  await page.click('.filters button.primary')
  await page.waitForURL(/cf_docs/)
  assert.equal(await page.locator('#count').innerText(), '1')
})

test('ranges have room for two dates or numbers, and for the word between them, in a window of 1280', async () => {
  for (const type of ['date', 'datetime', 'integer'])
    await created('extras/custom-fields', { name: `a_${type}`, type, object_types: ['dcim.device'] })
  const { page } = await open(client)
  await page.goto('/dcim/devices/')
  await page.click('.filters summary')
  const measured = (selector: string, told: string) =>
    page.evaluate<never[]>(`[...document.querySelectorAll('${selector}')].map((each) => ${told})`)
  const lines: number[] = await measured('.range label', 'each.offsetHeight')
  assert.ok(
    lines.every((height) => height < 30),
    String(lines),
  )
  const widths: [string, number][] = await measured('.range [type^="date"]', '[each.type, each.offsetWidth]')
  assert.equal(widths.length, 4)
  for (const [type, width] of widths) assert.ok(width >= (type === 'date' ? 130 : 230), `${type}: ${width}`)
})
