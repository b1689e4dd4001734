import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyModel } from '../../src/declare/model.ts'
import { allModels, genericPrefix, fieldsOf } from '../../src/engine/catalog.ts'
import { type Body, Maker, writable } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { type Fields, fieldsIn, login } from '../support/session.ts'
import { hasPage } from '../../src/web/links.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)
await make.everything()
const paged = allModels.filter((m) => !m.internal && hasPage(m))
const takes = (m: AnyModel, method: string) => ((m.methods ?? [method]) as readonly string[]).includes(method)
const at = (m: AnyModel) => `/${m.displayUrl || m.path}/`
const faults = (page: string): string =>
  [...page.matchAll(/class="error"[^>]*>[^<]*|role="alert"[\s\S]{0,300}/g)].map(([text]) => text).join('\n')

/** JSON of values that a form shows otherwise than they are stored, by the kind of field; the first to fit is set. */
const Awkward: Readonly<Record<string, readonly string[]>> = {
  text: ['" lead\\r\\none\\n\\nthree\\ttab &amp;#10; </textarea>"', '"a  b &amp; <b>"'],
  json: [
    '{"a":1.0,"long":9007199254740993,"in":[1.0,{"x":"\\r\\n","n":null}]}',
    '[1.0,9007199254740993,"x"]',
    '"a text"',
    '1.0',
  ],
  datetime: ['"2036-01-02T03:04:05.123456Z"'],
  decimal: ['1.10', '1.5'],
}

test('a form that is saved as it came changes nothing, and nothing is recorded', async () => {
  let awkward = 0
  for (const m of paged.filter((each) => takes(each, 'PATCH'))) {
    const id = (await call('GET', `/api/${m.path}/?limit=1&ordering=-id`)).json.results[0]?.id
    if (id === undefined) continue
    const [path, form] = [`/api/${m.path}/${id}/`, `${at(m)}${id}/edit/`]
    for (const [name, { kind }] of writable(m))
      for (const value of Awkward[kind] ?? []) {
        const { status } = await call('PATCH', path, `{${JSON.stringify(name)}:${value}}`)
        if (status !== 200) continue
        awkward++
        break
      }
    const state = async () => ({
      object: (await call('GET', path)).text.replaceAll(/"last_updated":"[^"]*"/g, ''),
      records: (await call('GET', '/api/core/object-changes/?limit=1')).json.count,
    })
    const before = await state()
    const saved = await browser.post(form, fieldsIn((await browser.get(form)).text))
    assert.equal(saved.status, 303, `${m.name}: ${faults(saved.text)}`)
    assert.deepEqual(await state(), before, m.name)
  }
  assert.ok(awkward > 300, `${awkward} values`)
})

test('numbers of JSON are shown as they are stored, in forms and on pages', async () => {
  const { json } = await call(
    'POST',
    '/api/extras/config-contexts/',
    '{"name":"exact","data":{"a":1.0,"b":9007199254740993}}',
  )
  for (const path of ['', 'edit/']) {
    const { text } = await browser.get(`/extras/config-contexts/${json.id}/${path}`)
    assert.match(text, /1\.0[\s\S]*9007199254740993/, path)
  }
  const form = fieldsIn((await browser.get(`/extras/config-contexts/${json.id}/edit/`)).text)
  const data = form.data![0]!.replace('1.0', '2.0')
  assert.equal((await browser.post(`/extras/config-contexts/${json.id}/edit/`, { ...form, data })).status, 303)
  assert.match((await call('GET', `/api/extras/config-contexts/${json.id}/`)).text, /\{"a":2\.0,"b":9007199254740993\}/)
})

/** A body of the API as texts of a form. */
function textsOf(m: AnyModel, body: Body): Record<string, Fields[string]> {
  const texts: Record<string, string | Blob | string[]> = {}
  for (const [name, value] of Object.entries(body)) {
    const as = m.fields[name]?.control?.(name)?.as
    if (name === 'custom_fields') continue
    if (value instanceof Blob) texts[name] = value
    else if (as === 'object' && Array.isArray(value)) {
      texts[`${name}_type`] = value.map((each) => each.object_type)
      texts[`${name}_id`] = value.map((each) => String(each.object_id))
    } else if (as === 'check') texts[name] = value ? ['true'] : []
    else if (Array.isArray(value) && as !== 'list') texts[name] = value.map(String)
    else if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) texts[name] = value.join(', ')
    else texts[name] = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  }
  for (const [name, field] of fieldsOf(m)) {
    const as = field.generic && genericPrefix(field, name)
    for (const part of ['type', 'id'])
      if (as && as !== name && `${as}_${part}` in texts) texts[`${name}_${part}`] = texts[`${as}_${part}`]!
  }
  return texts
}

test('a form with no more than must be said makes an object', async () => {
  for (const m of paged.filter((each) => takes(each, 'POST'))) {
    const empty = fieldsIn((await browser.get(`${at(m)}add/`)).text)
    const texts = textsOf(m, await make.body(m, 'minimal'))
    if (m.name === 'users.user') texts.confirm_password = texts.password! // typed twice
    const added = await browser.post(`${at(m)}add/`, { ...empty, ...texts })
    assert.ok([201, 303].includes(added.status), `${m.name}: ${added.status} ${faults(added.text)}`)
  }
})

test('a choice that bodies cannot empty is emptied on pages: one, many at once, and by a table', async () => {
  const id = String(await make.fresh('vpn.ipsecpolicy'))
  const path = `/api/vpn/ipsec-policies/${id}/`
  const form = `/vpn/ipsec-policies/${id}/edit/`
  const ways = [
    async () => browser.post(form, { ...fieldsIn((await browser.get(form)).text), pfs_group: '' }),
    async () => browser.post('/vpn/ipsec-policies/edit/', { pk: id, _apply: '1', _empty: 'pfs_group' }),
    async () =>
      browser.post('/vpn/ipsec-policies/import/', { text: `id,pfs_group\n${id},\n`, _apply: '1', format: 'csv' }),
  ]
  for (const way of ways) {
    assert.equal((await call('PATCH', path, { pfs_group: 14 })).status, 200)
    assert.equal((await way()).status, 303)
    assert.equal((await call('GET', path)).json.pfs_group, null)
    for (const pfs_group of [null, '']) assert.equal((await call('PATCH', path, { pfs_group })).status, 400)
  }
})
