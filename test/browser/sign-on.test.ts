import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, violationsEverywhere } from '../support/browser.ts'
import { realProvider, settings } from '../support/oidc.ts'
import { creating, serve } from '../support/server.ts'

test('a person signs on with a provider, sees where they are logged in, and logs out of both', async () => {
  const accounts = { ann: { preferred_username: 'ann', given_name: 'Ann', groups: ['net'] } }
  const provider = await realProvider(accounts)
  const client = await serve(settings(provider.issuer, { oidcGroups: 'create', oidcName: 'Office Login' }))
  provider.callbacks.push(`${client.base}/oauth/complete/oidc/`)
  const { page, complaints } = await open(client, { as: null })
  await page.goto('/dcim/sites/')
  await page.waitForURL(/\/login\/\?next=/)
  const found = await violationsEverywhere(page, 'login')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.click('text=Log in with Office Login')
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.fill('[name=name]', 'ann')
  await page.click('button')
  await page.waitForURL((url) => url.origin === client.base)
  assert.equal(new URL(page.url()).pathname, '/dcim/sites/')
  await page.goto('/user/sessions/')
  assert.match(await page.locator('main').innerText(), /Chrome on Linux[\s\S]*by Office Login/)
  found.push(...(await violationsEverywhere(page, 'sessions')))
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.click('details.user summary')
  await page.click('text=Log out')
  await page.waitForSelector('text=You are logged out here.')
  found.push(...(await violationsEverywhere(page, 'logged-out')))
  assert.deepEqual(
    complaints.filter((each) => !each.startsWith(`asked ${provider.issuer}/`)),
    [],
  )
  await page.click('text=Log out of Office Login too')
  await page.waitForURL((url) => url.origin === provider.issuer)
  assert.deepEqual(found, [])
})

test('the pages of a second factor are for everybody, and of a sign-on that failed', async () => {
  const client = await serve({ oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'x' })
  await creating(client)('users/users', { username: 'ann', password: 'Plain-User-Passw0rd' })
  const { page, complaints } = await open(client)
  const found: string[] = []
  const look = async (name: string) => {
    found.push(...(await violationsEverywhere(page, name)))
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  await page.goto('/user/second-factor/')
  await look('second-factor')
  await page.fill('[name=code]', '123')
  await page.fill('[name=password]', 'Cabinet-Test-Passw0rd')
  await page.click('text=Turn it on')
  await page.waitForSelector('text=This is not the code')
  const secret = (await page.locator('.steps code').innerText()).replaceAll(' ', '')
  const { TOTP, Secret } = await import('otpauth')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.fill('[name=code]', totp.generate())
  await page.fill('[name=password]', 'Cabinet-Test-Passw0rd')
  await page.click('text=Turn it on')
  await page.waitForSelector('text=These are shown once')
  const [code] = (await page.locator('pre.code').innerText()).split('\n')
  await look('recovery-codes')
  await page.click('text=Done')
  await page.waitForSelector('text=Turn it off')
  await look('second-factor-on')
  await page.goto('/users/users/1/sign-in/')
  await look('sign-in-tab')
  await page.context().clearCookies()
  await page.goto('/oauth/login/oidc/')
  await page.waitForSelector('text=cannot be reached')
  await look('sign-on-failed')
  await page.fill('[name=username]', 'admin')
  await page.fill('[name=password]', 'Cabinet-Test-Passw0rd')
  await page.click('button.primary')
  await page.waitForURL(/\/login\/code\/$/)
  await look('code')
  await page.fill('[name=code]', code!)
  await page.click('button.primary')
  await page.waitForURL((url) => url.pathname === '/')
  assert.deepEqual(found, [])
  assert.deepEqual(complaints, [])
})
