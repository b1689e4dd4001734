import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, violations } from '../support/browser.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const create = creating(client)
const site = await create('dcim/sites', { name: 'Watched', slug: 'watched' })
const path = `/dcim/sites/${site.id}/`
const patch = async (body: object) => assert.equal((await call('PATCH', `/api${path}`, body)).status, 200)

test('an open object, list and form say what others changed, and a form that is sent shows it', async () => {
  const { page, complaints } = await open(client)
  const told = page.locator('.watch.told')
  await page.goto(path)
  await patch({ description: 'first' })
  await told.waitFor()
  assert.match(await told.innerText(), /^Changed by admin just now: description\./)
  assert.deepEqual(await violations(page), [])
  await told.locator('a').click()
  await page.locator('dd', { hasText: 'first' }).waitFor()
  assert.equal(await told.count(), 0, 'nothing is new on the page that is shown now')

  await page.goto('/dcim/sites/')
  await patch({ description: 'second' })
  await create('dcim/sites', { name: 'Other', slug: 'other' })
  await page.locator('.watch', { hasText: '2 changes by admin' }).waitFor()

  await page.goto(`${path}edit/`)
  await page.fill('[name=name]', 'Mine')
  await patch({ name: 'Theirs' })
  await told.waitFor()
  assert.match(await told.innerText(), /Nothing of it is overwritten before you have seen it/)
  await page.click('#main button.primary')
  await page.locator('.message.bad', { hasText: 'Theirs' }).waitFor()
  assert.equal((await call('GET', `/api${path}`)).json.name, 'Theirs', 'it is not overwritten unseen')

  await page.goto(path)
  await call('DELETE', `/api${path}`)
  await page.locator('.watch', { hasText: 'Deleted by admin just now.' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('on a phone the moment to look back to is chosen whole, and lines of the change log are not high', async () => {
  const { page } = await open(client, { viewport: { width: 390, height: 800 } })
  await page.goto('/core/changelog/')
  const heights = await page.locator('.scroll tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight))
  assert.ok(heights.length > 0 && Math.max(...heights) < 40, heights.join())
  await page.click('#when summary')
  const box = (await page.locator('#when > ul').boundingBox())!
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
  assert.ok((await page.locator('#at').boundingBox())!.width > 210)
})
