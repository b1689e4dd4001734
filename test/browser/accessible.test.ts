import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { modelNamed } from '../../src/engine/catalog.ts'
import { open, settled, violationsEverywhere } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { make: add, site, type, device, nic, join, panel } = await plant(client)
const make = new Maker(client.call)
const tag = await make.fresh('extras.tag', { name: 'core', color: 'ff9800' })
const rack = await make.fresh('dcim.rack', { site: site.id, name: 'R1' })
const placed = { rack, position: 4, face: 'front' }
const one = await device('one', { ...placed, serial: 'S-1', tags: [tag], comments: '# Head\n\ntext' })
const [left, right] = [await nic(one), await nic(await device('two', { rack }))]
const { rear, fronts } = await panel('panel', 2)
const cable = await join(['dcim.interface', left], ['dcim.frontport', fronts[0]!])
await make.fresh('dcim.rackreservation', { rack, units: [10, 11], description: 'kept' })
await make.fresh('extras.journalentry', {
  assigned_object_type: 'dcim.site',
  assigned_object_id: site.id,
  kind: 'danger',
  comments: '- **loud**\n- [link](https://example.org/)',
})
const prefix = await make.fresh('ipam.prefix', { prefix: '10.0.0.0/16', status: 'container' })
const child = await make.fresh('ipam.prefix', { prefix: '10.0.1.0/24' })
await make.fresh('ipam.ipaddress', { address: '10.0.1.7/24' })
const group = await make.fresh('ipam.vlangroup', { name: 'Floor', vid_ranges: [[1, 50]] })
await make.fresh('ipam.vlan', { group, vid: 7, name: 'seven' })
const set = await make.fresh('extras.customfieldchoiceset')
const hook = await make.fresh('extras.webhook', { payload_url: 'http://127.0.0.1:1/' })
const template = await make.fresh('extras.configtemplate', { template_code: 'host {{ device.name }}' })
await make.fresh('tenancy.contactassignment', { object_type: 'dcim.site', object_id: site.id })
await add('users/users', { username: 'plain', password: 'Plain-User-Passw0rd' })

/** Pages by the name of their picture: where they are, and what is done there first. */
type Kinds = Readonly<Record<string, string | readonly [path: string, ...steps: ((page: Page) => Promise<unknown>)[]]>>
const click = (what: string) => (page: Page) => page.click(what)
const fill = (what: string, text: string) => (page: Page) => page.fill(what, text)
const seen = (what: string) => (page: Page) => page.waitForSelector(what)
const all = (page: Page) => page.check('thead [data-all]')

