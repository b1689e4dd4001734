import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { System } from '../../src/engine/actor.ts'
import { Export } from '../../src/exchange/export.ts'
import { allModels, modelNamed, typesWith } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'
import { hasPage } from '../../src/web/links.ts'

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)
const imported = allModels.filter((m) => !m.internal && hasPage(m) && (m.methods ?? ['POST']).includes('POST'))
const pageOf = (m: AnyModel) => `/${m.displayUrl || m.path}/import/`

await client.call('POST', '/api/extras/custom-fields/', {
  name: 'matrix',
  type: 'text',
  object_types: [...typesWith('custom_fields')],
})

/** What a table cannot say: files, secrets, and what is drawn by chance. */
const NotInTables: Readonly<Record<string, string>> = {
  'extras.imageattachment': 'needs a file',
  'users.user': 'needs a password, which no export holds',
  'users.token': 'has a secret, which no export holds',
}

/** One object as a table of one line without its id. */
function tableOf(m: AnyModel, id: number): string {
  const [head, ...lines] = parse([...new Export(client.running.store, m, { actor: System })].join('')) as string[][]
  const at = head!.indexOf('id')
  const line = lines.find((each) => each[at] === String(id))!
  return stringify([head!, line].map((each) => each.filter((_, i) => i !== at)))
}

/** What an object says, but for its own id and when it was made. */
async function said(m: AnyModel, id: number): Promise<object> {
  const { json } = await client.call('GET', `/api/${m.path}/${id}/`)
  const { created, last_updated, ...rest } = json
  const own = `/api/${m.path}/${id}/`
  const nameless = (value: any): any => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return Array.isArray(value) ? value.map(nameless) : value
    const isOwn = String(value.url ?? '').endsWith(own)
    const kept = isOwn ? { ...value, id: 'own', url: 'own', display_url: 'own', display: 'own' } : value
    return Object.fromEntries(
      Object.entries(kept).map(([key, each]) => [key, key === 'cable' && each === id ? 'own' : nameless(each)]),
    )
  }
  return nameless(rest)
}

const reasons = (page: string): string =>
  /role="alert"[\s\S]*?<\/div>|class="error"[^>]*>[^<]*/g.exec(page)?.[0] ?? page.slice(0, 2000)

for (const m of imported)
  test(`a table of ${m.plural} is previewed and imported`, async () => {
    assert.equal((await browser.get(pageOf(m))).status, 200)
    if (m.name in NotInTables) return
    const full = Object.entries(await make.body(m, 'full'))
    const made = await make.post(m, Object.fromEntries(full.filter(([, value]) => value !== null)))
    assert.equal(made.status, 201, made.text)
    const { id } = made.json
    const { results: devices } = (await client.call('GET', '/api/dcim/devices/?limit=0')).json
    for (const { id: device, name } of devices) // a device without a name has none that an export could use
      if (!name) await client.call('PATCH', `/api/dcim/devices/${device}/`, { name: `device ${device}` })
    const before = await said(m, id)
    const text = tableOf(m, id)
    assert.equal((await client.call('DELETE', `/api/${m.path}/${id}/`)).status, 204)
    const count = async () => (await client.call('GET', `/api/${m.path}/?limit=1`)).json.count
    const was = await count()
    const seen = await browser.post(pageOf(m), { text })
    assert.equal(seen.status, 200, `${reasons(seen.text)}\n${text}`)
    assert.match(seen.text, /class="what create"/)
    assert.equal(await count(), was, 'a preview writes nothing')
    const done = await browser.post(pageOf(m), { text, _apply: '1' })
    assert.equal(done.status, 303, reasons(done.text))
    const { results } = (await client.call('GET', `/api/${m.path}/?limit=1&ordering=-id`)).json
    assert.deepEqual(await said(m, results[0].id), before, text)
  })

const sites = '/dcim/sites/import/'
const names = async (): Promise<string[]> =>
  (await client.call('GET', '/api/dcim/sites/?limit=0')).json.results.map(({ name }: { name: string }) => name)

test('one wrong line keeps all out, and is named by line and column; what was typed stays', async () => {
  const text = 'name,slug,status,region\nFirst,first,active,\nSecond,not a slug,asleep,nowhere\nThird,third,,\n'
  for (const more of [{}, { _apply: '1' }] as Record<string, string>[]) {
    const seen = await browser.post(sites, { text, ...more })
    assert.equal(seen.status, 400)
    for (const part of ['Line 3, <code>slug</code>', 'Line 3, <code>status</code>', 'Line 3, <code>region</code>'])
      assert.ok(seen.text.includes(part), part)
    assert.ok(!seen.text.includes('Line 2,'))
    assert.equal(fieldsIn(seen.text).text![0]!.trim(), text.trim())
  }
  assert.ok(!(await names()).some((name) => ['First', 'Third'].includes(name)))
  const mended = text.replace('not a slug,asleep,nowhere', 'second,active,')
  const apply = await browser.post(sites, { text: mended })
  assert.match(apply.text, /This would be: 3 created/)
  assert.equal((await browser.post(sites, { text: mended, _apply: '1' })).status, 303)
  assert.ok((await names()).includes('Third'))
})

