import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels, fieldsOf, genericPrefix, modelNamed } from '../../src/engine/catalog.ts'
import { extraOf } from '../../src/engine/extra.ts'
import { parametersOf } from '../../src/engine/filters.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { nameOf } from '../../src/web/bulk-rename.ts'
import { columnOf } from '../../src/web/table.ts'
import { words } from '../../src/web/words.ts'
import { type Body, Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { type Fields, fieldsIn, login } from '../support/session.ts'
import { hasPage } from '../../src/web/links.ts'

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)
const paged = allModels.filter((m) => !m.internal && hasPage(m))
const takes = (m: AnyModel, method: string) => ((m.methods ?? [method]) as readonly string[]).includes(method)

interface Mapping {
  rear_port: number
  rear_port_position?: number
}
/** A position of a rear port as the form of a front port says it. */
const positionOf = (each: Mapping): string => `${each.rear_port}:${each.rear_port_position ?? 1}`

/** A body of the API as the texts of a form. */
function formOf(m: AnyModel, body: Body): Fields {
  const texts: Record<string, string | Blob | string[]> = {}
  const one = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return value === null ? '' : String(value)
    return 'id' in value ? String((value as { id: number }).id) : JSON.stringify(value)
  }
  for (const [name, value] of Object.entries(body)) {
    const control = m.fields[name]?.control?.(name)
    if (name === 'custom_fields') continue
    if (value instanceof Blob) texts[name] = value
    else if (name === 'rear_ports') texts[name] = (value as Mapping[]).map(positionOf)
    else if (control?.as === 'object' && Array.isArray(value)) {
      texts[`${name}_type`] = value.map((each) => each.object_type)
      texts[`${name}_id`] = value.map((each) => String(each.object_id))
    } else if (control?.as === 'area' && typeof value === 'object') texts[name] = JSON.stringify(value)
    else if (Array.isArray(value) && control?.as === 'list')
      texts[name] = value.every((each) => typeof each !== 'object') ? value.join(', ') : JSON.stringify(value)
    else if (Array.isArray(value)) texts[name] = value.map(one)
    else texts[name] = control?.as === 'check' ? (value ? ['true'] : []) : one(value)
  }
  for (const [name, field] of fieldsOf(m)) {
    if (!field.generic) continue
    const as = genericPrefix(field, name)
    for (const part of ['type', 'id'])
      if (`${as}_${part}` in texts && as !== name) texts[`${name}_${part}`] = texts[`${as}_${part}`]!
  }
  return texts
}

const reasons = (page: string): string =>
  /role="alert"[\s\S]*?<\/div>|class="error"[^>]*>[^<]*/g.exec(page)?.[0] ?? page.slice(0, 2000)

/**
 * Sends the form of bulk edit for one object with what it says already, and that of its name; neither changes more than
 * is asked.
 */
async function editedInBulk(m: AnyModel, at: string, id: string, texts: Fields): Promise<void> {
  const read = async () => {
    const { last_updated: _, ...json } = (await client.call('GET', `/api/${m.path}/${id}/`)).json
    return json
  }
  const before = await read()
  const form = await browser.post(`${at}edit/`, { pk: id })
  assert.equal(form.status, 200, form.text.slice(0, 2000))
  const offered = new Set(
    [...form.text.matchAll(/<(?:input|select|textarea)[^>]* name="(\w+)"/g)].map(([, name]) => name!),
  )
  const set = Object.fromEntries(Object.entries(texts).filter(([name]) => offered.has(name)))
  const none = await browser.post(`${at}edit/`, { pk: id, _apply: '1' })
  assert.equal(none.status, 400, 'nothing was set')
  if (Object.values(set).some((value) => String(value) !== '')) {
    const sent = await browser.post(`${at}edit/`, { pk: id, _apply: '1', ...set })
    assert.equal(sent.status, 303, reasons(sent.text))
    assert.deepEqual(await read(), before, 'what it says already')
  }
  const named = nameOf(m)
  if (named && before[named]) {
    const asked = { pk: id, find: '$', replace: ' b', use_pattern: '1' }
    assert.equal((await browser.post(`${at}rename/`, asked)).status, 200)
    const renamed = await browser.post(`${at}rename/`, { ...asked, _apply: '1' })
    if (renamed.status === 303) assert.equal((await read())[named], `${before[named]} b`)
    else assert.equal(renamed.status, 400, renamed.text.slice(0, 2000))
  }
}