const Groups: Readonly<Record<string, Kinds>> = {
  'lists and objects': {
    home: '/',
    arranging: '/?arrange=1',
    list: ['/dcim/devices/?status=active', click('.filters summary')],
    empty: '/circuits/circuits/',
    tree: '/ipam/prefixes/',
    columns: '/dcim/devices/columns/',
    export: '/dcim/devices/export/',
    search: '/search/?q=one',
    found: ['/', fill('#q', 'one'), seen('#hits li a')],
    object: [`/dcim/devices/${one.id}/`, click('.actions .drop > summary')],
    tab: `/dcim/devices/${one.id}/interfaces/`,
    journal: [`/dcim/sites/${site.id}/journal/`, click('.part-form > summary')],
    images: [`/dcim/sites/${site.id}/image-attachments/`, click('.part-form > summary')],
    contacts: `/dcim/sites/${site.id}/contacts/`,
    changes: `/dcim/sites/${site.id}/changelog/`,
    change: '/core/changelog/1/',
    context: `/dcim/devices/${one.id}/configcontext/`,
    render: `/dcim/devices/${one.id}/render-config/`,
    tagged: `/extras/tags/${tag}/objects/`,
    choices: `/extras/custom-field-choice-sets/${set}/`,
  },
  'forms and bulk work': {
    add: '/dcim/devices/add/',
    refused: ['/dcim/sites/add/', fill('[name=name]', 'Plant'), click('form.form button.primary'), seen('.error')],
    edit: `/dcim/sites/${site.id}/edit/`,
    conflict: [
      `/dcim/sites/${site.id}/edit/`,
      (page) => page.evaluate('document.querySelector("[name=_etag]").value = "W/\\"old\\""'),
      fill('[name=facility]', 'mine'),
      click('form.form button.primary'),
      seen('.message'),
    ],
    series: `/dcim/interfaces/add/?device=${one.id}`,
    delete: `/dcim/sites/${site.id}/delete/`,
    prevented: `/dcim/device-types/${type.id}/delete/`,
    'bulk-edit': ['/dcim/devices/', all, click('button:has-text("Edit chosen")'), seen('h1:has-text("Edit")')],
    'bulk-rename': ['/dcim/devices/', all, click('button:has-text("Rename chosen")'), seen('#f-find')],
    'bulk-renamed': [
      '/dcim/devices/',
      all,
      click('button:has-text("Rename chosen")'),
      fill('#f-find', 'o'),
      fill('#f-replace', '0'),
      click('button:has-text("Preview")'),
      seen('td:has-text("tw0")'),
    ],
    'bulk-delete': ['/dcim/devices/', all, click('button:has-text("Delete chosen")'), seen('h1:has-text("Delete")')],
    'components-of-many': ['/dcim/devices/', all, click('button:has-text("Add to chosen")'), seen('[name=name]')],
    import: '/dcim/sites/import/',
    'import-wrong': [
      '/dcim/sites/import/',
      fill('[name=text]', 'name,slug,status\nA,a,active\nB,,nowhere\n'),
      click('form.form button.primary'),
      seen('table'),
    ],
    labels: `/labels/?type=dcim.device&id=${one.id}`,
  },
  'racks, cables and addresses': {
    rack: `/dcim/racks/${rack}/`,
    elevations: '/dcim/rack-elevations/',
    cable: `/dcim/cables/${cable.id}/`,
    connect: `/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations_id=${right}`,
    'connect-many': [
      '/dcim/interfaces/?cabled=false',
      all,
      click('button:has-text("Connect chosen")'),
      seen('#b-ports'),
    ],
    trace: `/dcim/interfaces/${left}/trace/`,
    paths: `/dcim/rear-ports/${rear}/trace/`,
    connections: '/dcim/interface-connections/',
    map: `/dcim/map/?site_id=${site.id}`,
    prefix: `/ipam/prefixes/${prefix}/prefixes/`,
    addresses: `/ipam/prefixes/${child}/ipaddresses/`,
    vlans: `/ipam/vlan-groups/${group}/vlans/`,
    'next-free': `/ipam/prefixes/next-free/?prefix=${child}`,
    interface: `/dcim/interfaces/${right}/`,
  },
  'what is one’s own, and administration': {
    profile: '/user/profile/',
    password: '/user/password/',
    tokens: '/user/api-tokens/',
    token: '/user/api-tokens/add/',
    'token-made': ['/user/api-tokens/add/', click('form.form button.primary'), seen('[data-copy]')],
    preferences: '/user/preferences/',
    bookmarks: '/user/bookmarks/',
    notifications: '/user/notifications/',
    sessions: '/user/sessions/',
    user: '/users/users/1/',
    access: '/users/users/1/access/',
    permission: '/users/permissions/add/',
    system: '/core/system/',
    webhook: ['/extras/webhooks/', (page) => page.goto(`/extras/webhooks/${hook}/deliveries/`)],
    template: `/extras/config-templates/${template}/render/?device=${one.id}`,
    field: '/extras/custom-fields/add/',
    filter: '/extras/saved-filters/add/',
    missing: '/dcim/sites/99999/',
  },
}

for (const [group, kinds] of Object.entries(Groups))
  test(`pages can be used by everybody: ${group}`, async () => {
    const { page, complaints } = await open(client)
    const found: string[] = []
    for (const [name, kind] of Object.entries(kinds)) {
      const [path, ...steps] = typeof kind === 'string' ? [kind] : kind
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(path)
      await settled(page)
      try {
        for (const step of steps) await step(page)
        await settled(page)
        found.push(...(await violationsEverywhere(page, name)))
      } catch (error) {
        found.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
      }
    }
    assert.deepEqual(found, [])
    assert.deepEqual(complaints, [])
  })

test('the page to log in, what one may not see, and what went wrong can be used by everybody', async () => {
  const { page: stranger } = await open(client, { as: null })
  await stranger.goto('/login/')
  assert.deepEqual(await violationsEverywhere(stranger, 'login'), [])
  await stranger.fill('[name=username]', 'plain')
  await stranger.fill('[name=password]', 'wrong')
  await stranger.click('button.primary')
  await stranger.waitForSelector('[role=alert]')
  assert.deepEqual(await violationsEverywhere(stranger, 'login-refused'), [])
  const { page } = await open(client, { as: { username: 'plain', password: 'Plain-User-Passw0rd' } })
  assert.equal((await page.goto('/dcim/sites/'))!.status(), 403)
  assert.deepEqual(await violationsEverywhere(page, 'forbidden'), [])
  const { page: admin } = await open(client)
  const { pages } = modelNamed('dcim.region')
  const { panels } = pages!
  const region = await make.fresh('dcim.region')
  Object.defineProperty(pages, 'panels', {
    configurable: true,
    get: () => {
      throw new Error('broken on purpose')
    },
  })
  assert.equal((await admin.goto(`/dcim/regions/${region}/`))!.status(), 500)
  Object.defineProperty(pages, 'panels', { configurable: true, value: panels })
  assert.deepEqual(await violationsEverywhere(admin, 'broken'), [])
  assert.doesNotMatch(await admin.content(), /on purpose/)
})
