import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, picture, violations } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const make = new Maker(client.call)
const [device, site] = [await make.fresh('dcim.device'), await make.fresh('dcim.site')]
await make.fresh('dcim.interface', { device })
await make.fresh('extras.journalentry', {
  assigned_object_type: 'dcim.site',
  assigned_object_id: site,
  kind: 'danger',
  comments: '- **loud**\n- [link](https://example.org/)',
})

/** One page of each kind, by the name of its picture. */
const Pages: Readonly<Record<string, string>> = {
  home: '/',
  list: '/dcim/devices/?status=active',
  empty: '/circuits/circuits/',
  object: `/dcim/devices/${device}/`,
  tab: `/dcim/devices/${device}/interfaces/`,
  add: '/dcim/devices/add/',
  edit: `/dcim/sites/${site}/edit/`,
  delete: `/dcim/sites/${site}/delete/`,
  arranging: '/?arrange=1',
  profile: '/user/profile/',
  token: '/user/api-tokens/add/',
  preferences: '/user/preferences/',
  notifications: '/user/notifications/',
  sessions: '/user/sessions/',
  permission: '/users/permissions/add/',
  system: '/core/system/',
  journal: `/dcim/sites/${site}/journal/`,
  images: `/dcim/sites/${site}/image-attachments/`,
  contacts: `/dcim/sites/${site}/contacts/`,
  changes: `/dcim/sites/${site}/changelog/`,
  change: '/core/changelog/1/',
  context: `/dcim/devices/${device}/configcontext/`,
  render: `/dcim/devices/${device}/render-config/`,
  missing: '/dcim/sites/99999/',
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1280])
    test(`pages can be used by everybody, ${colorScheme}, ${width} wide`, async () => {
      const { page, complaints } = await open(client, { colorScheme, viewport: { width, height: 900 } })
      const found: string[] = []
      for (const [name, path] of Object.entries(Pages)) {
        await page.goto(path)
        await page.waitForFunction('!document.querySelector("select[data-source]:not(.tomselected)")')
        if (name === 'list') await page.click('.filters summary')
        if (name === 'object') await page.click('.actions .drop > summary')
        if (name === 'journal' || name === 'images') await page.click('.part-form > summary')
        await picture(page, `${name}-${colorScheme}-${width}`)
        found.push(...(await violations(page)).map((each) => `${name}: ${each}`))
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
        if (wide > 0) found.push(`${name}: ${wide} pixels wider than the window`)
      }
      assert.deepEqual(found, [])
      assert.deepEqual(complaints, [])
    })

test('the page to log in can be used by everybody', async () => {
  const { page, complaints } = await open(client, { as: null })
  await page.goto('/login/')
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(complaints, [])
})