test('a table comes as JSON, as YAML, as a file or from a data source, and its format is guessed', async () => {
  const forms: [string, string][] = [
    ['csv', 'name;slug\nSemi;semi\n'],
    ['json', '[{"name": "Jay", "slug": "jay"}]'],
    ['yaml', '- name: Why\n  slug: why\n'],
    ['yaml', '# made by hand\nname: Map\nslug: map\n'],
    ['yaml', '---\nname: One\nslug: one\n---\n- name: Two\n  slug: two\n'],
    ['json', '[{"name": "Deep", "slug": "deep", "custom_fields": {}, "tags": [], "asns": []}]'],
  ]
  for (const [format, text] of forms) {
    const seen = await browser.post(sites, { text })
    assert.equal(seen.status, 200, reasons(seen.text))
    assert.deepEqual(fieldsIn(seen.text).format, [format], text)
    assert.equal((await browser.post(sites, { file: new Blob([text]), format, _apply: '1' })).status, 303)
  }
  const source = (
    await client.call('POST', '/api/core/data-sources/', { name: 'Tables', type: 'local', source_url: '/nowhere' })
  ).json.id
  const { store } = client.running
  const data = 'name,slug\nFrom a file,from-a-file\n'
  const id = store.commit.now(() =>
    Number(
      store.db.run(
        'insert into core_datafile (source_id, path, created, last_updated, size, hash, data) values (?, ' +
          "'sites.csv', '2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z', 1, 'x', ?)",
        source,
        Buffer.from(data),
      ).lastInsertRowid,
    ),
  )
  store.db.touchAll()
  const seen = await browser.post(sites, { data_file: String(id) })
  assert.equal(fieldsIn(seen.text).text![0]!.trim(), data.trim())
  for (const name of ['Semi', 'Jay', 'Why', 'Map']) assert.ok((await names()).includes(name), name)
  const strange = await browser.post(sites, { data_file: '99999' })
  assert.deepEqual([strange.status, /There is no such data file/.test(strange.text)], [400, true])
})

test('what cannot be a table is refused at its field', async () => {
  for (const [text, format, why] of [
    ['', '', /Paste a table/],
    ['name,slug\n', '', /no line to import/],
    ['{"a":', 'json', /Line 1/],
    ['colour\nred\n', '', /no such column/],
    ['name,slug\n"open', 'csv', /role="alert"/],
    ['&a [*a, *a', 'yaml', /role="alert"/],
    ['\0', '', /role="alert"|class="error"/],
  ] as const) {
    const seen = await browser.post(sites, { text, format })
    assert.equal(seen.status, 400, `${text} ${seen.text.slice(0, 500)}`)
    assert.match(seen.text, why)
  }
  const binary = await browser.post(sites, { file: new Blob([new Uint8Array([255, 254, 0])]) })
  assert.deepEqual([binary.status, /not text in UTF-8/.test(binary.text)], [400, true])
})

test('lines with an id change what is there; lines that say what is there change nothing', async () => {
  const [one, two] = [await make.fresh('dcim.region'), await make.fresh('dcim.region')]
  const { name } = (await client.call('GET', `/api/dcim/regions/${two}/`)).json
  const text = `id,name\n${one},Renamed\n${two},${name}\n`
  const seen = await browser.post('/dcim/regions/import/', { text })
  assert.deepEqual(
    [...seen.text.matchAll(/class="what (\w+)"/g)].map(([, word]) => word),
    ['change', 'nothing'],
  )
  const done = await browser.post('/dcim/regions/import/', { text, _apply: '1', changelog_message: 'by table' })
  assert.equal(done.status, 303)
  const { results } = (
    await client.call('GET', `/api/core/object-changes/?changed_object_id=${one}&changed_object_type=dcim.region`)
  ).json
  assert.equal(results[0].message, 'by table')
})

test('objects on one line are told apart in a preview, and what is wrong with one is told of it', async () => {
  const id = await make.fresh('dcim.site', { name: 'Own', slug: 'own' })
  const seen = async (list: object[], at = sites) => (await browser.post(at, { text: JSON.stringify(list) })).text
  const rows = (page: string) =>
    [...page.matchAll(/<th scope="row">([^<]*)<\/th><td><span class="what (\w+)"/g)].map(([, place, word]) => [
      place,
      word,
    ])
  const changed = { id, description: 'json' }
  const both = await seen([changed, { name: 'J2', slug: 'j2' }])
  assert.match(both, /This would be: 1 created, 1 changed\./)
  assert.deepEqual(rows(both), [
    ['1, item 1', 'change'],
    ['1, item 2', 'create'],
  ])
  const faulty = await seen([changed, { name: 'Bad', slug: 'not a slug' }, { name: 'J3', slug: 'j3' }])
  assert.match(faulty, /1 value is wrong in 1 of 3 objects/)
  assert.match(faulty, /<li>Line 1, item 2, <code>slug<\/code>: /)
  assert.deepEqual(rows(faulty), [['1, item 2', 'refuse']])
  const types = [{ model: 'M1' }, { manufacturer: 'Acme', model: 'M2', slug: 'm2' }]
  const library = await browser.post('/dcim/device-types/import/', { text: JSON.stringify(types), format: 'library' })
  assert.deepEqual(rows(library.text), [['1, item 1', 'refuse']])
})

