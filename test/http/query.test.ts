import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flatTables } from '../../src/engine/flat.ts'
import { asking } from '../support/query.ts'
import { creating, serve } from '../support/server.ts'

// A busy machine may take seconds for what ends at once elsewhere.
const client = await serve({ reportTimeout: 60, reportMaxRows: 2000 })
const { call } = client
const create = creating(client)
const { rows, refusal, person } = asking(client)

const mayAsk = { object_types: ['extras.report'] }

const [north, south] = [
  await create('dcim/sites', { name: 'North', slug: 'north', status: 'planned' }),
  await create('dcim/sites', { name: 'South', slug: 'south' }),
]
const maker = await create('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
const type = await create('dcim/device-types', { manufacturer: maker.id, model: 'Box', slug: 'box' })
const role = await create('dcim/device-roles', { name: 'Server', slug: 'server', color: 'aa1409' })
const tag = await create('extras/tags', { name: 'Lab', slug: 'lab' })
await create('extras/custom-fields', { name: 'rent', type: 'integer', object_types: ['dcim.device'] })
for (const [name, site] of [
  ['n1', north],
  ['n2', north],
  ['s1', south],
] as const)
  await create('dcim/devices', {
    name,
    site: site.id,
    role: role.id,
    device_type: type.id,
    tags: name === 'n1' ? [tag.id] : [],
    custom_fields: { rent: name.length },
  })

test('columns have the values of the API: references with their names, choices, tags, fields of users', async () => {
  const [device] = await rows(
    `select id, name, site_id, site, role, device_type, status, serial, tags, custom_fields->>'rent', interface_count
     from devices where name = ?`,
    ['n1'],
  )
  assert.deepEqual(device!.slice(1), ['n1', north.id, 'North', 'Server', 'Box', 'active', '', '["lab"]', 2, 0])
  const reply = await call('POST', '/api/query/', {
    sql: 'select name, device_count from sites order by name',
    format: 'csv',
  })
  assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(reply.text, 'name,device_count\nNorth,2\nSouth,1\n')
  assert.deepEqual((await call('GET', '/api/query/')).json.tables.sites.slice(0, 4), ['id', 'display', 'name', 'slug'])
})

test('every table can be read, in all its columns', async () => {
  for (const name of flatTables().keys()) await rows(`select * from ${name} limit 2`)
})

test('parameters are bound by place or by name, as what they are', async () => {
  assert.deepEqual(await rows('select ?, typeof(?), ?, ?', ['x', 5, true, null]), [['x', 'integer', 1, null]])
  assert.deepEqual(await rows('select :a, typeof(:b)', { a: "'; drop table sites", b: 1.5 }), [
    ["'; drop table sites", 'real'],
  ])
  assert.equal((await rows('select name from sites order by name limit ?', [1])).length, 1)
  for (const params of [[[1]], [{}], { a: [] }, 'x', 5, Array(1001).fill(1)])
    assert.deepEqual(Object.keys((await call('POST', '/api/query/', { sql: 'select 1', params })).json), ['params'])
  assert.match((await call('POST', '/api/query/', { sql: 'select :a', params: { b: 1 } })).json.sql[0], /'b'/)
})

test('a body that is wrong is told where', async () => {
  for (const [body, keys] of [
    [[], ['non_field_errors']],
    [{}, ['sql']],
    [{ sql: 5 }, ['sql']],
    [{ sql: '' }, ['sql']],
    [{ sql: 'select 1', report: 1 }, ['sql']],
    [{ sql: 'x'.repeat(100_001) }, ['sql']],
    [{ report: 99_999 }, ['report']],
    [{ sql: 'select 1', format: 'xml' }, ['format']],
    [{ sql: 'select 1', colour: 1 }, ['colour']],
  ] as const) {
    const reply = await call('POST', '/api/query/', body)
    assert.equal(reply.status, 400, reply.text)
    assert.deepEqual(Object.keys(reply.json), keys)
  }
})

test('tables of the database, and what SQLite tells of it, are not read', async () => {
  for (const sql of [
    'select * from dcim_site',
    'select count(*) from users_token',
    'select 1 where exists (select 1 from users_token)',
    'select * from main.dcim_site',
    'select * from main.sites',
    'select "dcim_site".name from "dcim_site"',
    'with sites as (select * from dcim_site) select * from sites',
    'with sites as (select count(*) as n from users_user) select n from sites',
    'with a as (select * from sites), sites as (select * from dcim_site) select * from a',
    'select * from sites where id in dcim_site',
    'select * from search_index',
    'select * from sqlite_master',
    'select count(*) from sqlite_schema',
    'select name from temp.sqlite_master',
    'select * from sqlite_temp_schema',
    'select * from sqlite_sequence',
    "select * from pragma_table_info('sites')",
    'select count(*) from pragma_database_list',
    'select * from pragma_function_list()',
    'select * from dbstat',
    'select count(*) from dbstat',
    'select sqlite_version()',
    'select sqlite_source_id()',
  ])
    assert.match(await refusal(sql), /no such table|may not be read|not authorized/, sql)
})

test('nothing is changed, loaded or opened', async () => {
  for (const sql of [
    'pragma table_info(sites)',
    "attach ':memory:' as x",
    "vacuum into '/tmp/cabinet-copy.db'",
    'delete from sites',
    "insert into sites (name) values ('x')",
    'with x as (select 1) delete from sites',
    'with x as (select 1) insert into sites select * from x',
    'with x as (select 1) update sites set name = 1',
    'create temp table t (x)',
    'create temp view v as select 1',
    'drop view sites',
    'begin',
    'explain select * from sites',
    'explain query plan select * from sites',
    'select 1; delete from sites',
    'select 1; select 2',
    'select 1;;',
    "select load_extension('/tmp/x.so')",
    "select writefile('/tmp/x', 'x')",
    "select readfile('/etc/passwd')",
    "select fts5('x')",
    "select fts3_tokenizer('simple')",
    "select * from sites where name match 'x'",
    'select last_insert_rowid()',
    '-- nothing',
  ])
    assert.ok(await refusal(sql), sql)
  assert.deepEqual(await rows('/* why */ -- so\n select 1; -- done'), [[1]])
  assert.deepEqual(await rows('values (1), (2)'), [[1], [2]])
})

test('who may view some rows asks of those alone, however the question is put', async () => {
  const { headers } = await person('northern', [
    mayAsk,
    { object_types: ['dcim.device'], constraints: { site: north.id } },
    { object_types: ['dcim.site'], constraints: [{ name: "North'; --" }, { name: 'North' }] },
  ])
  const ask = (sql: string) => rows(sql, [], headers)
  assert.deepEqual(await ask('select name from devices order by name'), [['n1'], ['n2']])
  assert.deepEqual(await ask('select count(*) from devices'), [[2]])
  assert.deepEqual(await ask("select count(*) from devices where name = 's1'"), [[0]])
  assert.deepEqual(await ask('select d.name from sites s join devices d on d.site_id = s.id order by 1'), [
    ['n1'],
    ['n2'],
  ])
  assert.deepEqual(
    await ask("select (select max(name) from devices), exists (select 1 from devices where name = 's1')"),
    [['n2', 0]],
  )
  assert.deepEqual(await ask('select name from sites'), [['North']])
  // tables of one's own do not take the place of those that decide what may be seen
  const fake =
    `with dcim_device as (select 3 as id, 's1' as name, ${north.id} as site_id), dcim_site as (select ` +
    `${north.id} as id, 'North' as name)`
  assert.deepEqual(await ask(`${fake} select name from devices order by name`), [['n1'], ['n2']])
  assert.deepEqual(await ask('with devices as (select * from temp.devices) select count(*) from devices'), [[2]])
})

test('a condition that fails is tried on no row that its asker may not view', async () => {
  for (const [i, constraints] of [
    { name__iregex: '^n' },
    { site__name__icontains: 'NORTH' },
    { site__devices__tags__slug: 'lab' },
    { _site__status: 'planned' },
    { site: north.id },
  ].entries()) {
    const { headers } = await person(`careful${i}`, [mayAsk, { object_types: ['dcim.device'], constraints }])
    for (const fails of ["json('{' || d.id)", "json_extract('{}', 'x' || d.id)"])
      for (const sql of [
        `select name from devices d where case name when 's1' then ${fails} else 0 end`,
        `select d.name from json_each('[1]') s join devices d on s.value = case name when 's1' then ${fails} ` +
          'else 0 end',
        `select name from (select * from devices union all select * from devices) d where case name when 's1' ` +
          `then ${fails} else 0 end`,
        `select name from devices d where site_id = ${south.id} and ${fails}`,
        `select count(*) from devices d having max(case name when 's1' then ${fails} else 0 end) > 5`,
        `select name from devices d order by case name when 's1' then ${fails} else 0 end limit 0`,
      ])
        assert.deepEqual(await rows(sql, [], headers), [], sql)
  }
})

test('a constraint through related objects, by texts and patterns, holds', async () => {
  for (const [i, [constraints, names]] of (
    [
      [{ site__status: 'planned' }, ['n1', 'n2']],
      [{ name__iregex: '^S' }, ['s1']],
      [{ site__name__icontains: 'OUT' }, ['s1']],
      [{ tags__slug: 'lab' }, ['n1']],
      [{ nonsense: 1 }, []],
    ] as const
  ).entries()) {
    const { headers } = await person(`related${i}`, [mayAsk, { object_types: ['dcim.device'], constraints }])
    assert.deepEqual((await rows('select name from devices order by name', [], headers)).flat(), [...names])
    const listed = (await call('GET', '/api/dcim/devices/?brief=1&ordering=name', undefined, headers)).json.results
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      [...names],
    )
  }
})