/** Id of the object that was made last. */
const latest = async (m: AnyModel): Promise<string> =>
  String((await client.call('GET', `/api/${m.path}/?ordering=-id&limit=1`)).json.results[0].id)

for (const m of paged) {
  test(`pages of ${m.plural} name what is there`, () => {
    const pages = m.pages ?? {}
    const unknown = (names: readonly string[]) => names.filter((path) => !columnOf(m, path))
    assert.deepEqual(unknown(words(pages.columns)), [])
    assert.deepEqual(unknown(words(pages.within)), [])
    assert.deepEqual(unknown(words(pages.series)), [])
    assert.deepEqual(unknown(Object.values(pages.panels ?? {}).flatMap(words)), [])
    assert.deepEqual(
      [...Object.values(pages.form ?? {}).flatMap(words), ...words(pages.bulk)].filter(
        (name) => !(name in m.fields) && !(name === 'tags' && extraOf(m).tags), // what answers do not show
      ),
      [],
    )
    assert.deepEqual(
      Object.values(pages.filters ?? {})
        .flatMap(words)
        .filter((name) => !parametersOf(m).has(name)),
      [],
    )
    const related = [...(pages.tables ?? []), ...Object.values(pages.tabs ?? {}).filter((tab) => tab !== true)]
    for (const [name, query] of related) {
      const known = parametersOf(modelNamed(name))
      for (const part of query.split('&').map((each) => each.split('=')[0]!))
        assert.ok(known.has(part), `${name}: ${part}`)
    }
  })

  test(`a person lists, makes, reads, changes and deletes ${m.plural}`, async () => {
    const at = `/${m.displayUrl || m.path}/`
    const list = await browser.get(at)
    assert.equal(list.status, 200, list.text)
    if (!takes(m, 'POST')) return
    const body = await make.body(m, 'full')
    assert.equal((await browser.get(`${at}add/`)).status, 200)
    const added = await browser.post(`${at}add/`, formOf(m, body))
    assert.equal(
      added.status,
      m.name === 'users.token' ? 201 : 303, // its secret is shown once
      /role="alert"[\s\S]*?<\/div>|class="error"[^>]*>[^<]*/g.exec(added.text)?.[0] ?? added.text.slice(0, 2000),
    )
    const id = added.location ? /\/(\d+)\/$/.exec(added.location)![1] : await latest(m)
    const shown = await browser.get(`${at}${id}/`)
    assert.equal(shown.status, 200, shown.text.slice(0, 2000))
    if (takes(m, 'PATCH')) {
      const form = await browser.get(`${at}${id}/edit/`)
      assert.equal(form.status, 200)
      const before = (await client.call('GET', `/api/${m.path}/${id}/`)).json
      const saved = await browser.post(`${at}${id}/edit/`, fieldsIn(form.text))
      assert.equal(
        saved.status,
        303,
        /role="alert"[\s\S]*?<\/div>|class="error"[^>]*>[^<]*/g.exec(saved.text)?.[0] ?? saved.text.slice(0, 2000),
      )
      const { last_updated: _, ...after } = (await client.call('GET', `/api/${m.path}/${id}/`)).json
      const { last_updated: __, ...same } = before
      assert.deepEqual(after, same, 'a form that is sent untouched changes nothing')
    }
    if (takes(m, 'PATCH')) await editedInBulk(m, at, id!, formOf(m, body))
    assert.equal((await browser.get(`${at}${id}/delete/`)).status, 200)
    const gone = await browser.post(`${at}${id}/delete/`, {})
    assert.equal(gone.status, 303, gone.text.slice(0, 1000))
    const pk = String(await make.fresh(m.name))
    const asked = await browser.post(`${at}delete/`, { pk })
    assert.equal(asked.status, 200, asked.text.slice(0, 1000))
    assert.match(asked.text, /<h2>These go<\/h2>/)
    const many = await browser.post(`${at}delete/`, { pk, _apply: '1' })
    assert.equal(many.status, 303, reasons(many.text))
    assert.equal((await browser.get(`${at}${pk}/`)).status, 404)
  })
}
