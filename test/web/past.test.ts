import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { moment } from '../support/moment.ts'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'
import { hasPage } from '../../src/web/links.ts'

const client = await serve({ pastCopies: 2 })
const { call } = client
const create = creating(client)
const make = new Maker(call)
const admin = await login(client)
/** Somebody who may see everything and change nothing sees pages as they are shown of the past. */
const user = (await call('GET', '/api/users/users/')).json.results[0].id
const reader = (await call('POST', '/api/users/tokens/', { user, version: 1, write_enabled: false })).json
const read = async (path: string) => {
  const reply = await call('GET', path, undefined, { authorization: `Token ${reader.token ?? reader.key}` })
  return { status: reply.status, text: reply.text, headers: reply.headers }
}
const withAt = (path: string, at: string) => `${path}${path.includes('?') ? '&' : '?'}at=${encodeURIComponent(at)}`

/** What stands on a page, without what tells of the moment. */
const content = (page: string): string =>
  page
    .replace(/^[\s\S]*?<main[^>]*>/, '')
    .replace(/<aside class="then[\s\S]*?<\/aside>/, '')
    .replace(/<input type="hidden" name="at"[^>]*>/g, '')
    .replace(/(?:&amp;|&|\?)at=[^"&#]*/g, '')

const site = await create('dcim/sites', { name: 'Old', slug: 'old', description: 'first' })
const rack = await create('dcim/racks', { name: 'R1', site: site.id })
const device = await make.fresh('dcim.device', {
  site: site.id,
  rack: rack.id,
  position: 5,
  face: 'front',
  name: 'box',
})
const port = async () => make.fresh('dcim.interface', { type: '1000base-t', device })
const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
const [a, b] = [await port(), await make.fresh('dcim.interface', { type: '1000base-t' })]
const cable = await create('dcim/cables', { a_terminations: end(a), b_terminations: end(b) })
const prefix = await create('ipam/prefixes', { prefix: '10.0.0.0/24' })
await create('ipam/ip-addresses', { address: '10.0.0.5/24' })
const changed = await call('PATCH', `/api/dcim/sites/${site.id}/`, { description: 'second' })
const request = changed.headers.get('x-request-id')!

const change = (await call('GET', `/api/core/object-changes/?request_id=${request}`)).json.results[0].id

const CSV = '/dcim/devices/export/?_as=csv'
const Pages = [
  '/',
  '/dcim/sites/',
  '/dcim/sites/?q=Old&sort=-name',
  '/dcim/sites/?q=nothing',
  `/dcim/sites/${site.id}/`,
  `/dcim/sites/${site.id}/changelog/`,
  `/dcim/racks/${rack.id}/`,
  '/dcim/rack-elevations/',
  `/dcim/devices/${device}/`,
  `/dcim/devices/${device}/interfaces/`,
  '/dcim/interfaces/',
  '/dcim/interface-connections/',
  `/dcim/interfaces/${a}/trace/`,
  `/dcim/cables/${cable.id}/`,
  '/dcim/map/',
  '/dcim/devices/export/',
  '/core/changelog/',
  `/core/changelog/${change}/`,
  '/ipam/prefixes/',
  `/ipam/prefixes/${prefix.id}/`,
  `/ipam/prefixes/${prefix.id}/ipaddresses/`,
  `/labels/?type=dcim.device&id=${device}`,
  '/search/?q=old',
]

test('pages of a moment are those that were there then; links keep it; nothing that writes is offered', async () => {
  const then = new Map<string, string>()
  const at = await moment()
  for (const path of Pages) {
    const page = await read(withAt(path, at)) // which is now, still
    assert.equal(page.status, 200, `${path} ${page.text.slice(0, 500)}`)
    then.set(path, page.text)
  }
  const csv = (await read(CSV)).text
  await call('DELETE', `/api/dcim/cables/${cable.id}/`)
  await call('PATCH', `/api/dcim/sites/${site.id}/`, { name: 'New', description: 'third' })
  await call('PATCH', `/api/dcim/devices/${device}/`, { position: 9, name: 'moved' })
  await create('ipam/ip-addresses', { address: '10.0.0.6/24' })
  assert.notEqual(content((await read(`/dcim/sites/${site.id}/`)).text), content(then.get(`/dcim/sites/${site.id}/`)!))
  for (const path of Pages) {
    const page = await read(withAt(path, at))
    assert.equal(page.status, 200, `${path} ${page.text.slice(0, 500)}`)
    assert.equal(content(page.text), content(then.get(path)!), path)
    assert.match(page.text, /<aside class="then"/, path)
    assert.equal(page.headers.get('shown-at'), at.replace('Z', '000Z'))
    const own = await admin.get(withAt(path, at))
    const main = own.text.slice(own.text.indexOf('<main'))
    assert.doesNotMatch(main, /<form[^>]*method="?post/, `${path} offers to write`)
    assert.doesNotMatch(main, /href="[^"]*\/(?:add|edit|delete|import|undo)\//, `${path} leads to a form`)
    for (const [tag, href] of main.matchAll(/<a\b[^>]* href="(\/[^"]*)"[^>]*>/g))
      if (!/ data-now| download/.test(tag) && !/^\/(?:media|user|assets)\//.test(href!))
        assert.match(href!, /[?;]at=/, `${path}: ${href} loses the moment`)
  }
  assert.equal((await read(withAt(CSV, at))).text, csv)
})

test('every list of every model can be seen as it was', async () => {
  const at = await moment()
  await create('dcim/sites', { name: 'Later', slug: 'later' })
  for (const m of allModels) {
    if (m.internal || !hasPage(m)) continue
    const path = `/${m.displayUrl || m.path}/`
    const [now, then] = [await admin.get(path), await admin.get(withAt(path, at))]
    assert.equal(then.status, now.status, `${path}: ${then.text.slice(-500)}`)
  }
})

test('a moment may be one before a request, which the change log leads to', async () => {
  const list = await admin.get(`/dcim/sites/${site.id}/changelog/`)
  assert.match(list.text, new RegExp(`href="/dcim/sites/${site.id}/\\?at=before-${request}"`))
  assert.match((await admin.get(`/dcim/sites/${site.id}/?at=before-${request}`)).text, /first/)
  assert.match((await admin.get(`/dcim/sites/${site.id}/?at=${request}`)).text, /second/)
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/?at=before-${request}`)).json.description, 'first')
  assert.match((await admin.get(`/core/changelog/${change}/`)).text, />As it was before<\/a>/)
  assert.equal((await call('GET', '/api/dcim/sites/?at=before-00000000-0000-4000-8000-000000000000')).status, 400)
})

test('what a request had made has no state before it, and no page offers a moment before what is kept', async () => {
  const type = (await call('GET', '/api/core/object-types/?app_label=dcim&model=cable')).json.results[0].id
  const of = `changed_object_type_id=${type}&action=update`
  const listed = (await call('GET', `/api/core/object-changes/?${of}`)).json
  assert.equal(listed.count, 1) // a cable is made and changed in one request
  const page = await admin.get(`/core/changelog/?${of}`)
  assert.match(page.text, /Updated/)
  for (const text of [page.text, (await admin.get(`/core/changelog/${listed.results[0].id}/`)).text])
    assert.doesNotMatch(text, /As it was before/)
  assert.doesNotMatch(page.text, /at=-1h/)
})

test('what cannot be seen or changed is said on a page, with a way back to now', async () => {
  const said = async (path: string) => {
    const page = await admin.get(path)
    assert.equal(page.status, 400, path)
    assert.match(page.text, new RegExp(`href="${path.split('?')[0]}" hx-boost="false">As it is now`))
    assert.doesNotMatch(page.text.slice(page.text.indexOf('<main')), /href="[^"]*at=/)
    return /role="alert"><p>([^<]*)/.exec(page.text)![1]!
  }
  assert.match(await said('/dcim/sites/?at=2001-01-01'), /^One can look back to/)
  assert.match(await said('/dcim/sites/?at=2099-01-01'), /has not come yet/)
  assert.match(await said('/dcim/sites/?at=%3Cb%3E'), /^Give a moment/)
  assert.match(await said(`/dcim/sites/${site.id}/edit/?at=-1s`), /seen, not changed/)
  const refused = await admin.post(`/dcim/sites/${site.id}/edit/?at=-1s`, { name: 'X', slug: 'x' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /seen, not changed/)
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).json.name, 'New')
  assert.equal((await fetch(`${client.base}/dcim/sites/?at=-1s`, { redirect: 'manual' })).status, 302, 'strangers')
  assert.equal((await admin.get('/user/profile/?at=-1s')).location, '/user/profile/')
  assert.match(await said('/dcim/sites/?at='), /^Give a moment/)
})

test('a search finds what was there then, also where one looks back further from a moment that is shown', async () => {
  const region = await create('dcim/regions', { name: 'Narrowboat', slug: 'r-one', description: 'aqueduct' })
  const first = await moment()
  await call('PATCH', `/api/dcim/regions/${region.id}/`, { name: 'Lighthouse' })
  const gone = await create('dcim/regions', { name: 'Windmill', slug: 'windmill' })
  const second = await moment()
  await call('DELETE', `/api/dcim/regions/${gone.id}/`)
  await call('PATCH', `/api/dcim/regions/${region.id}/`, { name: 'Harbour', description: 'quay' })
  const finds = async (text: string, at: string) =>
    /href="\/dcim\/regions\/\d+\//.test((await read(withAt(`/search/?q=${text}`, at))).text)
  const found = async (at: string) => {
    const all: string[] = []
    for (const text of ['Narrowboat', 'Lighthouse', 'Windmill', 'Harbour', 'aqueduct', 'quay'])
      if (await finds(text, at)) all.push(text)
    return all.join(' ')
  }
  const listed = async (at: string) => (await read(withAt('/api/dcim/regions/?q=aque', at))).text
  assert.match(await listed(second), /Lighthouse/)
  assert.match(await listed(first), /Narrowboat/)
  assert.equal(await found(second), 'Lighthouse Windmill aqueduct')
  assert.equal(await found(first), 'Narrowboat aqueduct')
})

test('a session that ended sees nothing of the past either', async () => {
  const at = await moment()
  await create('dcim/sites', { name: 'After', slug: 'after' })
  const other = await login(client)
  assert.equal((await other.get(withAt('/dcim/sites/', at))).status, 200)
  await other.post('/logout/', {})
  assert.equal((await other.get(withAt('/dcim/sites/', at))).status, 302)
  const late = await login(client)
  assert.equal((await late.get(withAt('/dcim/sites/', at))).status, 200, 'one that began after the state was made')
})

test('GraphQL answers of a moment too', async () => {
  const query = encodeURIComponent(`{ site(id: ${site.id}) { description } }`)
  const then = await call('GET', `/graphql/?query=${query}&at=${request}`)
  assert.equal(then.json?.data.site.description, 'second', then.text)
  assert.equal((await call('POST', `/graphql/?at=${request}`, { query: '{ site_list { id } }' })).status, 400)
})