test('an import does only what its user may do, object by object', async () => {
  const user = (await client.call('POST', '/api/users/users/', { username: 'ann', password: 'Cabinet-Test-Passw0rd' }))
    .json.id
  const grant = (actions: string[], constraints: object) =>
    client.call('POST', '/api/users/permissions/', {
      name: actions.join(),
      object_types: ['dcim.site'],
      actions,
      constraints,
      users: [user],
    })
  await grant(['view'], { slug__startswith: 'a' })
  await grant(['add', 'change'], { slug__startswith: 'ab' })
  const ann = await login(client, 'ann')
  assert.equal((await ann.get('/dcim/racks/import/')).status, 403)
  const [ab, ac, b] = await Promise.all(['ab', 'ac', 'b'].map((slug) => make.fresh('dcim.site', { name: slug, slug })))
  for (const [text, status, why] of [
    ['name,slug\nnew,abc\n', 200, /1 created/],
    ['name,slug\nnew,b2\n', 400, /may not add such a site/],
    [`id,name\n${ab},Changed\n`, 200, /1 changed/],
    [`id,name\n${ac},Changed\n`, 400, /may not change/],
    [`id,name\n${b},Changed\n`, 400, /there is no site/],
    [`id,slug\n${ab},zz\n`, 400, /may not/],
    ['name,slug,group\nnew,abc,9\n', 400, /group/],
  ] as const) {
    const seen = await ann.post(sites, { text })
    assert.equal(seen.status, status, `${text} ${reasons(seen.text)}`)
    assert.match(seen.text, why)
  }
})

const library = `---
manufacturer: Hostile <b>
model: Edge 1
slug: hostile-edge-1
part_number: 0012
u_height: 1
interfaces:
  - {name: eth0, type: 1000base-t}
  - {name: eth1, type: 1000base-t}
rear-ports:
  - {name: R1, type: 8p8c, positions: 1}
front-ports:
  - {name: F1, type: 8p8c, rear_port: R1}
`

test('device, module and rack types are taken from the community library', async () => {
  const at = '/dcim/device-types/import/'
  const text = `${library}---\nmanufacturer: Hostile <b>\nmodel: Edge 2\nslug: hostile-edge-2\n`
  const wrong = await browser.post(at, { text: text.replace('type: 1000base-t', 'type: nothing') })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /interfaces 1 \(eth0\)/)
  const seen = await browser.post(at, { text })
  assert.equal(seen.status, 200, reasons(seen.text))
  assert.match(seen.text, /This would be: 2 created/)
  assert.match(seen.text, /<td>2 interfaces, 1 rear port, 1 front port<\/td>/)
  assert.ok(!seen.text.includes('Hostile <b>'))
  const m = modelNamed('dcim.devicetype')
  assert.equal((await client.call('GET', `/api/${m.path}/?slug=hostile-edge-1`)).json.count, 0)
  assert.equal((await browser.post(at, { text, _apply: '1' })).status, 303)
  const [type] = (await client.call('GET', `/api/${m.path}/?slug=hostile-edge-1`)).json.results
  assert.deepEqual([type.part_number, type.interface_template_count, type.front_port_template_count], ['0012', 2, 1])
  assert.match((await browser.post(at, { text })).text, /This would be: 2 as before/)
  for (const [path, more] of [
    ['module-types', ''],
    ['rack-types', 'slug: a-rack\nform_factor: 4-post-cabinet\nwidth: 19\nu_height: 42\nstarting_unit: 1\n'],
  ] as const) {
    const one = `manufacturer: Maker\nmodel: ${path}\n${more}`
    const done = await browser.post(`/dcim/${path}/import/`, { text: one, _apply: '1' })
    assert.equal(done.status, 303, reasons(done.text))
  }
})

test('a guess stays a guess: another text is read as it is, and faults of JSON are told in its terms', async () => {
  const faulty = await browser.post(sites, { text: 'name,slug\n"a"b,c\n' })
  assert.equal(faulty.status, 400)
  const chosen = (text: string) =>
    /<select id="f-format"[\s\S]*?<\/select>/.exec(text)![0].match(/value="(\w*)" selected/)?.[1]
  assert.equal(chosen(faulty.text) ?? '', '')
  const seen = await browser.post(sites, { ...fieldsIn(faulty.text), text: '[{"name": "Then", "slug": "then"}]' })
  assert.equal(seen.status, 200, reasons(seen.text))
  const wrong = await browser.post(sites, { text: '[{"name": "A",\n"slug": "a" "status": "active"}]', format: 'json' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /this is no JSON/)
  assert.doesNotMatch(wrong.text, /flow collection|scalar/)
  assert.equal(chosen(wrong.text), 'json')
})
