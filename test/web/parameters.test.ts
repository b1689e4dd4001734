import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { pagePaths } from '../support/page-paths.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)
const seed = seedOf()
const random = new Random(seed)

const top = join(import.meta.dirname, '../..')
/** Parameters that pages read, by what their sources ask for. */
const names = new Set(
  globSync('src/{web,http}/**/*.ts', { cwd: top }).flatMap((file) =>
    [...readFileSync(join(top, file), 'utf8').matchAll(/query\.(?:get|getAll|has)\('([\w.]+)'\)/g)].map(
      ([, name]) => name!,
    ),
  ),
)
const Bad = ['a%00b', '%00', '%ED%A0%80', '%F0%9F%92%A9', '-1', '1e308', '99999999999999999999', '%22', '%7B%22a%22%3A']
Bad.push('../..', '//x.example', '1-999999999', '%25', '*', 'x'.repeat(5000), '%5B%5B%5D', 'null', 'dcim.site', '1')

test(`no parameter of any page makes the server fail (seed ${seed})`, async () => {
  const device = await make.fresh('dcim.device')
  const ids = { devices: device, interfaces: await make.fresh('dcim.interface', { device, name: 'ab' }) }
  const failed: string[] = []
  let asked = 0
  const ask = async (path: string) => {
    asked++
    const { status } = await browser.get(path)
    if (status >= 500) failed.push(`${path.slice(0, 120)}: ${status}`)
  }
  for (const [route, examples] of pagePaths('GET', ids)) {
    if (/\*$|logout|static/.test(route)) continue
    for (const path of examples) {
      for (const name of names) await ask(`${path}?${name}=${random.pick(Bad)}`)
      await ask(
        `${path}?${random
          .shuffled([...names])
          .slice(0, 6)
          .map((name) => `${name}=${random.pick(Bad)}`)
          .join('&')}`,
      )
    }
  }
  assert.ok(asked > 2000, `${asked} requests`)
  assert.deepEqual(failed, [])
})

test('a page further on than any number of rows is none', async () => {
  const journal = `/dcim/sites/${await make.fresh('dcim.site')}/journal/`
  for (const path of ['/dcim/sites/', '/dcim/interface-connections/', '/user/notifications/', journal])
    for (const number of ['1e308', '-1e308', '99999999999999999999', 'Infinity', 'NaN'])
      assert.equal((await browser.get(`${path}?page=${number}`)).status, 200, `${path} ${number}`)
})

test('a text with a NUL, which nothing holds, is looked for and not found', async () => {
  for (const path of ['/search/', '/search/suggestions/'])
    for (const text of ['%00', 'a%00b', '%00%00%00', '10.0.0.%00', '%0000:11:22'])
      assert.equal((await browser.get(`${path}?q=${text}`)).status, 200, `${path} ${text}`)
})
