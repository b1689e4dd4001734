import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { open, settled, violations } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { until } from '../support/until.ts'

const client = await serve()
const make = new Maker(client.call)
const { page, complaints } = await open(client)
page.on('dialog', (dialog) => void dialog.accept())
const ready = () => settled(page)
const get = async (path: string) => (await client.call('GET', `/api/${path}`)).json

/** The control that stands for a picker. */
const picker = (name: string) => page.locator(`[id="${name}-ts-control"]`)
const offered = async (name: string): Promise<string[]> => {
  const answer = page.waitForResponse((each) => each.url().includes('limit=50'))
  await picker(name).click()
  await answer
  const options = page.locator(`[id="${name}-ts-dropdown"] [role=option]`)
  await options.first().waitFor()
  return options.allInnerTexts()
}

/** What a picker offers, without what stands beside it: the device that it is of. */
const names = async (name: string): Promise<string[]> => {
  await offered(name)
  const options = page.locator(`[id="${name}-ts-dropdown"] [role=option]`)
  return options.evaluateAll((all) => all.map((each) => each.firstChild!.textContent!.trim()))
}

/** Waits until the focus is on something. */
const hasFocus = (selector: string) => page.locator(`${selector}:focus`).waitFor()

test('a picker offers what belongs to what is chosen in another field', async () => {
  const [one, two] = [await make.fresh('dcim.site', { name: 'One' }), await make.fresh('dcim.site', { name: 'Two' })]
  for (const [site, name] of [
    [one, 'In one'],
    [two, 'In two'],
  ] as const)
    await make.fresh('dcim.location', { site, name })
  await page.goto(`/dcim/racks/add/?site=${one}`)
  await ready()
  assert.deepEqual(
    (await offered('f-location')).map((text) => text.trim()),
    ['In one'],
  )
})

