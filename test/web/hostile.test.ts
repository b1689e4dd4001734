import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../../src/fields/field.ts'
import { allModels, fieldsOf } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { Maker } from '../support/maker.ts'
import { pagePaths } from '../support/page-paths.ts'
import { serve } from '../support/server.ts'
import { type Fields, fieldsIn, login } from '../support/session.ts'
import { hasPage } from '../../src/web/links.ts'

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)
const paged = allModels.filter((m) => !m.internal && hasPage(m))
const takes = (m: AnyModel, method: string) => ((m.methods ?? [method]) as readonly string[]).includes(method)
const at = (m: AnyModel) => `/${m.displayUrl || m.path}/`

const Bad = [
  'x'.repeat(300),
  '-1',
  '1e308',
  '99999999999999999999',
  'a\0b',
  '\ud800',
  '\u{1F4A9}',
  '{"a":',
  '{"__proto__":{"x":1}}',
  `${'['.repeat(500)}${']'.repeat(500)}`,
  "'; drop table dcim_site; --",
  '1-999999999',
  '../../etc/passwd',
]

/** The fields of a form that say something is wrong. */
const faulty = (page: string): string[] =>
  [...page.matchAll(/<p class="error" id="e-([\w.-]+)"/g)].map(([, name]) => name!)

test('what no field takes gives the form again, with what is wrong at the field, of every model', async () => {
  const found: string[] = []
  for (const m of paged.filter((each) => takes(each, 'POST'))) {
    const form = await browser.get(`${at(m)}add/`)
    const fields = Object.keys(fieldsIn(form.text)).filter((name) => !name.startsWith('_') && !/token/.test(name))
    const named = new Set<string>()
    for (const value of Bad) {
      const sent = await browser.post(`${at(m)}add/`, Object.fromEntries(fields.map((name) => [name, value])))
      const shown = `${m.name} ${JSON.stringify(value.slice(0, 20))}: ${sent.status}`
      if (sent.status >= 500 || (sent.status !== 303 && (sent.status < 400 || !/<form class="form"/.test(sent.text))))
        found.push(shown)
      for (const name of faulty(sent.text)) named.add(name)
      if (sent.status >= 400 && !/class="error"|role="alert"/.test(sent.text)) found.push(`${shown} says nothing`)
    }
    if (named.size === 0) found.push(`${m.name}: no field was ever named`)
    const empty = await browser.post(`${at(m)}add/`, {})
    if (empty.status >= 500) found.push(`${m.name}, an empty form: ${empty.status}`)
  }
  assert.deepEqual(found, [])
})

test('what was typed comes back with every refusal', async () => {
  const typed = {
    name: 'Kept',
    slug: 'not a slug',
    status: 'active',
    physical_address: 'A\nB',
    comments: '<b>&amp;',
    tags: '',
  }
  const sent = await browser.post('/dcim/sites/add/', { ...typed, changelog_message: 'why' })
  assert.equal(sent.status, 400)
  const { csrfmiddlewaretoken: _, ...again } = fieldsIn(sent.text)
  assert.deepEqual(faulty(sent.text), ['slug'])
  for (const [name, value] of Object.entries({ ...typed, changelog_message: 'why' }))
    if (value) assert.equal(again[name]?.[0]?.replace(/^\n/, ''), value, name)
})

test('every address that takes a form refuses one without the token of its browser', async () => {
  const device = await make.fresh('dcim.device')
  const ids = {
    sites: await make.fresh('dcim.site'),
    devices: device,
    interfaces: await make.fresh('dcim.interface', { device }),
    racks: await make.fresh('dcim.rack'),
    cables: 1,
  }
  const posts = pagePaths('POST', ids)
  assert.ok(posts.size > 10, 'there are such addresses')
  for (const [path, examples] of posts) {
    const statuses: number[] = []
    for (const example of examples)
      for (const body of ['', 'csrfmiddlewaretoken=wrong', 'csrfmiddlewaretoken=']) {
        const answer = await fetch(client.base + example, {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
          body,
        })
        await answer.arrayBuffer()
        statuses.push(answer.status)
      }
    const others = statuses.filter((status) => status !== 403 && status !== 404) // not every model has every page
    assert.deepEqual(others, [], path)
    assert.ok(statuses.includes(403), `${path}: ${statuses.join()}`)
  }
})

const Names = [
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '</textarea></title><svg onload=alert(1)>',
  "=cmd|' /C <script>alert(1)</script>'!A0 \u202egnp.exe",
]
const raw = [/<script>alert/, /<img src=x/, /<svg onload/]

