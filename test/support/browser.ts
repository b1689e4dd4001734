import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium as playwright, type Page } from 'playwright-core'
import type { Client } from './launch.ts'

let started: Promise<Browser> | undefined
after(async () => (await started)?.close())

/** The Chromium that comes with the development dependencies; closed after the tests of the file. */
function browser(): Promise<Browser> {
  started ??= (async () => {
    const made = await playwright.launch({
      executablePath: await chromium.executablePath(),
      // In one process all contexts would send the cookies of the first.
      args: [...chromium.args.filter((each) => each !== '--single-process'), '--no-sandbox'],
      headless: true,
    })
    return made
  })()
  return started
}

/** A page whose errors, refused requests and requests to other hosts are kept in `complaints`. */
export interface Watched {
  page: Page
  complaints: string[]
}

/** Opens a page in a context of its own, logged in unless `as` is null. */
export async function open(
  { base }: Pick<Client, 'base'>,
  options: BrowserContextOptions & { as?: { username: string; password: string } | null } = {},
): Promise<Watched> {
  const { as = { username: 'admin', password: 'Cabinet-Test-Passw0rd' }, ...more } = options
  const context = await (await browser()).newContext({ baseURL: base, viewport: { width: 1280, height: 900 }, ...more })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) complaints.push(`asked ${request.url()}`)
  })
  if (as) {
    await page.goto('/login/')
    await page.fill('[name=username]', as.username)
    await page.fill('[name=password]', as.password)
    await page.click('button.primary')
    await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  }
  return { page, complaints }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What breaks WCAG 2.2 A or AA on the page as it stands: the rule, and the first places. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const found = (await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} })`)) as { violations: Violation[] }
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' | ')}`,
  )
}
interface Violation {
  id: string
  nodes: { html: string }[]
}

/** Keeps a picture where `CABINET_TEST_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.CABINET_TEST_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
