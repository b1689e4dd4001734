import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { open, settled } from '../support/browser.ts'
import { plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { make, get, site, type, role, device, nic } = await plant(client)
const rack = await make('dcim/racks', { name: 'Shared rack', site: site.id })
const [near, far] = [await device('near'), await device('far')]
const [begin] = [await nic(near), await nic(far, 'eth9')]
const prefix = await make('ipam/prefixes', { prefix: '10.4.0.0/29' })
const count = async (path: string): Promise<number> => (await get(path)).count
const save = 'form.form button.primary'

/** Goes from control to control until one matches; fails after more than any page has. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no key leads to ${selector}`)
}
/** Presses a link or button that keys lead to, and waits for the page that it leads to. */
// eslint
async function press(page: Page, selector: string, to: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, selector)
  await page.keyboard.press(key)
  await page.waitForURL(to).catch(async (error: Error) => {
    const wrong = await page.locator('.message, .error').allInnerTexts()
    const empty = await page.evaluate("[...document.querySelectorAll(':invalid')].map(({ name }) => name)")
    throw new Error(`${error.message} at ${page.url()}: ${wrong} not valid: ${empty}`)
  })
  await settled(page)
}
/** Chooses in a picker by typing. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `#f-${name}-ts-control, #f-${name}`)
  await page.keyboard.type(text)
  await page.waitForSelector(`.ts-dropdown .option.active:has-text("${text}")`)
  await page.keyboard.press('Enter')
  await page.waitForSelector(`.ts-wrapper .item:has-text("${text}")`)
}

test('with the keyboard alone: a site, a rack, a device in it, a cable, an address, and away with it', async () => {
  const { page, complaints } = await open(client)
  const command = async (text: string) => {
    await page.keyboard.press('/')
    await page.keyboard.type(text)
    await page.waitForSelector(`#hits [role=option]:has-text("${text}")`)
    await page.keyboard.press('ArrowDown')
    await Promise.all([page.waitForURL(/\/add\//), page.keyboard.press('Enter')])
    await settled(page)
  }
  await command('Add site')
  await tabTo(page, '[name=name]')
  await page.keyboard.type('By Keys')
  await press(page, save, /\/dcim\/sites\/\d+\/$/)
  await command('Add rack')
  await choose(page, 'site', 'By Keys')
  await tabTo(page, '[name=name]')
  await page.keyboard.type('K1')
  await press(page, save, /\/dcim\/racks\/\d+\/$/)
  const [made] = (await get('dcim/racks/?name=K1')).results
  assert.equal(made.site.name, 'By Keys')
  await press(page, 'svg a.free', /\/dcim\/devices\/add\//)
  await tabTo(page, '[name=name]')
  await page.keyboard.type('keyed')
  await choose(page, 'role', role.name)
  await choose(page, 'device_type', type.model)
  await press(page, save, /\/dcim\/devices\/\d+\/$/)
  const [keyed] = (await get('dcim/devices/?name=keyed')).results
  assert.equal(keyed.rack.id, made.id)
  assert.ok(keyed.position > 0)
  await page.goto(`/dcim/devices/${near.id}/interfaces/`)
  await press(page, '[aria-label="Connect eth0"]', /\/dcim\/cables\/add\//)
  await press(page, '[aria-label="Connect to far › eth9"]', /\/interfaces\/$/)
  assert.equal(await count('dcim/cables/'), 1)
  await page.goto(`/dcim/interfaces/${begin}/`)
  await press(page, 'a[href*="/ipam/ip-addresses/add/"]', /\/ip-addresses\/add\//)
  await tabTo(page, '[name=address]')
  await page.keyboard.type('10.4.0.3/29')
  await press(page, save, /\/dcim\/interfaces\/\d+\/$/)
  assert.equal(await count(`ipam/ip-addresses/?interface_id=${begin}`), 1)
  await page.goto(`/dcim/devices/${keyed.id}/`)
  await press(page, 'a.danger', /\/delete\/$/)
  await press(page, 'button.danger', /\/dcim\/devices\/$/)
  assert.equal(await count('dcim/devices/?name=keyed'), 0)
  assert.deepEqual(complaints, [])
})

test('without scripts: a site, a rack, a device, an address, a narrowed list, an import, and all deleted', async () => {
  const { page } = await open(client, { javaScriptEnabled: false })
  const send = async () => {
    await page.click(save)
    await page.waitForSelector('.message.good')
  }
  await page.goto('/dcim/sites/')
  await page.click('.actions a:has-text("Add")')
  await page.fill('[name=name]', 'Plain')
  await page.fill('[name=slug]', 'plain')
  await send()
  await page.goto('/dcim/racks/add/')
  await page.fill('input[name=site]', 'plain')
  await page.fill('[name=name]', 'P1')
  await send()
  const [made] = (await get('dcim/racks/?name=P1')).results
  assert.equal(made.site.slug, 'plain')
  await page.goto(`/dcim/devices/add/?rack=${made.id}&site=${made.site.id}&face=front&position=3`)
  await page.fill('[name=name]', 'scriptless')
  await page.fill('input[name=role]', role.slug)
  await page.fill('input[name=device_type]', String(type.id))
  await send()
  await page.goto('/dcim/devices/')
  await page.fill('#quick', 'scriptless')
  await page.click('form[role=search] button:has-text("Find")')
  await page.waitForURL(/q=scriptless/)
  assert.equal(await page.locator('tbody tr').count(), 1)
  await page.goto(`/ipam/prefixes/${prefix.id}/ipaddresses/`)
  await page.click('main button:has-text("Take next free")')
  await page.waitForSelector('.message.good')
  await page.goto('/dcim/sites/import/')
  await page.fill('[name=text]', 'name,slug\nImported,imported\n')
  await page.click(save)
  await page.click('button:has-text("Import 1")')
  await page.waitForSelector('.message:has-text("Imported: ")') // the preview has a message of its own
  assert.equal(await count('dcim/sites/?slug=imported'), 1)
  await page.goto(`/dcim/devices/?q=scriptless`)
  await page.check('tbody [name=pk]')
  await page.click('button:has-text("Delete chosen")')
  await page.click('button:has-text("Delete 1")')
  await page.waitForSelector('.message.good')
  assert.equal(await count('dcim/devices/?name=scriptless'), 0)
})

test('an import with one wrong line writes nothing, shows the line, and is mended in place', async () => {
  const { page, complaints } = await open(client)
  await page.goto('/dcim/sites/import/')
  const lines = [
    'name,slug,status',
    'Line one,line-one,active',
    'Line two,line-two,nowhere',
    'Line three,line-three,active',
  ]
  await page.fill('[name=text]', lines.join('\n'))
  await page.click(save)
  await page.waitForSelector('.message.bad')
  assert.match((await page.textContent('.message.bad'))!, /Line 3, status/)
  assert.equal(await count('dcim/sites/?name__isw=Line'), 0)
  assert.equal(await page.inputValue('[name=text]'), lines.join('\n'), 'what was pasted stays')
  await page.fill('[name=text]', lines.join('\n').replace('nowhere', 'planned'))
  await page.click(save)
  await page.click('button:has-text("Import 3")')
  await page.waitForSelector('.message:has-text("Imported: ")')
  assert.equal(await count('dcim/sites/?name__isw=Line'), 3)
  assert.deepEqual(complaints, [])
})

test('two people edit one object: who comes second is shown both, and decides', async () => {
  const [one, two] = [await open(client), await open(client)]
  for (const { page } of [one, two]) {
    await page.goto(`/dcim/racks/${rack.id}/edit/`)
    await settled(page)
  }
  await one.page.fill('[name=facility_id]', 'first')
  await one.page.click(save)
  await one.page.waitForSelector('.message.good')
  await two.page.fill('[name=facility_id]', 'second')
  await two.page.click(save)
  await two.page.waitForSelector('.message.bad')
  assert.match((await two.page.textContent('.message.bad'))!, /first[\s\S]*second/)
  assert.equal((await get(`dcim/racks/${rack.id}/`)).facility_id, 'first')
  await two.page.click(save)
  await two.page.waitForSelector('.message.good')
  assert.equal((await get(`dcim/racks/${rack.id}/`)).facility_id, 'second')
  assert.deepEqual([...one.complaints, ...two.complaints], [])
})

test('who may only see one site finds, opens and is offered that one alone', async () => {
  const hidden = await make('dcim/sites', { name: 'Hidden site', slug: 'hidden' })
  await make('dcim/racks', { name: 'Hidden rack', site: hidden.id })
  const user = await make('users/users', { username: 'guest', password: 'Guest-User-Passw0rd' })
  const grant = (name: string, object_types: string[], constraints: object) =>
    make('users/permissions', { name, object_types, actions: ['view'], constraints, users: [user.id] })
  await grant('one site', ['dcim.site'], { id: site.id })
  await grant('its things', ['dcim.rack', 'dcim.device'], { site: site.id })
  const { page, complaints } = await open(client, { as: { username: 'guest', password: 'Guest-User-Passw0rd' } })
  await page.goto('/dcim/racks/')
  assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Shared rack'])
  assert.equal(await page.locator('a:has-text("Add"), a:has-text("Import"), [name=pk] ~ .danger').count(), 0)
  await page.click('.filters summary')
  await page.click('.field:has(label:text-is("Site")) .ts-control')
  await page.waitForSelector('.ts-dropdown .option')
  assert.deepEqual(await page.locator('.ts-dropdown .option').allInnerTexts(), ['Plant'])
  await page.fill('#q', 'hidden')
  await page.waitForSelector('#hits .empty')
  assert.equal((await page.goto(`/dcim/sites/${hidden.id}/`))!.status(), 404)
  assert.equal((await page.goto('/ipam/prefixes/'))!.status(), 403)
  await page.goto(`/dcim/sites/${site.id}/`)
  assert.equal(await page.locator('.actions a:has-text("Edit"), .actions a:has-text("Delete")').count(), 0)
  assert.deepEqual(complaints, [])
})

test('on a phone: the menu opens, leads on and closes; a form is filled, and a wrong entry mended', async () => {
  const { page, complaints } = await open(client, {
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto('/')
  assert.ok(!(await page.isVisible('#menu a:text-is("Sites")')), 'the menu is away')
  await page.tap('.bars')
  await page
    .locator('#menu summary, #menu button', { hasText: 'Organization' })
    .first()
    .tap()
    .catch(() => {})
  await page.locator('#menu a:text-is("Sites")').first().tap()
  await page.waitForURL(/\/dcim\/sites\/$/)
  await page.tap('.actions a:has-text("Add")')
  await page.waitForSelector('[name=name]')
  await page.fill('[name=name]', 'Typed worng')
  await page.tap(save)
  await page.waitForSelector('.message.good')
  await page.tap('.actions a:has-text("Edit")')
  await page.waitForSelector('[name=name]')
  await page.fill('[name=name]', 'Typed right')
  await page.tap(save)
  await page.waitForSelector('h1:has-text("Typed right")')
  for (const path of [
    '/',
    '/extras/event-rules/import/',
    '/dcim/sites/',
    `/dcim/devices/${near.id}/interfaces/`,
    `/dcim/racks/${rack.id}/`,
  ]) {
    await page.goto(path)
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, path)
  }
  assert.deepEqual(complaints, [])
})
