import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { syncSource } from '../../src/services/data-sources.ts'
import { receive } from '../support/receiver.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-source-'))
const client = await serve({ dataSourcePaths: [folder, '/nowhere', tmpdir()] })
const { call, running } = client
after(() => rmSync(folder, { recursive: true }))
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const source = async (body: object) => {
  const reply = await call('POST', '/api/core/data-sources/', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.json.id as number
}
/** The source after its jobs. */
async function idle(id: number) {
  for (let i = 0; i < 300; i++) {
    const { json } = await call('GET', `/api/core/data-sources/${id}/`)
    if (!['queued', 'syncing'].includes(json.status.value)) return json
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('still syncing')
}
const sync = async (id: number) => {
  const reply = await call('POST', `/api/core/data-sources/${id}/sync/`)
  assert.deepEqual([reply.status, reply.json?.status?.value], [200, 'queued'])
  return idle(id)
}
const paths = async (id: number) =>
  (await call('GET', `/api/core/data-files/?source_id=${id}`)).json.results.map((each: any) => each.path)

test('a local source makes data files and follows changes; hidden, ignored and outside files stay out', async () => {
  write('a.yaml', 'ntp: [10.0.0.1]\n')
  write('t/b.j2', 'host {{ x }}')
  write('t/notes.txt', 'no')
  write('.git/config', 'no')
  symlinkSync('/etc/hostname', join(folder, 'outside'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  symlinkSync(join(folder, 'a.yaml'), join(folder, 'c.yaml'))
  const id = await source({ name: 'L', type: 'local', source_url: `file://${folder}`, ignore_rules: '*.txt' })
  const after = await sync(id)
  assert.deepEqual([after.status.value, after.file_count, typeof after.last_synced], ['completed', 3, 'string'])
  assert.deepEqual(await paths(id), ['a.yaml', 'c.yaml', 't/b.j2'])
  const [job] = (await call('GET', '/api/core/jobs/')).json.results
  assert.deepEqual(
    [job.status.value, job.object.id, job.user.username, job.data.created],
    ['completed', id, 'admin', 3],
  )
  const file = (await call('GET', '/api/core/data-files/?path=a.yaml')).json.results[0]
  assert.equal(file.size, 16)
  assert.equal(file.hash, createHash('sha256').update('ntp: [10.0.0.1]\n').digest('hex'))
  write('d.yaml', 'x: 1')
  rmSync(join(folder, 'c.yaml'))
  assert.equal((await sync(id)).file_count, 3)
  assert.deepEqual(await paths(id), ['a.yaml', 'd.yaml', 't/b.j2'])
})

test('many files come, change and go in several steps, and what follows them with them', async () => {
  const many = join(folder, '.many')
  const named = (i: number) => `f${String(i).padStart(3, '0')}.j2`
  const put = (i: number, text: string) => writeFileSync(join(many, named(i)), text)
  mkdirSync(many)
  for (let i = 0; i < 250; i++) put(i, `${i}`)
  const id = await source({ name: 'Many', type: 'local', source_url: many })
  const done = async () => {
    assert.equal((await sync(id)).status.value, 'completed')
    const { created, updated, deleted, synced } = (await call('GET', '/api/core/jobs/?ordering=-id&limit=1')).json
      .results[0].data
    return { created, updated, deleted, synced }
  }
  assert.deepEqual(await done(), { created: 250, updated: 0, deleted: 0, synced: 0 })
  const file = (await call('GET', `/api/core/data-files/?path=${named(7)}`)).json.results[0].id
  const template = { name: 'Of many', template_code: '7', data_source: id, data_file: file, auto_sync_enabled: true }
  const made = await call('POST', '/api/extras/config-templates/', template)
  assert.equal(made.status, 201, made.text)
  for (let i = 0; i < 120; i++) put(i, `${i} again`)
  for (let i = 130; i < 250; i++) rmSync(join(many, named(i)))
  put(999, 'x'.repeat(2_000_000))
  put(998, 'y'.repeat(10))
  assert.deepEqual(await done(), { created: 2, updated: 120, deleted: 120, synced: 1 })
  assert.equal(
    (await call('GET', '/api/extras/config-templates/?name=Of+many')).json.results[0].template_code,
    '7 again',
  )
  assert.equal((await call('GET', `/api/core/data-files/?source_id=${id}`)).json.count, 132)
  assert.deepEqual(await done(), { created: 0, updated: 0, deleted: 0, synced: 0 })
})

test('people have any object follow its file, and leave empty what that fills', async () => {
  write('own/context.yaml', 'ntp: [10.0.0.1]\n')
  write('own/profile.yaml', 'type: object\n')
  write('own/export.j2', 'one')
  const id = await source({ name: 'Own', type: 'local', source_url: join(folder, 'own') })
  await sync(id)
  const file = async (path: string) =>
    String((await call('GET', `/api/core/data-files/?source_id=${id}&path=${path}`)).json.results[0].id)
  const admin = await login(client)
  const follows = { data_source: String(id), auto_sync_enabled: 'true' }
  const cases = [
    ['config-contexts', 'data', { weight: '1', data_file: await file('context.yaml') }, { ntp: ['10.0.0.1'] }],
    ['config-context-profiles', 'schema', { data_file: await file('profile.yaml') }, { type: 'object' }],
    ['export-templates', 'template_code', { data_file: await file('export.j2'), object_types: 'dcim.site' }, 'one'],
    ['config-templates', 'template_code', { data_file: await file('export.j2') }, 'one'],
  ] as const
  const now = async (at: string) => (await call('GET', `/api/extras/${at}/?name=Followed`)).json.results[0]
  for (const [at, member, fields, expected] of cases) {
    const made = await admin.post(`/extras/${at}/add/`, { name: 'Followed', ...follows, ...fields, [member]: '' })
    assert.equal(made.status, 303, `${at}: ${made.text.slice(0, 500)}`)
    assert.deepEqual((await now(at))[member], expected, at)
    const none = await admin.post(`/extras/${at}/add/`, { name: 'Of nothing', ...fields, data_file: '', [member]: '' })
    assert.equal(none.status, member === 'schema' ? 303 : 400, at)
  }
  write('own/context.yaml', 'ntp: [10.0.0.2]\n')
  write('own/profile.yaml', 'type: object\nproperties: {}\n')
  write('own/export.j2', 'two')
  await sync(id)
  assert.deepEqual(await Promise.all(cases.map(async ([at, member]) => (await now(at))[member])), [
    { ntp: ['10.0.0.2'] },
    { type: 'object', properties: {} },
    'two',
    'two',
  ])
  // The API takes it of config templates alone.
  for (const [at] of cases) {
    const { id: object } = await now(at)
    await call('PATCH', `/api/extras/${at}/${object}/`, { auto_sync_enabled: false, description: 'x' })
    const page = (await admin.get(`/extras/${at}/${object}/edit/`)).text
    assert.equal(/name="auto_sync_enabled"[^>]* checked/.test(page), at !== 'config-templates', at)
  }
  const change = { name: 'Followed', ...follows, ...cases[2][2], auto_sync_enabled: '', template_code: 'three' }
  assert.equal(
    (await admin.post(`/extras/export-templates/${(await now('export-templates')).id}/edit/`, change)).status,
    303,
  )
  write('own/export.j2', 'four')
  await sync(id)
  assert.equal((await now('export-templates')).template_code, 'two')
})

test('objects are filled from their data file, by hand or by themselves', async () => {
  const [{ id: yaml }] = (await call('GET', '/api/core/data-files/?path=a.yaml')).json.results
  const [{ id: text, url }] = (await call('GET', '/api/core/data-files/?path=t/b.j2')).json.results
  assert.match(url, /data-files/)
  const context = (await call('POST', '/api/extras/config-contexts/', { name: 'C', data: { x: 1 }, data_file: yaml }))
    .json
  assert.deepEqual(
    [context.data, context.data_path, context.data_source.name, typeof context.data_synced],
    [{ ntp: ['10.0.0.1'] }, 'a.yaml', 'L', 'string'],
  )
  const template = (
    await call('POST', '/api/extras/config-templates/', {
      name: 'T',
      template_code: 'x',
      data_file: text,
      auto_sync_enabled: true,
    })
  ).json
  assert.equal(template.template_code, 'host {{ x }}')
  assert.deepEqual(
    Object.keys(
      (await call('POST', '/api/extras/config-contexts/', { name: 'D', data: { x: 1 }, data_file: text })).json,
    ),
    ['data_file'],
  )
  write('a.yaml', 'ntp: [10.0.0.2]\n')
  write('t/b.j2', 'host {{ y }}')
  await sync(context.data_source.id)
  const now = async (path: string) => (await call('GET', path)).json
  assert.equal((await now(`/api/extras/config-templates/${template.id}/`)).template_code, 'host {{ y }}')
  assert.deepEqual((await now(`/api/extras/config-contexts/${context.id}/`)).data, { ntp: ['10.0.0.1'] })
  const synced = await call('POST', `/api/extras/config-contexts/${context.id}/sync/`)
  assert.deepEqual([synced.status, synced.json.data], [200, { ntp: ['10.0.0.2'] }])
  const changes = (
    await now(`/api/core/object-changes/?changed_object_type=extras.configtemplate&changed_object_id=${template.id}`)
  ).results
  assert.deepEqual(
    changes.map((each: any) => [each.action.value, each.user_name]),
    [
      ['update', 'admin'],
      ['create', 'admin'],
    ],
  )
})

test('who may not view a data file fills nothing from it', async () => {
  const [{ id: data_file }] = (await call('GET', '/api/core/data-files/?path=t/b.j2')).json.results
  const user = (await call('POST', '/api/users/users/', { username: 'few', password: 'Cabinet-Test-Passw0rd' })).json.id
  const grant = (object_types: string[], actions: string[]) =>
    call('POST', '/api/users/permissions/', { name: 'p', object_types, actions, users: [user] })
  await grant(['extras.configtemplate'], ['view', 'add', 'change'])
  const { key, token } = (await call('POST', '/api/users/tokens/', { user })).json
  const headers = { authorization: `Bearer nbt_${key}.${token}` }
  const templates = '/api/extras/config-templates/'
  const refused = await call('POST', templates, { name: 'Few', template_code: 'y', data_file }, headers)
  assert.deepEqual([refused.status, Object.keys(refused.json)], [400, ['data_file']], refused.text)
  assert.deepEqual(
    refused.json,
    JSON.parse(
      (await call('POST', templates, { name: 'Few', template_code: 'y', data_file: 99_999 }, headers)).text.replace(
        '99999',
        data_file,
      ),
    ),
    'as one that is not there',
  )
  const own = (await call('POST', templates, { name: 'Few', template_code: 'x' }, headers)).json
  assert.equal((await call('PATCH', `${templates}${own.id}/`, { data_file }, headers)).status, 400)
  const filled = (await call('PATCH', `${templates}${own.id}/`, { data_file })).json
  assert.match(filled.template_code, /^host/)
  const changed = await call('PATCH', `${templates}${own.id}/`, { description: 'mine' }, headers)
  assert.equal(changed.status, 200, 'what it has already it keeps')
  await grant(['core.datafile'], ['view'])
  assert.equal((await call('POST', templates, { name: 'Few 2', template_code: 'y', data_file }, headers)).status, 201)
})

test('a source that cannot be read fails, and rules hear of it', async () => {
  const receiver = await receive()
  const webhook = (await call('POST', '/api/extras/webhooks/', { name: 'W', payload_url: receiver.url })).json.id
  await call('POST', '/api/extras/event-rules/', {
    name: 'R',
    object_types: ['core.datasource'],
    event_types: ['job_started', 'job_failed'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook,
  })
  for (const [name, body] of Object.entries({
    nowhere: { type: 'local', source_url: join(folder, 'nowhere') },
    own: { type: 'local', source_url: running.store.config.data },
    root: { type: 'local', source_url: '/' },
    cloud: { type: 'amazon-s3', source_url: 'https://s3.example/bucket' },
  })) {
    const id = await source({ name, ...body })
    assert.equal((await sync(id)).status.value, 'failed', name)
    const [job] = (await call('GET', `/api/core/jobs/?object_id=${id}&object_type=core.datasource`)).json.results
    assert.deepEqual([job.status.value, job.error !== ''], ['failed', true])
  }
  assert.deepEqual(
    (await receiver.until(8)).slice(0, 2).map((each) => [each.json.event, each.json.object_type]),
    [
      ['job_started', 'core.datasource'],
      ['job_failed', 'core.datasource'],
    ],
  )
})

test('a source with an interval is synchronized at once and later; secrets stay out of change records', async () => {
  const id = await source({
    name: 'I',
    type: 'local',
    source_url: folder,
    sync_interval: 60,
    parameters: { username: 'u', password: 'hush' },
  })
  assert.equal((await idle(id)).status.value, 'completed')
  const jobs = async () =>
    (await call('GET', `/api/core/jobs/?object_id=${id}&object_type=core.datasource`)).json.results.map((each: any) => [
      each.status.value,
      each.interval,
    ])
  assert.deepEqual(await jobs(), [
    ['scheduled', 60],
    ['completed', 60],
  ])
  await call('PATCH', `/api/core/data-sources/${id}/`, { enabled: false })
  assert.deepEqual(await jobs(), [['completed', 60]])
  const [change] = (
    await call('GET', `/api/core/object-changes/?changed_object_type=core.datasource&changed_object_id=${id}`)
  ).json.results
  assert.deepEqual(change.postchange_data.parameters, { username: 'u', password: '********' })
  for (const [body, field] of [
    [{ type: 'svn' }, 'type'],
    [{ type: 'local', source_url: 'https://x/' }, 'source_url'],
  ] as const) {
    assert.deepEqual(Object.keys((await call('PATCH', `/api/core/data-sources/${id}/`, body)).json), [field])
  }
})

test('a source that goes, or gets another interval, while it is read is not queued with the old one', async () => {
  const { store } = running
  for (const [name, url] of [
    ['read', folder],
    ['unread', join(folder, 'none')],
  ] as const)
    for (const change of [
      'delete from core_datasource where id = ?',
      'update core_datasource set sync_interval = 30 where id = ?',
    ]) {
      const id = await source({
        name: `${name} ${change.slice(0, 6)}`,
        type: 'local',
        source_url: url,
        sync_interval: 60,
      })
      await idle(id)
      const [job] = store.rows.rows('core.job', { object_id: id, status: { in: ['completed', 'failed'] } })
      store.db.run("delete from core_job where object_id = ? and object_type = 'core.datasource'", id)
      store.db.run('delete from core_datafile where source_id = ?', id)
      const meanwhile = { ofJob: (event: string) => event === 'job_started' && store.db.run(change, id) }
      const { status } = await syncSource(store, meanwhile as never, job!, (outcome) => outcome)
      const isChanged = change.startsWith('update')
      assert.equal(status, name === 'read' && isChanged ? 'completed' : 'failed')
      assert.deepEqual(store.rows.rows('core.job', { object_id: id }), [], 'the write that changed it queues the next')
      assert.equal(store.rows.has('core.datasource', { id }), isChanged)
    }
})

test('a source and its job end in one transaction', async () => {
  const { rows, commit } = running.store
  const seen = new Set<string>()
  for (const [name, url] of [
    ['is there', folder],
    ['is not there', join(folder, 'none')],
  ] as const) {
    const id = await source({ name, type: 'local', source_url: url })
    commit.onCommitted(() => {
      const status = rows.row('core.datasource', id)!.status
      for (const job of rows.rows('core.job', { object_id: id })) seen.add(`${status} ${job.status}`)
    })
    await sync(id)
  }
  for (const each of ['completed completed', 'failed failed']) assert.ok(seen.delete(each), each)
  assert.deepEqual(
    [...seen].filter((each) => /^(completed|failed)/.test(each)),
    [],
  )
})

test('background queues tell what jobs there are; scripts are not run', async () => {
  const queues = (await call('GET', '/api/core/background-queues/')).json
  assert.deepEqual(
    queues.results.map((each: any) => each.name),
    ['default', 'high', 'low'],
  )
  assert.ok(queues.results[0].finished_jobs > 0)
  const upload = await call('POST', '/api/extras/scripts/upload/', {})
  const statuses = await Promise.all(
    [
      ['GET', 'core/background-queues/default'],
      ['GET', 'core/background-queues/nope'],
      ['GET', 'core/background-tasks'],
      ['POST', 'core/background-tasks/x/requeue'],
      ['GET', 'core/background-workers'],
      ['GET', 'extras/scripts'],
      ['GET', 'extras/scripts/a.b'],
      ['POST', 'extras/scripts/1'],
      ['PUT', 'core/background-tasks'],
      ['PATCH', 'extras/scripts/upload/1'],
    ].map(async ([method, path]) => (await call(method!, `/api/${path}/`, method === 'POST' ? {} : undefined)).status),
  )
  assert.deepEqual(
    [...statuses, upload.status, Object.keys(upload.json)],
    [200, 404, 200, 404, 200, 200, 404, 503, 405, 404, 400, ['file']],
  )
  assert.ok('scripts/upload' in (await call('GET', '/api/extras/')).json)
})
