import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, violationsEverywhere } from '../support/browser.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
await creating(client)('dcim/sites', { name: 'Paris', slug: 'paris' })

test('the editor runs queries by key and button, and says what may be asked where the cursor stands', async () => {
  const { page, complaints } = await open(client)
  await page.goto('/graphql/')
  const query = page.getByLabel('Query')
  const answer = page.locator('output')
  await query.press('Control+Enter')
  await page.locator('output', { hasText: '"device_list": []' }).waitFor()
  await query.fill('{site_list(filters: {sl')
  await page.getByRole('button', { name: 'slug', exact: true }).click()
  assert.equal(await query.inputValue(), '{site_list(filters: {slug')
  await query.fill('query($n: Int) {site_list(pagination: {limit: $n}) {na')
  await page.getByRole('button', { name: 'name', exact: true }).click()
  await query.press('End')
  await query.pressSequentially('}}')
  await page.getByLabel('Variables (JSON)').fill('{"n": 1}')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.locator('output', { hasText: 'Paris' }).waitFor()
  assert.deepEqual(JSON.parse((await answer.textContent())!), { data: { site_list: [{ name: 'Paris' }] } })
  await query.fill('{nothing}')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.waitForSelector('output.bad')
  assert.deepEqual(await violationsEverywhere(page, 'graphql'), [])
  assert.deepEqual(complaints, [])
})
