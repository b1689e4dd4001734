import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { pagePaths } from '../support/page-paths.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)
const seed = seedOf()
const random = new Random(seed)

const top = join(import.meta.dirname, '../..')
/** What pages read of a query or a form, by what their sources ask for. */
const namesIn = (folders: string, asked: RegExp): string[] => [
  ...new Set(
    globSync(`src/${folders}/**/*.ts`, { cwd: top }).flatMap((file) =>
      [...readFileSync(join(top, file), 'utf8').matchAll(asked)].map(([, name]) => name!),
    ),
  ),
]
const names = namesIn('{web,http}', /query\.(?:get|getAll|has)\('([\w.]+)'\)/g)
const fields = namesIn('web', /\.(?:get|getAll|has)\('([\w.-]+)'\)/g).filter((name) => !/password|csrf/.test(name))
const Odd = ['a\0b', '\0', '\u{1F4A9}', '-1', '1e308', '99999999999999999999', '"', '{"a":', '../..', '//x.example']
Odd.push('1-999999999', '*', '(', 'x'.repeat(5000), '[[]', 'null', 'dcim.site', '1', '__proto__')
/** What a query says, and what a form may send in a field. */
const Asked = [...Odd.map(encodeURIComponent), '%ED%A0%80', '%']
const Sent = [...Odd, '\ud800', '{"a":1}', '[1]', '[1-', 'a[1-3]', '[1-99999999]', 'name,slug\na,b', 'front', '']

test('a page further on than any number of rows is none', async () => {
  const journal = `/dcim/sites/${await make.fresh('dcim.site')}/journal/`
  for (const path of ['/dcim/sites/', '/dcim/interface-connections/', '/user/notifications/', journal])
    for (const number of ['1e308', '-1e308', '99999999999999999999', 'Infinity', 'NaN'])
      assert.equal((await browser.get(`${path}?page=${number}`)).status, 200, `${path} ${number}`)
})

test('names that every object of JavaScript has are names as others are', async () => {
  const field = { name: 'constructor', type: 'text', object_types: ['dcim.site'] }
  assert.equal((await client.call('POST', '/api/extras/custom-fields/', field)).status, 201)
  const site = await make.fresh('dcim.site', { custom_fields: { constructor: 'x' } })
  await client.call('PATCH', '/api/users/config/', { csv_delimiter: 'constructor' })
  const pages = [`${site}/`, `${site}/edit/`, 'columns/', 'import/', '?cf_constructor=x', '?sort=constructor']
  pages.push('export/?_as=csv', 'export/?_as=csv&_of=shown')
  for (const path of pages) {
    const { status, text } = await browser.get(`/dcim/sites/${path}`)
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /native code/, path)
  }
  const { paths } = (await client.call('GET', '/api/schema/?format=json')).json
  const failed: string[] = []
  for (const [path, { get }] of Object.entries<any>(paths)) {
    if (!get?.parameters || /\{|stream/.test(path)) continue
    for (const { name } of get.parameters.filter((each: any) => each.in === 'query' && !each.name.includes('__')))
      if ((await client.call('GET', `${path}?${name}=constructor`)).status >= 500) failed.push(`${path}?${name}`)
  }
  assert.deepEqual(failed, [])
})

test('a text with a NUL, which nothing holds, is looked for and not found', async () => {
  for (const path of ['/search/', '/search/suggestions/'])
    for (const text of ['%00', 'a%00b', '%00%00%00', '10.0.0.%00', '%0000:11:22'])
      assert.equal((await browser.get(`${path}?q=${text}`)).status, 200, `${path} ${text}`)
})

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
      for (const name of names) await ask(`${path}?${name}=${random.pick(Asked)}`)
      await ask(
        `${path}?${random
          .shuffled([...names])
          .slice(0, 6)
          .map((name) => `${name}=${random.pick(Asked)}`)
          .join('&')}`,
      )
    }
  }
  assert.ok(asked > 2000, `${asked} requests`)
  assert.deepEqual(failed, [])
})

test(`no form of any page makes the server fail (seed ${seed})`, async () => {
  const [site, device] = [await make.fresh('dcim.site'), await make.fresh('dcim.device')]
  const failed: string[] = []
  for (const [route, examples] of pagePaths('POST', { sites: site, devices: device, cables: 1 })) {
    if (/log(?:in|out)|sessions/.test(route)) continue // they end the session
    for (const path of examples) {
      const own = fieldsIn((await browser.get(path)).text)
      const known = [...fields, ...Object.keys(own), ...Object.keys(own)]
      for (let i = 0; i < 10; i++) {
        const sent: Record<string, string | string[]> = random.below(2) ? { ...own } : {}
        for (let n = random.below(8); n >= 0; n--) sent[random.pick(known)] = random.pick(Sent)
        if (random.below(2)) sent.id = [String(site), String(device), random.pick(Sent)]
        const { status } = await browser.post(path, sent)
        if (status >= 500) failed.push(`${path}: ${status} ${JSON.stringify(sent).slice(0, 300)}`)
      }
    }
  }
  assert.equal((await browser.get('/dcim/sites/')).status, 200, 'the session lasts')
  assert.deepEqual(failed, [])
})