test('a model that one may not view has no rows, and permissions count from the moment that they change', async () => {
  const user = await person('fickle', [mayAsk, { object_types: ['dcim.device'] }])
  const ask = (sql: string) => rows(sql, [], user.headers)
  assert.deepEqual(await ask('select count(*) from sites'), [[0]])
  assert.deepEqual(await ask('select username from users union all select name from sites'), [])
  const { tables } = (await call('GET', '/api/query/', undefined, user.headers)).json
  assert.ok(tables.devices.includes('site') && !('sites' in tables))
  assert.deepEqual(await ask('select count(*) from devices'), [[3]])
  await call('PATCH', `/api/users/permissions/${user.permissions[1]}/`, { constraints: { name: 's1' } })
  assert.deepEqual(await ask('select name from devices'), [['s1']])
  await call('PATCH', `/api/users/permissions/${user.permissions[1]}/`, { enabled: false })
  assert.deepEqual(await ask('select count(*) from devices'), [[0]])
  await call('PATCH', `/api/users/permissions/${user.permissions[0]}/`, { enabled: false })
  assert.equal((await call('POST', '/api/query/', { sql: 'select 1' }, user.headers)).status, 403)
  assert.equal((await call('POST', '/api/query/', { sql: 'select 1' }, { authorization: '' })).status, 403)
})
test('secrets are in no table', async () => {
  await create('extras/webhooks', { name: 'Hook', payload_url: 'http://192.0.2.1/', secret: 'hush-hush' })
  await create('vpn/ike-policies', { name: 'IKE', version: 2, preshared_key: 'hush-hush' })
  await create('core/data-sources', {
    name: 'Git',
    type: 'git',
    source_url: 'https://192.0.2.1/x',
    parameters: { password: 'hush-hush' },
  })
  const all = []
  for (const name of flatTables().keys())
    if (name !== 'object_changes') all.push(...(await rows(`select * from ${name}`)))
  const text = JSON.stringify(all)
  assert.ok(text.includes('Hook') && text.includes('IKE') && text.includes('Git'))
  assert.ok(!text.includes('hush-hush'))
  for (const column of ['secret', 'password', 'plaintext', 'hmac_digest', 'preshared_key', 'digest'])
    for (const [name, { columns }] of flatTables()) assert.ok(!columns.includes(column), `${name}.${column}`)
})