test('what is typed in a picker narrows what it offers, and the best is chosen by Enter', async () => {
  for (let i = 0; i < 60; i++) await make.fresh('dcim.site', { name: `Depot ${String(i).padStart(2, '0')}` })
  const [upper, lower] = [
    await make.fresh('dcim.site', { name: 'Nashua' }),
    await make.fresh('dcim.site', { name: 'A Nashua' }),
  ]
  await make.fresh('dcim.site', { name: 'Elsewhere', facility: 'nashua hall' })
  await page.goto('/dcim/racks/add/')
  await ready()
  assert.ok((await names('f-site')).includes('Depot 01'))
  let found = page.waitForResponse((each) => each.url().includes('q=nash'))
  await page.keyboard.type('nash')
  await found
  const options = page.locator('#f-site-ts-dropdown [role=option]')
  await until(
    () => options.count(),
    (count) => count === 3,
  )
  assert.deepEqual(
    await options.allInnerTexts(),
    ['Nashua', 'A Nashua', 'Elsewhere'],
    'by name first, then by the rest',
  )
  await page.keyboard.press('Enter')
  assert.equal(await page.inputValue('[name=site]'), String(upper))
  // Before the server answers nothing is chosen but what is called so.
  await page.route('**/api/dcim/sites/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  await page.goto('/dcim/racks/add/')
  await ready()
  found = page.waitForResponse((each) => each.url().includes('limit=50'))
  await picker('f-site').click()
  await found
  await options.first().waitFor()
  await page.keyboard.type('a nash')
  assert.deepEqual(await options.allInnerTexts(), ['A Nashua'])
  await page.keyboard.press('Enter')
  assert.equal(await page.inputValue('[name=site]'), String(lower))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('what a picker was asked first and is told last does not take away what is offered', async () => {
  let told = () => {}
  const late = new Promise<void>((resolve) => {
    told = resolve
  })
  await page.route('**/api/dcim/device-roles/**', async (route) => {
    if (!route.request().url().includes('q=')) await late
    await route.continue()
  })
  await page.goto('/dcim/devices/add/')
  await ready()
  const isFirst = (each: { url: () => string }) => !each.url().includes('q=') && each.url().includes('device-roles')
  const asked = page.waitForRequest(isFirst)
  await picker('f-role').click()
  await asked
  const answer = page.waitForResponse((each) => each.url().includes('q=Access'))
  await page.keyboard.type('Access')
  await answer
  const create = page.locator('[id="f-role-ts-dropdown"] .create')
  await create.waitFor()
  const first = page.waitForResponse(isFirst)
  told()
  await first
  await page.waitForTimeout(200)
  assert.equal(await create.count(), 1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('places of one name are told apart by what they are in, and kinds of one name by their app', async () => {
  const site = await make.fresh('dcim.site', { name: 'Halls' })
  for (const hall of ['Hall 1', 'Hall 2']) {
    const parent = await make.fresh('dcim.location', { site, name: hall })
    await make.fresh('dcim.location', { site, parent, name: 'Row A' })
  }
  await page.goto(`/dcim/racks/add/?site=${site}`)
  await ready()
  const rows = (await offered('f-location')).map((text) => text.replace(/\s+/g, ' ').trim())
  assert.deepEqual(rows, ['Hall 1', 'Row A in Hall 1', 'Hall 2', 'Row A in Hall 2'])
  await page.goto('/ipam/ip-addresses/add/')
  const kinds = await page.locator('#f-assigned_object option').allInnerTexts()
  assert.equal(new Set(kinds).size, kinds.length, kinds.join())
  await page.goto('/extras/event-rules/add/')
  assert.ok((await page.locator('#f-action_object option').count()) < 5, 'what no rule acts through is not offered')
})

test('a picker offers what the object can have: bundles of its chassis, its own addresses', async () => {
  const chassis = await make.fresh('dcim.virtualchassis')
  const [first, second, other] = await Promise.all(
    [1, 2, undefined].map((vc_position) =>
      make.fresh('dcim.device', vc_position ? { virtual_chassis: chassis, vc_position } : { name: 'free device' }),
    ),
  )
  await client.call('PATCH', `/api/dcim/virtual-chassis/${chassis}/`, { master: first })
  await make.fresh('dcim.interface', { device: first, name: 'Bundle 1', type: 'lag' })
  await make.fresh('dcim.interface', { device: other, name: 'Bundle 2', type: 'lag' })
  const member = await make.fresh('dcim.interface', { device: second, name: 'Port 1', type: '1000base-t' })
  await page.goto(`/dcim/interfaces/${member}/edit/`)
  await ready()
  assert.deepEqual(await names('f-lag'), ['Bundle 1'])
  const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: member }
  await make.fresh('ipam.ipaddress', { address: '192.0.2.1/24', ...assigned })
  await make.fresh('ipam.ipaddress', { address: '2001:db8::1/64', ...assigned })
  await make.fresh('ipam.ipaddress', { address: '192.0.2.9/24' })
  await page.goto(`/dcim/devices/${second}/edit/`)
  await ready()
  assert.deepEqual(await names('f-primary_ip4'), ['192.0.2.1/24'])
  const headless = await make.fresh('dcim.virtualchassis')
  await make.fresh('dcim.device', { name: 'only member', virtual_chassis: headless, vc_position: 1 })
  await page.goto(`/dcim/virtual-chassis/${headless}/edit/`)
  await ready()
  assert.deepEqual(await names('f-master'), ['only member'])
  await page.goto(`/dcim/devices/assign/?virtual_chassis=${chassis}`)
  await ready()
  const free = (await get('dcim/devices/?virtual_chassis_id=null')).results as { display: string }[]
  assert.deepEqual((await names('f-pk')).sort(), free.map(({ display }) => display).sort())
  assert.ok(free.some(({ display }) => display === 'free device'))
})

test('a picker offers what is of another object or of none, and what fits an object of any kind', async () => {
  const [here, there] = [await make.fresh('dcim.site', { name: 'Here' }), await make.fresh('dcim.site')]
  for (const [site, name] of [
    [here, 'Cluster here'],
    [there, 'Cluster there'],
    [undefined, 'Cluster anywhere'],
  ] as const)
    await make.fresh('virtualization.cluster', { name, ...(site && { scope_type: 'dcim.site', scope_id: site }) })
  await page.goto(`/dcim/devices/add/?site=${here}`)
  await ready()
  assert.deepEqual((await names('f-cluster')).sort(), ['Cluster anywhere', 'Cluster here'])
  await page.goto('/dcim/devices/add/')
  await ready()
  const all = await names('f-cluster')
  assert.ok(
    ['Cluster here', 'Cluster there', 'Cluster anywhere'].every((name) => all.includes(name)),
    `${all}`,
  )

  await make.fresh('ipam.vlan', { name: 'VLAN here', vid: 11, site: here })
  await make.fresh('ipam.vlan', { name: 'VLAN there', vid: 12, site: there })
  for (const [kind, id] of [
    ['dcim.site', here],
    ['dcim.location', await make.fresh('dcim.location', { site: here })],
  ] as const) {
    await page.goto(`/ipam/prefixes/add/?scope_type=${kind}&scope_id=${id}`)
    await ready()
    const offer = await names('f-vlan')
    assert.ok(offer.includes('VLAN here (11)'), `${kind}: ${offer}`)
    assert.equal(offer.includes('VLAN there (12)'), kind !== 'dcim.site', `${kind}: ${offer}`)
  }

  const [device, other] = [await make.fresh('dcim.device'), await make.fresh('dcim.device')]
  const ports = [
    await make.fresh('dcim.interface', { device, name: 'a' }),
    await make.fresh('dcim.interface', { device, name: 'b' }),
    await make.fresh('dcim.interface', { device: other, name: 'c' }),
  ]
  for (const [i, port] of ports.entries()) {
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: port }
    await make.fresh('ipam.ipaddress', { address: `198.51.100.${i + 1}/24`, ...assigned })
  }
  await page.goto(`/vpn/tunnel-terminations/add/?termination_type=dcim.interface&termination_id=${ports[0]}`)
  await ready()
  assert.deepEqual((await names('f-outside_ip')).sort(), ['198.51.100.1/24', '198.51.100.2/24'])
  await page.goto(`/ipam/services/add/?parent_type=dcim.device&parent_id=${other}`)
  await ready()
  assert.deepEqual(await names('f-ipaddresses'), ['198.51.100.3/24'])
})

test('the component of an inventory item is one of its device, of any kind, without asking that again', async () => {
  const [one, two] = [await make.fresh('dcim.device'), await make.fresh('dcim.device')]
  await make.fresh('dcim.interface', { device: one, name: 'one-if' })
  await make.fresh('dcim.interface', { device: two, name: 'two-if' })
  await make.fresh('dcim.powerport', { device: one, name: 'one-power' })
  for (const [kind, name] of [
    ['interface', 'one-if'],
    ['powerport', 'one-power'],
  ]) {
    await page.goto(`/dcim/inventory-items/add/?device=${one}`)
    await ready()
    assert.equal(await page.locator('[name=_within_component]').count(), 0)
    await page.locator('[name=component_type]').selectOption(`dcim.${kind}`)
    assert.deepEqual(await names('f-component-id'), [name])
  }
})

test('the attributes of a module type follow its profile, and what was typed stays', async () => {
  const asking = (name: string, key: string, title: string) =>
    make.fresh('dcim.moduletypeprofile', { name, schema: { properties: { [key]: { type: 'integer', title } } } })
  const [memory, fan] = [await asking('Test memory', 'size', 'Size (GB)'), await asking('Test fan', 'rpm', 'RPM')]
  await page.goto('/dcim/module-types/add/')
  await ready()
  await page.fill('[name=model]', 'DIMM')
  const choose = (value: number | string, text: string) =>
    page.evaluate(`{
      const { tomselect } = document.querySelector('#f-profile')
      tomselect.addOption({ value: '${value}', text: '${text}' })
      tomselect.setValue('${value}')
    }`)
  await choose(memory, 'Test memory')
  await page.getByLabel('Size (GB)').fill('16')
  await choose(fan, 'Test fan')
  await page.getByLabel('RPM').fill('900')
  assert.equal(await page.getByLabel('Size (GB)').count(), 0)
  await choose(memory, 'Test memory')
  await page.getByLabel('Size (GB)').fill('32')
  assert.equal(await page.inputValue('[name=model]'), 'DIMM')
  await choose('', '')
  await page.waitForSelector('[name=attr_size]', { state: 'detached' })
  assert.equal(await page.inputValue('[name=model]'), 'DIMM')
})

test('positions of rear ports follow the device of a front port, and are kept in the order of choosing', async () => {
  const device = await make.fresh('dcim.device', { name: 'Test panel' })
  const rear = await make.fresh('dcim.rearport', { device, name: 'R1', type: '8p8c', positions: 4 })
  await page.goto('/dcim/front-ports/add/')
  await ready()
  await page.fill('[name=name]', 'F1')
  await page.fill('[name=positions]', '2')
  await page.evaluate(`document.querySelector('#f-type').tomselect.setValue('8p8c')`)
  await page.evaluate(`{
    const { tomselect } = document.querySelector('#f-device')
    tomselect.addOption({ value: '${device}', text: 'Test panel' })
    tomselect.setValue('${device}')
  }`)
  await page.waitForSelector('#f-rear_ports option[value$=":3"]', { state: 'attached' })
  await page.click('#field-rear_ports .ts-control')
  await page.click('#field-rear_ports .option:text-is("R1:3")')
  await page.click('#field-rear_ports .option:text-is("R1:1")')
  await Promise.all([page.waitForURL(/front-ports\/\d+\/$/), page.click('.submit button.primary')])
  const [port] = (await get(`dcim/front-ports/?device_id=${device}`)).results
  assert.deepEqual(port.rear_ports, [
    { position: 1, rear_port: rear, rear_port_position: 3 },
    { position: 2, rear_port: rear, rear_port_position: 1 },
  ])
})

test('what a picker lacks is made over the form, chosen, and nothing that was typed is lost', async () => {
  await page.goto('/dcim/racks/add/')
  await ready()
  await page.fill('#f-name', 'Rack of a new site')
  await page.focus('[data-new=f-site]')
  await page.keyboard.press('Enter')
  const dialog = page.locator('dialog.over')
  await dialog.waitFor()
  assert.equal(await page.evaluate('document.activeElement.closest("dialog") !== null'), true)
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.click('[data-new=f-site]')
  await dialog.waitFor()
  await page.fill('#over-f-name', 'Made beside')
  assert.equal(await page.inputValue('#over-f-slug'), 'made-beside')
  await page.fill('#over-f-slug', 'not a slug')
  await dialog.locator('button.primary').click()
  await dialog.locator('#over-e-slug').waitFor()
  await hasFocus('dialog .message')
  await dialog.locator('.message a').click()
  await hasFocus('#over-f-slug')
  assert.equal(await page.inputValue('#over-f-name'), 'Made beside')
  await page.fill('#over-f-slug', 'made-beside')
  await dialog.locator('button.primary').click()
  await dialog.waitFor({ state: 'detached' })
  const [site] = (await get('dcim/sites/?slug=made-beside')).results
  assert.equal(await page.inputValue('#f-site'), String(site.id))
  assert.equal(await page.inputValue('#f-name'), 'Rack of a new site')
  await page.click('form.form button.primary')
  await page.waitForURL(/\/dcim\/racks\/\d+\/$/)
  const [rack] = (await get('dcim/racks/?name=Rack%20of%20a%20new%20site')).results
  assert.equal(rack.site.id, site.id)
})

test('the button that takes away one of several that are chosen says which', async () => {
  const [red, blue] = [
    await make.fresh('extras.tag', { name: 'Red' }),
    await make.fresh('extras.tag', { name: 'Blue' }),
  ]
  const site = await make.fresh('dcim.site', { tags: [red] })
  await page.goto(`/dcim/sites/${site}/edit/`)
  await ready()
  await offered('f-tags')
  await page.keyboard.type('Blue')
  await page.locator(`[id="f-tags-ts-dropdown"] [data-value="${blue}"]`).click()
  await page.getByRole('button', { name: 'Remove Red' }).click()
  await page.getByRole('button', { name: 'Remove Blue' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Remove Red' }).count(), 0)
  await page.click('form.form button.primary')
  await page.waitForURL(/\/dcim\/sites\/\d+\/$/)
  assert.deepEqual(
    (await get(`dcim/sites/${site}/`)).tags.map(({ id }: { id: number }) => id),
    [blue],
  )
})

test('fields are shown with the values that they have a use for', async () => {
  const device = await make.fresh('dcim.device')
  await page.goto(`/dcim/interfaces/add/?device=${device}`)
  await ready()
  const isShown = (name: string) =>
    page.locator(`.field:has([for="f-${name}"]), .field:has([for="f-${name}-ts-control"])`).isVisible()
  assert.equal(await isShown('tagged_vlans'), false)
  await page.selectOption('#f-mode', 'tagged')
  assert.deepEqual([await isShown('tagged_vlans'), await isShown('qinq_svlan')], [true, false])
  await page.selectOption('#f-mode', 'access')
  assert.deepEqual([await isShown('tagged_vlans'), await isShown('untagged_vlan')], [false, true])
})

test('what the type of a rack decides is not asked for while one is chosen', async () => {
  const type = await make.fresh('dcim.racktype', { model: 'Test type', u_height: 24, form_factor: '4-post-cabinet' })
  const site = await make.fresh('dcim.site')
  await page.goto(`/dcim/racks/add/?site=${site}&rack_type=${type}`)
  await ready()
  const shown = async () => [
    await page.isVisible('#f-u_height'),
    await page.isVisible('#f-max_weight'),
    await page.isVisible('legend:text-is("Weight")'),
  ]
  assert.deepEqual(await shown(), [false, false, false])
  assert.match(await page.innerText('#h-rack_type'), /dimensions, numbering and weights come from it/)
  const choose = (value: string) =>
    page.evaluate(`document.querySelector('#f-rack_type').tomselect.setValue('${value}')`)
  await choose('')
  assert.deepEqual(await shown(), [true, true, true])
  await page.fill('#f-u_height', '12')
  await choose(String(type))
  assert.deepEqual(await shown(), [false, false, false])
  await page.fill('#f-name', 'Typed')
  await Promise.all([page.waitForURL(/racks\/\d+\/$/), page.click('.submit button.primary')])
  const [rack] = (await get('dcim/racks/?name=Typed')).results
  assert.equal(rack.u_height, 24)
})

test('a group of a form of which nothing has a use is not shown', async () => {
  await page.goto('/extras/custom-fields/add/')
  await ready()
  const options = page.locator('legend:text-is("Type options")')
  assert.equal(await options.isVisible(), false)
  await page.evaluate(`document.querySelector('#f-type').tomselect?.setValue('select')`)
  if (await page.locator('#f-type:visible:not(.tomselected)').count()) await page.selectOption('#f-type', 'select')
  await options.waitFor()
})

test('a field that must be filled in is led to where the bar on top does not cover it', async () => {
  await page.goto('/dcim/devices/add/')
  await ready()
  await page.locator('form.form button.primary').click()
  const edge = async (selector: string) => (await page.locator(selector).boundingBox())!
  const bar = await edge('.top')
  assert.ok((await edge('.field:has(#f-role)')).y >= bar.y + bar.height)
})

test('a refused form begins with what is wrong, which leads to the fields', async () => {
  const device = await make.fresh('dcim.device', { name: 'Refused' })
  await page.goto(`/dcim/devices/${device}/edit/`)
  await ready()
  await page.fill('#f-local_context_data', '{bad')
  await page.locator('#f-local_context_data').press('Tab')
  await page.click('form.form button.primary')
  await hasFocus('.message[role=alert]')
  const isSeen = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!
    return y > 50 && y + height < page.viewportSize()!.height
  }
  assert.ok(await isSeen('#main .message'))
  assert.deepEqual(await violations(page), [])
  await page.click('#main .message a')
  await hasFocus('#f-local_context_data')
  assert.ok(await isSeen('#e-local_context_data'))

  await page.goto('/dcim/racks/add/')
  await ready()
  await page.fill('#f-name', 'No site')
  await page.evaluate('document.querySelector("form.form").noValidate = true')
  await page.click('form.form button.primary')
  await hasFocus('.message[role=alert]')
  await page.click('#main .message a[href="#f-site"]')
  await hasFocus('#f-site-ts-control[aria-invalid=true][aria-describedby*=e-site]')
  await page.goto('/user/password/')
  for (const name of ['old', 'new', 'again']) await page.fill(`#f-${name}`, 'short')
  await page.click('form.form button.primary')
  await hasFocus('#f-new[aria-invalid=true]')
  await page.goto('/') // nothing typed is left
})

test('whoever entered nothing leaves a form of something new without being asked', async () => {
  const asked: string[] = []
  const note = (dialog: { message: () => string }) => asked.push(dialog.message())
  page.on('dialog', note)
  await page.goto('/dcim/sites/?status=active')
  await page.click('#main a[href*="sites/add/"]')
  await page.waitForURL(/sites\/add/)
  await ready()
  await page.click('nav a[href="/dcim/regions/"]')
  await page.waitForURL(/regions/)
  await page.goto('/dcim/sites/add/?status=planned')
  await page.goto('/dcim/regions/')
  page.off('dialog', note)
  assert.deepEqual(asked, [])
})

test('nobody leaves a changed form by mistake, and lines come back as they were', async () => {
  const site = await make.fresh('dcim.site', { name: 'Lines', comments: 'a\nb', physical_address: 'Street 1\nTown' })
  await page.goto(`/dcim/sites/${site}/edit/`)
  await ready()
  const asked: string[] = []
  page.on('dialog', (dialog) => asked.push(dialog.type()))
  await page.fill('#f-facility', 'Cellar')
  await page.click('.crumbs a')
  await page.waitForURL(/\/dcim\/sites\/$/)
  assert.deepEqual(asked, ['confirm'])
  await page.goto(`/dcim/sites/${site}/edit/`)
  await ready()
  await page.fill('#f-facility', 'Cellar')
  await page.click('form.form button.primary')
  await page.waitForURL(/\/dcim\/sites\/\d+\/$/)
  const { comments, physical_address, facility } = await get(`dcim/sites/${site}/`)
  assert.deepEqual([comments, physical_address, facility], ['a\nb', 'Street 1\nTown', 'Cellar'])
  assert.equal(asked.length, 1)
})

test('no form complained', () => assert.deepEqual(complaints, []))

test('a picker is narrowed by what the form does not ask for otherwise', async () => {
  const group = await make.fresh('tenancy.tenantgroup', { name: 'Narrow ones' })
  await make.fresh('tenancy.tenant', { name: 'Inside', group })
  await make.fresh('tenancy.tenant', { name: 'Outside' })
  await page.goto('/dcim/sites/add/')
  await ready()
  const narrowers = page.locator('.narrowers:has([name=_in_tenant_tenant_group])')
  await narrowers.locator('summary').click()
  await page.evaluate(`{
    const { tomselect } = document.querySelector('[name=_in_tenant_tenant_group]')
    tomselect.addOption({ value: '${group}', text: 'Narrow ones', beside: '' })
    tomselect.setValue('${group}')
  }`)
  assert.deepEqual(
    (await offered('f-tenant')).map((text) => text.trim().split('\n')[0]),
    ['Inside'],
  )
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(complaints, [])
})

test('without scripts no picker stands empty: a line takes the name, what lacks is said in plain words', async () => {
  const plain = (await open(client, { javaScriptEnabled: false })).page
  const pickers = plain.locator('select[data-source]:visible')
  const empty = plain.locator('select[data-source]:visible:not(:has(option:not([value=""])))')
  await plain.goto('/dcim/devices/add/')
  assert.deepEqual([await pickers.count(), await plain.locator('[name=role][placeholder]').isVisible()], [0, true])
  await plain.locator('form.form button.primary').click()
  assert.deepEqual([await empty.count(), await plain.locator('#e-role').innerText()], [0, 'This field is required.'])
  await plain.goto('/dcim/devices/')
  await plain.click('.filters summary')
  assert.deepEqual([(await pickers.count()) > 0, await empty.count()], [true, 0])
})

test('what was typed stays where the session ended, a proxy answers or nobody does, and is saved later', async () => {
  const visitor = await open(client)
  const { page } = visitor
  await page.goto('/dcim/sites/add/')
  await settled(page)
  await page.fill('#f-name', 'Kept')
  const save = () => page.locator('form.form button.primary').click()
  const said = (text: RegExp) => page.locator('#main > .complaint').filter({ hasText: text }).waitFor()
  const isKept = async () => assert.equal(await page.inputValue('#f-name'), 'Kept')
  const away = (route: Route) => route.abort()
  const bad = (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
  for (const [answer, text] of [
    [away, /cannot be reached/],
    [bad, /No answer of the server \(502\)/],
  ] as const) {
    await page.route('**/dcim/sites/add/', answer)
    await save()
    await said(text)
    await isKept()
    await page.unroute('**/dcim/sites/add/')
  }
  await page.route('**/dcim/sites/add/', async (route) => {
    const headers = { ...route.request().headers(), origin: 'http://elsewhere.invalid' }
    await route.fulfill({ response: await route.fetch({ headers }) })
  })
  await save()
  await said(/name that in trusted_proxies/)
  await isKept()
  await page.unroute('**/dcim/sites/add/')
  client.running.store.db.run('delete from users_session')
  await save()
  await said(/You are logged out/)
  await isKept()
  assert.deepEqual(await violations(page), [])
  const [other] = await Promise.all([page.context().waitForEvent('page'), page.click('.complaint a')])
  await other.fill('[name=username]', 'admin')
  await other.fill('[name=password]', 'Cabinet-Test-Passw0rd')
  await other.click('button.primary')
  await other.waitForURL(`${client.base}/`)
  await save()
  await page.waitForURL(/\/dcim\/sites\/\d+\/$/)
  client.running.store.db.run('delete from users_session')
  await page.goto('/dcim/sites/')
  assert.deepEqual(new URL(page.url()).pathname, '/login/')
})

test('the form over a form keeps what was typed too', async () => {
  const { page } = await open(client)
  await page.goto('/dcim/racks/add/')
  await settled(page)
  await page.click('[data-new=f-site]')
  const dialog = page.locator('dialog.over')
  await dialog.locator('#over-f-name').fill('Beside, kept')
  await page.route('**/dcim/sites/add/**', (route) => route.abort())
  await dialog.locator('button.primary').click()
  await dialog.getByText(/cannot be reached/).waitFor()
  await page.unroute('**/dcim/sites/add/**')
  client.running.store.db.run('delete from users_session')
  await dialog.locator('button.primary').click()
  await dialog.getByText(/Your session ended/).waitFor()
  assert.deepEqual(await violations(page), [])
  const [other] = await Promise.all([page.context().waitForEvent('page'), dialog.locator('.message a').click()])
  await other.fill('[name=username]', 'admin')
  await other.fill('[name=password]', 'Cabinet-Test-Passw0rd')
  await other.click('button.primary')
  await other.waitForURL(`${client.base}/`)
  await dialog.locator('button.primary').click()
  await dialog.waitFor({ state: 'detached' })
  assert.notEqual(await page.inputValue('#f-site'), '')
})

test('after an upgrade of the server a link loads the whole page, with what belongs to it', async () => {
  const { page } = await open(client)
  await page.goto('/dcim/racks/')
  await settled(page)
  const stays = async (path: string): Promise<unknown> => {
    await page.evaluate('window.loadedOnce = true')
    await page.click(`#menu a[href="${path}"]`)
    await page.waitForURL(client.base + path)
    await settled(page)
    return page.evaluate('window.loadedOnce')
  }
  assert.equal(await stays('/dcim/rack-roles/'), true)
  await page.route('**/dcim/rack-types/', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/cabinet-\w+\.css/, 'cabinet-new.css'),
    })
  })
  assert.equal(await stays('/dcim/rack-types/'), undefined)
})

test('a list whose session ended leads to where one logs in, and back', async () => {
  const { page } = await open(client)
  await page.goto('/dcim/sites/')
  await settled(page)
  client.running.store.db.run('delete from users_session')
  await page.fill('#quick', 'kept')
  await page.waitForURL(/\/login\/\?next=/)
})