test('names are text on every kind of page, in drawings and in tables', async () => {
  const found: string[] = []
  for (const [i, name] of Names.entries()) {
    const more = { name, description: name, comments: name }
    const tag = await make.fresh('extras.tag', { name, description: name, color: 'ff0000' })
    const site = await make.fresh('dcim.site', { ...more, slug: `h${i}`, physical_address: name, tags: [tag] })
    const maker = await make.fresh('dcim.manufacturer', { name, slug: `h${i}` })
    const type = await make.fresh('dcim.devicetype', { manufacturer: maker, model: name, slug: `h${i}`, u_height: 1 })
    const role = await make.fresh('dcim.devicerole', { name, slug: `h${i}` })
    const rack = await make.fresh('dcim.rack', { ...more, site, facility_id: name.slice(0, 50) })
    const place = { rack, position: 3, face: 'front' }
    const device = await make.fresh('dcim.device', {
      ...more,
      site,
      role,
      device_type: type,
      ...place,
      serial: name.slice(0, 50),
    })
    const ends = [
      await make.fresh('dcim.interface', { device, name, label: name, type: '1000base-t' }),
      await make.fresh('dcim.interface', { device, name: `${name}2`, type: '1000base-t' }),
    ]
    const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
    const ended = { a_terminations: end(ends[0]!), b_terminations: end(ends[1]!), label: name }
    const cable = await make.fresh('dcim.cable', ended)
    const vlan = await make.fresh('ipam.vlan', { name, vid: 5 + i, site, description: name })
    const prefix = await make.fresh('ipam.prefix', { prefix: `10.${i}.0.0/24`, description: name, vlan })
    const note = { assigned_object_type: 'dcim.site', assigned_object_id: site, comments: name, kind: 'info' }
    await make.fresh('extras.journalentry', note)
    const objects = {
      sites: site,
      racks: rack,
      devices: device,
      'device-types': type,
      cables: cable,
      interfaces: ends[0]!,
    }
    const pages = Object.entries(objects).flatMap(([path, id]) =>
      ['', 'edit/', 'delete/', 'journal/', 'changelog/', 'contacts/', 'images/', 'interfaces/'].map(
        (tab) => `/dcim/${path}/${id}/${tab}`,
      ),
    )
    const asked = encodeURIComponent(name)
    pages.push(
      ...['sites', 'racks', 'devices', 'cables', 'interfaces'].flatMap((path) => [
        `/dcim/${path}/?q=${asked}&name=${asked}`,
        `/dcim/${path}/add/?name=${asked}&site=${asked}&device=${device}&_back=${asked}`,
        `/dcim/${path}/import/`,
      ]),
      `/ipam/vlans/${vlan}/`,
      `/ipam/prefixes/${prefix}/`,
      `/ipam/prefixes/`,
      `/extras/tags/${tag}/`,
      `/search/?q=${asked}`,
      `/search/suggestions/?q=${asked}`,
      '/dcim/rack-elevations/',
      `/dcim/map/?site_id=${site}`,
      `/dcim/interfaces/${ends[0]}/trace/`,
      `/labels/?type=dcim.device&id=${device}`,
      `/labels/?type=dcim.cable&id=${cable}`,
      `/labels/?type=dcim.rack&id=${rack}`,
      `/dcim/sites/export/?name=${asked}`,
      `/dcim/sites/columns/?_back=${asked}`,
      `/dcim/device-types/${type}/delete/`,
      `/extras/tags/${tag}/objects/`,
      `/ipam/prefixes/${prefix}/ipaddresses/`,
      `/api/dcim/racks/${rack}/elevation/?face=front&render=svg`,
      `/api/dcim/interfaces/${ends[0]}/trace/?render=svg`,
      `/api/dcim/sites/${site}/`,
      '/',
      `/${asked}/`,
    )
    const answers = await Promise.all(pages.map(async (path) => [path, await browser.get(path)] as const))
    const chosen = { pk: [String(site)] }
    for (const path of ['edit', 'rename', 'delete'])
      answers.push([path, await browser.post(`/dcim/sites/${path}/`, { ...chosen, find: name, replace: name })])
    answers.push([
      'import',
      await browser.post('/dcim/sites/import/', { text: JSON.stringify([{ name, slug: name, [name]: name }]) }),
    ])
    answers.push([
      'import',
      await browser.post('/dcim/sites/import/', { text: JSON.stringify([{ name, slug: name }]) }),
    ])
    answers.push([
      'refused',
      await browser.post('/dcim/sites/add/', {
        name,
        slug: name,
        status: name,
        region: name,
        tags: name,
        time_zone: name,
      }),
    ])
    answers.push([
      'conflict',
      await browser.post(`/dcim/sites/${site}/edit/`, {
        name: `${name}3`,
        slug: `h${i}`,
        status: 'active',
        _etag: 'W/"old"',
      }),
    ])
    for (const [path, { status, text }] of answers) {
      if (status >= 500) found.push(`${path}: ${status}`)
      for (const mark of raw) if (mark.test(text)) found.push(`${path}: ${mark}`)
    }
  }
  assert.deepEqual(found, [])
})

