import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { admin, ask, scratch, start } from './support/cli.ts'
import { AdminToken } from './support/server.ts'
import { until } from './support/until.ts'

/** The worst that a request can bring, each beside a probe that must be answered meanwhile. */
const data = scratch()
const { base } = await start(data, { env: admin })
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
/** Sends a body, or asks with a query. */
async function send(method: string, path: string, body: string | Response): Promise<{ status: number }> {
  const isForm = typeof body !== 'string'
  const response = await fetch(`${base}/api/${path}/${method === 'GET' ? body : ''}`, {
    method,
    ...(method === 'GET' ? {} : { body: isForm ? await body.arrayBuffer() : body }),
    headers: {
      authorization: `Token ${AdminToken}`,
      ...(method === 'GET' ? {} : { 'content-type': isForm ? body.headers.get('content-type')! : 'application/json' }),
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
const blob = (bytes: number | Buffer<ArrayBuffer>) => {
  const form = new FormData()
  form.append('object_type', 'dcim.site')
  form.append('object_id', '1')
  form.append('image', new Blob([typeof bytes === 'number' ? new Uint8Array(bytes) : bytes]), 'x.png')
  return new Response(form) // made into bytes before it is sent
}

/** What a request needs that others must have made: ids, made once. */
const make = async (path: string, body: unknown): Promise<any> => {
  const reply = await ask(base, 'POST', `/api/${path}/`, body)
  assert.equal(reply.status, 201, JSON.stringify(reply.json).slice(0, 300))
  return reply.json
}
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const Yaml: Readonly<Record<string, string>> = {
  keys: lines(30_000, (i) => `key${i}: ${i}`),
  anchors: lines(8000, (i) => `k${i}: &a${i} 1\nj${i}: *a${i}`),
  nested: `a: ${'['.repeat(200_000)}`,
  bomb: `a: &a [1,2,3,4,5,6,7,8,9]\n${lines(
    9,
    (i) =>
      `b${i}: &b${i} [${Array(9)
        .fill(i ? `*b${i - 1}` : '*a')
        .join()}]`,
  )}`,
}
mkdirSync(join(data, 'sources'))
for (const [name, text] of Object.entries(Yaml)) writeFileSync(join(data, 'sources', `${name}.yaml`), text)
const source = await make('core/data-sources', { name: 's', type: 'local', source_url: join(data, 'sources') })
await ask(base, 'POST', `/api/core/data-sources/${source.id}/sync/`)
await until(
  () => ask(base, 'GET', '/api/core/data-files/'),
  ({ json }) => json.count === 4,
)
const fileNamed = async (name: string) =>
  (await ask(base, 'GET', `/api/core/data-files/?path=${name}.yaml`)).json.results[0].id as number
const profile = await make('extras/config-context-profiles', {
  name: 'p',
  schema: { type: 'object', patternProperties: { '^(a+)+$': { type: 'integer' } } },
})
const container = await make('ipam/prefixes', { prefix: '2001:db8::/32' })
/** A chain of regions, the last of which is below all others. */
const chain: number[] = []
for (let from = 0; from < 1000; from += 200)
  chain.push(
    ...(
      await make(
        'dcim/regions',
        Array.from({ length: 200 }, (_, i) => ({
          name: `${'n'.repeat(90)}${from + i}`,
          slug: `c${from + i}`,
          parent: from + i ? { slug: `c${from + i - 1}` } : null,
        })),
      )
    ).map((each: { id: number }) => each.id),
  )
const mover = await make('dcim/regions', { name: 'mover', slug: 'mover' })
const template = await make('extras/config-templates', {
  name: 't',
  template_code: `${'{% for a in range(90000) %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`,
})
const image = Buffer.concat([
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=', 'base64'),
  Buffer.alloc(30 * Mega),
])

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
      `{"name":"x","slug":"x","custom_fields":{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":${i}`).join(
        ',',
      )}}}`,
    ),
  '2.4 MB in a JSON field': () =>
    post(`{"name":"x","data":{"a":${many('{"b":[1]}', 0.95 * Most)}}}`, 'extras/config-contexts'),
  'a list of a million numbers': () =>
    post(`{"name":"x","ports":${many('70000', 0.95 * Most)}}`, 'ipam/service-templates'),
  'an image that is none, 30 MB': () => send('POST', 'extras/image-attachments', blob(30 * Mega)),
  'references by 30,000 values': () =>
    post(JSON.stringify(Array.from({ length: 3 }, () => ({ username__in: Array(30_000).fill('x') }))), 'users/tokens'),
  'references by 10,000 values, 2.4 MB': () =>
    post(JSON.stringify(Array.from({ length: 50 }, () => ({ username__in: Array(10_000).fill('x') }))), 'users/tokens'),
  'a reference by 5,000 attributes': () =>
    post(
      JSON.stringify({ user: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`username__i${i}`, 'x'])) }),
      'users/tokens',
    ),
  'an image of 30 MB': () => send('POST', 'extras/image-attachments', blob(image)),
  ...Object.fromEntries(
    Object.keys(Yaml).map((name) => [
      `a data file of YAML: ${name}`,
      async () =>
        post(JSON.stringify({ name, data: { a: 1 }, data_file: await fileNamed(name) }), 'extras/config-contexts'),
    ]),
  ),
  '100 passwords': () =>
    post(
      JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ username: `u${i}`, password: `Passw0rd-number-${i}` }))),
      'users/users',
    ),
  'a pattern of a schema that backtracks, 30 times': () =>
    post(
      JSON.stringify(
        Array.from({ length: 30 }, (_, i) => ({
          name: `p${i}`,
          data: { [`${'a'.repeat(40)}!`]: i },
          profile: profile.id,
        })),
      ),
      'extras/config-contexts',
    ),
  '3,000 of the next free prefixes': () =>
    post(many('{"prefix_length":128}', 3000 * 22), `ipam/prefixes/${container.id}/available-prefixes`),
  'a region below a thousand others': () =>
    post(JSON.stringify({ parent: chain.at(-1) }), `dcim/regions/${mover.id}`, 'PATCH'),
  'a thousand regions below another': () =>
    post(JSON.stringify({ parent: null, name: 'first' }), `dcim/regions/${chain[0]}`, 'PATCH'),
  'a thousand regions in each other': () => send('GET', 'dcim/regions', '?limit=1000'),
  'the schema in YAML': () => send('GET', 'schema', ''),
  'a template without end': () => post('{}', `extras/config-templates/${template.id}/render`),
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
        // A client in a hurry, but not one that takes the processor.
        await new Promise((resolve) => setTimeout(resolve, 5))
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
