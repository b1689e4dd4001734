import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

/**
 * Filters of custom fields that hold texts find what a comparison with every row finds, though an index tells them
 * where to look.
 */
const { call, running } = await serve()
const create = creating({ call })
const long = 'long text '.repeat(250)
const texts = [
  'Core Switch',
  'core-12',
  'Café',
  'a',
  'ab',
  '100% "sure"',
  'x_y',
  `${long}needle`,
  'team-1',
  'team-11',
  '',
]
const needles = [
  'core',
  'Core Switch',
  'CORE',
  'caf',
  'café',
  'CAFÉ',
  'a',
  'ab',
  '%',
  '"sure"',
  'x_y',
  'xzy',
  'needle',
  'team-1',
  'zzzz',
]

for (const type of ['text', 'longtext'])
  for (const filter_logic of ['loose', 'exact'])
    await create('extras/custom-fields', {
      ...{ name: `${type}_${filter_logic}`, type, filter_logic, object_types: ['dcim.site', 'dcim.region'] },
    })
const names = ['text_loose', 'text_exact', 'longtext_loose', 'longtext_exact']
const sites: { id: number }[] = await create(
  'dcim/sites',
  texts.map((_, i) => ({
    ...{ name: `s${i}`, slug: `s${i}` },
    // each field holds the texts of another, so that an entry of the wrong field is seen
    custom_fields: Object.fromEntries(names.map((name, n) => [name, texts[(i + n) % texts.length] || null])),
  })),
)
await create('dcim/regions', { name: 'r', slug: 'r', custom_fields: { text_loose: 'zzzz', text_exact: 'zzzz' } })

const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const fold = (text: string, needle: string) => (/^[\0-\x7f]*$/.test(needle) ? folded(text) : text.toLowerCase())
const holds: Record<string, (text: string, needle: string) => boolean> = {
  ic: (text, needle) => fold(text, needle).includes(fold(needle, needle)),
  isw: (text, needle) => fold(text, needle).startsWith(fold(needle, needle)),
  iew: (text, needle) => fold(text, needle).endsWith(fold(needle, needle)),
  ie: (text, needle) => fold(text, needle) === fold(needle, needle),
  exact: (text, needle) => text === needle,
}

async function check(textOf: (site: number, field: number) => string): Promise<void> {
  for (const [n, name] of names.entries())
    for (const needle of needles)
      for (const lookup of ['', 'n', 'ic', 'nic', 'isw', 'nisw', 'iew', 'niew', 'ie', 'nie']) {
        const isNot = lookup.startsWith('n')
        const form = (isNot ? lookup.slice(1) : lookup) || (!isNot && name.endsWith('loose') ? 'ic' : 'exact')
        const query = `cf_${name}${lookup && `__${lookup}`}=${encodeURIComponent(needle)}`
        const { json } = await call('GET', `/api/dcim/sites/?limit=0&fields=id&${query}`)
        const found = new Set(json.results.map(({ id }: { id: number }) => id))
        const expected = sites.filter((_, i) => {
          const text = textOf(i, n)
          return isNot !== (text !== '' && holds[form]!(text, needle))
        })
        assert.deepEqual([...found].toSorted(), expected.map(({ id }) => id).toSorted(), query)
      }
}

test('each lookup finds the rows whose own field holds the text', () =>
  check((site, field) => texts[(site + field) % texts.length]!))

test('and goes on to as rows and fields change', async () => {
  for (const [i, { id }] of sites.entries())
    await call('PATCH', `/api/dcim/sites/${id}/`, {
      custom_fields: { text_loose: texts[(i + 5) % texts.length] || null },
    })
  const moved = (site: number, field: number) => texts[(site + (field || 5)) % texts.length]!
  await check(moved)
  const field = (await call('GET', '/api/extras/custom-fields/?name=text_loose')).json.results[0]
  assert.equal(
    (await call('PATCH', `/api/extras/custom-fields/${field.id}/`, { description: 'x', weight: 7 })).status,
    200,
  )
  await check(moved)
  assert.ok(running.store.db.get('select 1 from search where search match \'"core"\' and rowid < 0 limit 1'))
})

test('a custom field may be of models that show none: it is made, changed and deleted all the same', async () => {
  const object_types = ['dcim.site', 'extras.configcontextprofile', 'extras.webhook']
  const field = await create('extras/custom-fields', { name: 'hidden', type: 'text', default: 'x', object_types })
  for (const body of [{ name: 'shown' }, { object_types: ['dcim.site'] }, { object_types }]) {
    const reply = await call('PATCH', `/api/extras/custom-fields/${field.id}/`, body)
    assert.equal(reply.status, 200, reply.text)
  }
  assert.equal((await call('DELETE', `/api/extras/custom-fields/${field.id}/`)).status, 204)
})
