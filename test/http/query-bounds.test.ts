import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking } from '../support/query.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve({ reportTimeout: 3, reportMaxRows: 2000 })
const { call } = client
const create = creating(client)
const { rows, refusal, person } = asking(client)
const mayAsk = { object_types: ['extras.report'] }
for (const name of ['North', 'South']) await create('dcim/sites', { name, slug: name.toLowerCase() })

test('values that are made long end the question', async () => {
  for (const sql of [
    'select randomblob(1000000000)',
    'select zeroblob(1000000000)',
    "select printf('%1000000000d', 1)",
    "select format('%.*c', 1000000000, 'x')",
    "select replace(printf('%8000000d', 1), ' ', 'xx')",
    `select group_concat(printf('%1000000d', value)) from json_each('[1,2,3,4,5,6,7,8,9,10]')`,
    `select ${Array(600).fill('1').join(', ')}`,
    `select ${'- '.repeat(2000)}1`,
    Array(60).fill('select 1').join(' union all '),
  ])
    assert.ok(await refusal(sql), sql.slice(0, 80))
})

test('what does not end is ended, and what takes too much memory; others are answered meanwhile', async () => {
  const endless = 'with recursive r(n) as (select 1 union all select n + 1 from r) '
  const slow = [
    `${endless} select count(*) from r`,
    `${endless} select max(a.n) from r a`,
    'select count(*) from sites a, sites b, sites c, sites d, sites e, json_each(?1) f, json_each(?1) g, ' +
      'json_each(?1) h',
  ]
  const many = JSON.stringify(Array.from({ length: 3000 }, (_, i) => i))
  const working = slow.map((sql) => call('POST', '/api/query/', { sql, params: sql.includes('?1') ? [many] : [] }))
  const bystander = await person('bystander', [mayAsk, { object_types: ['dcim.site'] }])
  assert.deepEqual(await rows('select count(*) from sites', [], bystander.headers), [[2]])
  for (const reply of await Promise.all(working)) {
    assert.equal(reply.status, 400)
    assert.deepEqual(reply.json, { sql: ['No answer: it takes too long.'] })
  }
  const greedy = await refusal(`with recursive r(n, s) as (select 1, 'x' union all select n + 1, s || hex(n) from r)
    select n, s from r order by s`)
  assert.match(greedy, /too much memory|too long/)
  assert.deepEqual(await rows('select count(*) from sites'), [[2]], 'the next question is answered')
})

test('rows past the bound are left out, and that is said', async () => {
  const sql = 'with recursive r(n) as (select 1 union all select n + 1 from r) select n from r'
  const json = (await call('POST', '/api/query/', { sql })).json
  assert.equal(json.rows.length, 2000)
  assert.equal(json.truncated, true)
  const csv = await call('POST', '/api/query/', { sql, format: 'csv' })
  assert.equal(csv.headers.get('report-truncated'), 'true')
  assert.equal((await call('POST', '/api/query/', { sql: 'select 1' })).json.truncated, false)
})
