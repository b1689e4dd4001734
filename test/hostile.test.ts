import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../src/engine/catalog.ts'
import { serve } from './support/server.ts'

const { call } = await serve()
const served = allModels.filter((m) => !m.internal)

const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`
const bodies: [string, string][] = [
  ['a string', '"x"'],
  ['null', 'null'],
  ['a number', '7'],
  ['not JSON', '{"a":'],
  ['too deep', deep],
  ['NUL', '{"name":"a\\u0000b","slug":"x"}'],
  ['lone surrogate', '{"name":"\\ud800"}'],
  ['__proto__', '{"__proto__":{"name":"x"},"constructor":{"prototype":{"y":1}}}'],
  ['list of junk', '[1,"x",null,[]]'],
  ['empty', '{}'],
]

test('bad bodies get a 4xx with JSON on every endpoint', async () => {
  for (const m of served) {
    for (const [what, body] of bodies) {
      for (const [method, path] of [
        ['POST', `/api/${m.path}/`],
        ['PATCH', `/api/${m.path}/`],
        ['PATCH', `/api/${m.path}/999999/`],
        ['DELETE', `/api/${m.path}/`],
      ] as const) {
        const reply = await call(method, path, body)
        assert.ok(reply.status < 500, `${method} ${path} with ${what}: ${reply.status} ${reply.text}`)
        if (reply.status >= 400) assert.ok(reply.json !== undefined, `${method} ${path} with ${what}: no JSON`)
      }
    }
  }
})

test('every field refuses values of the wrong type', async () => {
  for (const m of served) {
    for (const value of [
      { x: { y: [] } },
      [[]],
      true,
      -1,
      1e308,
      'x'.repeat(300),
      '\u{1F4A9}',
      "'; drop table dcim_site; --",
    ]) {
      const body = Object.fromEntries(
        Object.keys(m.fields)
          .flatMap((name) => m.fields[name].keys?.(name) ?? [name])
          .map((name) => [name, value]),
      )
      const reply = await call('POST', `/api/${m.path}/`, body)
      assert.ok(reply.status < 500, `POST ${m.path} ${JSON.stringify(value).slice(0, 40)}: ${reply.text}`)
    }
  }
})

test('bad queries get a 400 or a list', async () => {
  const queries = [
    'limit=-1&offset=x',
    'limit=99999999999999999999',
    'offset=99999999999999999',
    'start=-1',
    'start=x',
    'start=0&offset=0',
    'ordering=id;drop',
    'ordering=-name,__proto__,1',
    'fields=a,b,__proto__',
    'id=99999999999999999999',
    'id=x',
    'id__gt=1e400',
    'q=%00',
    "q='%22%25_",
    'name__regex=(',
    'name__regex=(a%2B)%2B$',
    'tag=nope',
    'cf_x=1',
    'created=yesterday',
    'created_by_request=1',
    'owner_id=-5',
    'owner=null',
    'brief=x',
    "name__ic=%25'%20or%201=1--",
    'filter=nope',
    'exclude=config_context',
  ]
  for (const m of served) {
    for (const query of queries) {
      const reply = await call('GET', `/api/${m.path}/?${query}`)
      assert.ok(reply.status === 200 || reply.status === 400, `GET ${m.path}?${query}: ${reply.status} ${reply.text}`)
    }
  }
})

test('every filter with every lookup answers', async () => {
  const { parametersOf } = await import('../src/engine/filters.ts')
  for (const m of served) {
    for (const name of parametersOf(m).keys()) {
      for (const value of ['x', 'null']) {
        const reply = await call('GET', `/api/${m.path}/?${name}=${value}&limit=1`)
        assert.ok(
          reply.status === 200 || reply.status === 400,
          `GET ${m.path}?${name}=${value}: ${reply.status} ${reply.text}`,
        )
      }
    }
  }
})

test('wrong methods, ids and media types', async () => {
  for (const m of served.slice(0, 5)) {
    assert.equal((await call('POST', `/api/${m.path}/1/`, {})).status, 405)
    assert.equal((await call('GET', `/api/${m.path}/x/`)).status, 404)
    assert.equal((await call('GET', `/api/${m.path}/999999999999/`)).status, 404)
    assert.equal(
      (await call('POST', `/api/${m.path}/`, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status,
      415,
    )
    assert.ok(
      [400, 415].includes(
        (await call('POST', `/api/${m.path}/`, '--x', { 'content-type': 'multipart/form-data; boundary=y' })).status,
      ),
    )
  }
  assert.equal((await call('POST', '/api/dcim/sites/', JSON.stringify({ name: 'x'.repeat(17_000_000) }))).status, 413)
})