/** What no field of the kind takes; undefined for kinds that take any text. */
function wrongFor(field: Field, as: string | undefined): string | undefined {
  if (field.target || as === 'pick') return '99999999'
  if (as === 'number' || as === 'choose' || as === 'choice') return 'no such thing'
  return { integer: 'eleven', decimal: 'eleven', date: 'tomorrow', datetime: 'tomorrow', choice: 'no such thing' }[
    field.kind
  ]
}

test('one wrong value gives the form again with its error at that field, of every field of every model', async () => {
  const found: string[] = []
  let tried = 0
  const [a, b] = [await make.fresh('dcim.interface'), await make.fresh('dcim.interface')].map(String)
  const end = (side: string, id = '') => ({
    [`${side}_terminations_type`]: 'dcim.interface',
    [`${side}_terminations_id`]: id,
  })
  /** Without its ends, the form of a cable is refused before anything else is read. */
  const given: Readonly<Record<string, Fields>> = { 'dcim.cable': { ...end('a', a), ...end('b', b) } }
  for (const m of paged.filter((each) => takes(each, 'POST'))) {
    const form = await browser.get(`${at(m)}add/`)
    const known = fieldsIn(form.text)
    for (const [name, field] of fieldsOf(m)) {
      const wrong = name in known ? wrongFor(field, field.control?.(name)?.as) : undefined
      if (wrong === undefined) continue
      tried++
      const sent = await browser.post(`${at(m)}add/`, { ...known, ...given[m.name], [name]: wrong })
      const shown = `${m.name} ${name}: ${sent.status}`
      if (sent.status < 400 || sent.status >= 500) found.push(shown)
      else if (!faulty(sent.text).includes(name)) found.push(`${shown} names ${faulty(sent.text).join()}`)
    }
  }
  assert.ok(tried > 300, `${tried} fields`)
  assert.deepEqual(found, [])
})

test('cells of a table that a spreadsheet would take for a formula are text', async () => {
  await make.fresh('dcim.manufacturer', { name: '=1+1', slug: 'formula', description: '@SUM(A1)' })
  for (const as of ['&_of=shown', '']) {
    const { text } = await browser.get(`/dcim/manufacturers/export/?slug=formula&_as=csv${as}`)
    assert.doesNotMatch(text, /(?:^|[,\n])"?[=@+]/, text)
  }
})

test('what the API only shows, pages only show too, to superusers as well', async () => {
  const device = await make.fresh('dcim.device')
  const ends = [await make.fresh('dcim.interface', { device }), await make.fresh('dcim.interface', { device })]
  const end = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
  await make.fresh('dcim.cable', { a_terminations: end(ends[0]!), b_terminations: end(ends[1]!) })
  await make.fresh('dcim.site', { tags: [await make.fresh('extras.tag')] })
  const readOnly = allModels.filter((m) => !m.internal && m.methods && !takes(m, 'POST'))
  assert.ok(readOnly.length > 5)
  const found: string[] = []
  for (const m of readOnly) {
    const read = async () => (await client.call('GET', `/api/${m.path}/?limit=1000`)).json
    const { count, results } = await read()
    const id = results[0]?.id ?? 1
    const chosen = { pk: [String(id)], _apply: '1' }
    const answers: [string, { status: number }][] = []
    for (const path of ['add/', 'import/', `${id}/edit/`, `${id}/delete/`])
      answers.push([`GET ${path}`, await browser.get(at(m) + path)])
    for (const path of ['add/', 'import/', `${id}/edit/`, `${id}/delete/`, 'edit/', 'rename/', 'delete/'])
      answers.push([`POST ${path}`, await browser.post(at(m) + path, chosen)])
    for (const [path, { status }] of answers)
      if (status !== 404 && status !== 405) found.push(`${m.name} ${path}: ${status}`)
    const after = await read()
    if (after.count !== count || after.results[0]?.id !== results[0]?.id) found.push(`${m.name} was changed`)
  }
  assert.deepEqual(found, [])
})
