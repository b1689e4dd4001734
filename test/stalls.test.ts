import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, ask, scratch, start } from './support/cli.ts'
import { AdminToken } from './support/server.ts'

/** The worst that a request can bring, each beside a probe that must be answered meanwhile. */
const { base } = await start(scratch(), { env: admin })
const rows = Array.from({ length: 1000 }, (_, i) => ({
  name: `${'a'.repeat(80)}${i}`,
  slug: `s-${i}`,
  description: `${'ab '.repeat(60)}${i}`,
  comments: 'a'.repeat(2000),
}))
for (let i = 0; i < 3; i++)
  assert.equal(
    (
      await ask(
        base,
        'POST',
        '/api/dcim/sites/',
        rows.map((row) => ({ ...row, name: `${row.name}-${i}`, slug: `${row.slug}-${i}` })),
      )
    ).status,
    201,
  )

const list = (query: string) => ask(base, 'GET', `/api/dcim/sites/?${query}`)
const post = (body: string, path = 'dcim/sites', method = 'POST') => send(method, path, body)
async function send(method: string, path: string, body: string | FormData): Promise<{ status: number }> {
  const response = await fetch(`${base}/api/${path}/`, {
    method,
    body,
    headers: {
      authorization: `Token ${AdminToken}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
  })
  await response.arrayBuffer()
  return { status: response.status }
}
const regex = (pattern: string) =>
  list(`name__regex=${encodeURIComponent(pattern)}&description__iregex=${encodeURIComponent(pattern)}`)
const Mega = 1024 * 1024
const Most = 2.4 * Mega // just below the limit of a body
const many = (item: string, bytes: number) =>
  `[${Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',')}]`
const blob = (bytes: number) => {
  const form = new FormData()
  form.append('object_type', 'dcim.site')
  form.append('object_id', '1')
  form.append('image', new Blob([new Uint8Array(bytes)]), 'x.png')
  return form
}

const worst: Readonly<Record<string, () => Promise<{ status: number }>>> = {
  'a regular expression of nested repetitions': () => regex('^(a+)+$'),
  'a regular expression of alternatives': () => regex('^(a|aa|a?a)*b$'),
  'a regular expression with many counted parts': () => regex('(a{0,30}){0,30}$'),
  'a regular expression of 50 kB': () => regex('(a?b|c*d)+'.repeat(5000).slice(0, 25_000)),
  'a search for 30 kB': () => list(`q=${'%25_'.repeat(10_000)}`),
  'a search for text with wildcards': () => list(`description__ic=${'ab%20'.repeat(20)}x&q=${'%25a'.repeat(50)}`),
  '8,000 ids': () => list(`id=${Array.from({ length: 8000 }, (_, i) => i).join('&id=')}`),
  '4,000 texts to contain': () => list(Array.from({ length: 4000 }, (_, i) => `name__ic=${i}`).join('&')),
  '8,000 slugs': () => list(Array.from({ length: 4000 }, (_, i) => `region=r${i}`).join('&')),
  'a giant page': () => list('limit=1000000000&offset=0'),
  'a giant page of everything': () => list('limit=0&ordering=comments,description,name'),
  'many orders': () => list(`ordering=${'comments,name,region,'.repeat(500)}`),
  'many names of fields': () => list(`fields=${'name,'.repeat(10_000)}&limit=1000`),
  'a text of 2.4 MB': () => post(JSON.stringify({ name: 'x'.repeat(Math.floor(Most)), slug: 'x' })),
  'deep JSON of 2.4 MB': () => post('['.repeat(Math.floor(Most))),
  'objects in objects, 2.4 MB': () => post('{"a":'.repeat(Math.floor(Most / 5))),
  '2.4 MB of empty objects': () => post(many('{}', Most)),
  '2.4 MB of numbers': () => post(many('1', Most)),
  '2.4 MB of objects to delete': () => post(many('{"id":999999}', Most), 'dcim/sites', 'DELETE'),
  '5,000 objects to change': () =>
    post(JSON.stringify(Array.from({ length: 5000 }, () => ({ id: 1, x: 2 }))), 'dcim/sites', 'PATCH'),
  '5,000 empty objects': () => post(many('{}', 15_000)),
  '2.4 MB of objects to change': () => post(many('{"id":1,"x":2}', Most), 'dcim/sites', 'PATCH'),
  '2.4 MB of keys': () => post(`{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":[${i}]`).join(',')}}`),
  '2.4 MB of tags': () => post(`{"name":"x","slug":"x","tags":${many('1', 0.95 * Most)}}`),
  '2.4 MB of custom field values': () =>
    post(
      `{"name":"x","slug":"x","custom_fields":{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":${i}`).join(',')}}}`,
    ),
  '2.4 MB in a JSON field': () =>
    post(`{"name":"x","data":{"a":${many('{"b":[1]}', 0.95 * Most)}}}`, 'extras/config-contexts'),
  'a list of a million numbers': () =>
    post(`{"name":"x","ports":${many('70000', 0.95 * Most)}}`, 'ipam/service-templates'),
  'an image that is none, 30 MB': () => send('POST', 'extras/image-attachments', blob(30 * Mega)),
  'references by 30,000 values': () =>
    post(
      JSON.stringify(Array.from({ length: 3 }, () => ({ user: { username__in: Array(30_000).fill('x') } }))),
      'users/tokens',
    ),
  'references by 10,000 values, 2.4 MB': () =>
    post(
      JSON.stringify(Array.from({ length: 50 }, () => ({ user: { username__in: Array(10_000).fill('x') } }))),
      'users/tokens',
    ),
  'a reference by 5,000 attributes': () =>
    post(
      JSON.stringify({ user: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`username__i${i}`, 'x'])) }),
      'users/tokens',
    ),
  'a reference by nested attributes': () =>
    post(
      JSON.stringify({
        name: 'x',
        slug: 'x',
        region: { name__regex: '^(a+)+$', parent: { parent: { parent: { name: 'x' } } } },
      }),
    ),
}

for (const [what, ask] of Object.entries(worst)) {
  test(what, async (t) => {
    let isRunning = true
    let [answered, longest] = [0, 0]
    const probe = (async () => {
      while (isRunning) {
        const from = performance.now()
        await fetch(`${base}/api/dcim/regions/`, { headers: { authorization: `Token ${AdminToken}` } }).then(
          (response) => response.arrayBuffer(),
        )
        longest = Math.max(longest, performance.now() - from)
        answered++
      }
    })()
    const from = performance.now()
    const { status } = await ask()
    const took = performance.now() - from
    isRunning = false
    await probe
    t.diagnostic(
      `${status} after ${took.toFixed(0)} ms; ${answered} probes meanwhile, the slowest took ${longest.toFixed(0)} ms`,
    )
    assert.ok(status < 500, `${status}`)
    assert.ok(took < 1000 || answered >= 2, 'no probe was answered meanwhile')
  })
}
