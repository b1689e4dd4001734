import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../support/browser.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const make = new Maker(client.call)

test('a link in a text leads to what it names, of which nothing becomes part of the page', async () => {
  const { page } = await open(client)
  const victim = await make.fresh('dcim.site', { name: 'Victim' })
  // What htmx would do by itself, with the token of the form to log out.
  const included = 'hx-include=[name=csrfmiddlewaretoken]'
  const orders = `<div hx-post=/dcim/sites/${victim}/delete/ ${included} hx-trigger=load>here</div>`
  const bait = `<main id=main><h1>Injected</h1>${orders}</main>`
  await make.fresh('extras.exporttemplate', {
    name: 'bait',
    object_types: ['dcim.site'],
    template_code: bait,
    mime_type: 'text/html',
    as_attachment: false,
  })
  const description = await make.fresh('dcim.region', { name: 'Bait', description: bait.slice(0, 200), comments: bait })
  for (const path of [`/api/dcim/regions/${description}/?format=json`, '/dcim/sites/?export=bait']) {
    const site = await make.fresh('dcim.site', { comments: `[read](${path})` })
    await page.goto(`/dcim/sites/${site}/`)
    await page.click('.prose a')
    await page.waitForURL((url) => url.href.endsWith(path))
    await page.waitForTimeout(500)
    assert.equal(await page.locator('nav#menu').count(), 0, `${path}: nothing of the page is left`)
    const { status } = await client.call('GET', `/api/dcim/sites/${victim}/`)
    assert.equal(status, 200, `${path} did nothing`)
  }
})
