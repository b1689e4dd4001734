import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../support/samples.ts'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const send = (method: string, path: string, body?: object) => server.call(method, `/api/${path}/`, body)
const make = creating(server)
const site = (await make('dcim/sites', { name: 'S', slug: 's' })).id
const hook = (await make('extras/webhooks', { name: 'W', payload_url: 'http://localhost/' })).id

const entry = (type: string, id: number, more: object = { comments: 'x' }) => ({
  assigned_object_type: type,
  assigned_object_id: id,
  ...more,
})
function image(type: string, id: number, name?: string): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries({ object_type: type, object_id: String(id), ...(name ? { name } : {}) }))
    form.append(key, value)
  form.append('image', png(), 'my pic.png')
  return form
}

for (const [path, body] of [
  ['extras/journal-entries', entry],
  ['extras/image-attachments', image],
] as const) {
  test(`${path}: the object exists and is of a type that takes them`, async () => {
    for (const [type, id, key] of [
      ['dcim.site', 999, 'non_field_errors'],
      ['extras.webhook', hook, '__all__'],
    ] as const) {
      const { status, json } = await send('POST', path, body(type, id))
      assert.deepEqual([status, Object.keys(json)], [400, [key]])
    }
  })
}

test('an attachment wants a file, and says so', async () => {
  const about = { object_type: 'dcim.site', object_id: site }
  for (const [more, text] of [
    [{}, 'No file was submitted.'],
    [{ image: null }, 'This field may not be null.'],
    [{ image: 'x' }, 'The submitted data was not a file. Check the encoding type on the form.'],
  ] as const)
    assert.deepEqual((await send('POST', 'extras/image-attachments', { ...about, ...more })).json, { image: [text] })
})

test('what is wrong with a field comes before a missing object', async () => {
  assert.deepEqual(Object.keys((await send('POST', 'extras/journal-entries', entry('dcim.site', 999, {}))).json), [
    'comments',
  ])
})

test('a journal entry keeps its author', async () => {
  const { id, created_by } = await make('extras/journal-entries', entry('dcim.site', site))
  assert.equal(created_by, 1)
  assert.equal((await send('PATCH', `extras/journal-entries/${id}`, { created_by: null })).json.created_by, 1)
})

test('an image without a name is known by that of its file', async () => {
  assert.equal((await make('extras/image-attachments', image('dcim.site', site))).display, 'my_pic.png')
  assert.equal((await make('extras/image-attachments', image('dcim.site', site, 'front'))).display, 'front')
})

test('a new file of an image is named after the object it has', async () => {
  const { id } = await make('extras/image-attachments', image('dcim.site', site))
  const form = new FormData()
  form.append('image', png(), 'other.png')
  const { json } = await send('PATCH', `extras/image-attachments/${id}`, form)
  assert.match(json.image, /\/image-attachments\/site_\d+_other\.png$/)
})

test('change records of a data source tell that a secret changed, and not what it is', async () => {
  const parameters = (password: string) => ({ username: 'u', password })
  const { id } = await make('core/data-sources', {
    name: 'd',
    type: 'git',
    source_url: 'http://localhost/x',
    parameters: parameters('p'),
  })
  for (const body of [{ parameters: parameters('q') }, { parameters: parameters('q') }, { description: 'z' }])
    await send('PATCH', `core/data-sources/${id}`, body)
  await send('DELETE', `core/data-sources/${id}`)
  const { json } = await server.call('GET', `/api/core/object-changes/?changed_object_type=core.datasource&ordering=id`)
  assert.deepEqual(
    json.results.map((record: any) => [
      record.prechange_data.parameters?.password,
      record.postchange_data.parameters?.password,
    ]),
    [
      [undefined, '***CHANGED***'],
      ['********', '***CHANGED***'],
      ['********', '********'],
      ['********', undefined],
    ],
  )
  assert.equal(json.results[0].display, 'Core | data source d created by admin')
})

test('slugs of tags have letters of any script', async () => {
  assert.equal((await make('extras/tags', { name: 'Été', slug: 'été' })).slug, 'été')
  assert.equal((await send('POST', 'extras/tags', { name: 'x', slug: 'x y' })).status, 400)
})
