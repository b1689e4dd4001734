import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as playwright,
  type Page,
} from 'playwright-core'
import { afterAll, afterFile } from './endings.ts'
import type { Client } from './launch.ts'

/**
 * Arguments that come with the Chromium and are not wanted here. In one process all contexts would send the cookies of
 * the first; and a graphics card that is only imitated costs three times the work of the whole test, for pictures that
 * nobody looks at.
 */
const Unwanted =
  /^--(single-process|in-process-gpu|ignore-gpu-blocklist|enable-unsafe-swiftshader|use-gl=.*|use-angle=.*)$/

let started: Promise<Browser> | undefined
afterAll(async () => (await started)?.close())

let contexts: BrowserContext[] = []
afterFile(async () => {
  for (const context of contexts) await context.close()
  contexts = []
})

/** The Chromium that comes with the development dependencies; closed after the last file of the process. */
function browser(): Promise<Browser> {
  started ??= (async () => {
    const made = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [...chromium.args.filter((each) => !Unwanted.test(each)), '--disable-gpu', '--no-sandbox'],
      headless: true,
    })
    return made
  })()
  return started
}

/** A page whose errors, refused requests and requests to other hosts are kept in `complaints`. */
interface Watched {
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
  contexts.push(context)
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

/**
 * Waits until every picker of the page is one. The page's own policy lets nothing poll inside it, so it is looked at
 * from outside.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState()
  await page.waitForSelector('select[data-source]:not(.tomselected)', { state: 'detached' })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const Rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** The rules that colours can break. */
const OfColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What breaks WCAG 2.2 A or AA on the page as it stands: the rule, and the first places. */
export async function violations(page: Page, runOnly: object = Rules): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`(() => {${axe}})()`)
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] }) // of what is right, no list is made
  const found = (await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)) as Violation[]
  return found.map(
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

/** The rules that a narrower window can break. */
const OfWidth = {
  type: 'rule',
  values: ['target-size', 'scrollable-region-focusable', 'aria-hidden-focus', 'link-name'],
}

/**
 * The same on a phone and on a desk, in light and in dark, with a picture of each; what does not fit the width is told
 * too. Each window and scheme is asked about what it alone can break; about everything where pictures are kept, or
 * `isWhole` says so.
 */
export async function violationsEverywhere(
  page: Page,
  name: string,
  isWhole = process.env.CABINET_TEST_PICTURES !== undefined,
): Promise<string[]> {
  const found: string[] = []
  for (const [width, colorScheme, rules] of [
    [1280, 'light', Rules],
    [1280, 'dark', OfColours],
    [390, 'dark', isWhole ? OfColours : undefined],
    [390, 'light', isWhole ? Rules : OfWidth],
  ] as const) {
    if (!rules) continue
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await picture(page, `${name}-${colorScheme}-${width}`)
    found.push(...(await violations(page, rules)).map((each) => `${name}, ${colorScheme}, ${width} wide: ${each}`))
    const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    if (wide > 0) found.push(`${name}: ${wide} pixels wider than the window of ${width}`)
  }
  return found
}

/** Keeps a picture where `CABINET_TEST_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.CABINET_TEST_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