test('writes and questions at once leave the database sound; a question sees what was committed before', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `w${i}`)
  const asked = async (name: string) => {
    await create('dcim/sites', { name, slug: name })
    return (await rows('select count(*) from sites where name = ?', [name]))[0]![0]
  }
  const counts = []
  // Of one user ten may wait.
  for (let from = 0; from < names.length; from += 10)
    counts.push(...(await Promise.all(names.slice(from, from + 10).map(asked))))
  assert.deepEqual(
    counts,
    names.map(() => 1),
  )
  assert.equal(
    client.running.store.db.get<{ integrity_check: string }>('pragma integrity_check')!.integrity_check,
    'ok',
  )
})

test('saved reports are asked by their id, those of others where they are shared', async () => {
  const user = await person('reader', [mayAsk, { object_types: ['dcim.site'] }])
  const open = await create('extras/reports', {
    name: 'Open',
    sql: 'select count(*) from sites where id = :id',
    chart: 'bar',
  })
  const own = await create('extras/reports', { name: 'Own', sql: 'select 1', shared: false })
  assert.equal(own.user, 1)
  assert.deepEqual(open.chart, { value: 'bar', label: 'Bars' })
  const ask = (report: number) => call('POST', '/api/query/', { report, params: { id: north.id } }, user.headers)
  assert.deepEqual((await ask(open.id)).json.rows, [[1]])
  assert.deepEqual((await ask(own.id)).json, { report: ['There is no such report.'] })
})

test('clients that count endpoints do not find what the reference does not have', async () => {
  assert.ok(!Object.keys((await call('GET', '/api/extras/')).json).includes('reports'))
  assert.ok(!Object.keys((await call('GET', '/api/')).json).includes('query'))
  const paths = Object.keys((await call('GET', '/api/schema/?format=json')).json.paths)
  assert.deepEqual(
    paths.filter((path) => /reports|query/.test(path)),
    [],
  )
  const initial = (await call('GET', '/api/extras/reports/?brief=1')).json.results.map(
    ({ name }: { name: string }) => name,
  )
  for (const name of ['Addresses by prefix', 'Devices by role', 'Free units per rack'])
    assert.ok(initial.includes(name))
  for (const { id } of (await call('GET', '/api/extras/reports/?limit=3')).json.results)
    assert.equal((await call('POST', '/api/query/', { report: id })).status, 200)
})
