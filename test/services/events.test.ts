import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { receive } from '../support/receiver.ts'
import { serve } from '../support/server.ts'

const { call } = await serve({ webhookBackoff: 0.05, webhookTimeout: 1, webhookRetries: 3 })
let n = 0

/** A webhook to a receiver of its own and an event rule that calls it. */
async function hooked({ webhook = {}, rule = {} }: { webhook?: object; rule?: object } = {}) {
  const receiver = await receive()
  const name = `W${++n}`
  const made = await call('POST', '/api/extras/webhooks/', { name, payload_url: `${receiver.url}/in`, ...webhook })
  assert.equal(made.status, 201, made.text)
  const ruled = await call('POST', '/api/extras/event-rules/', {
    name,
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: made.json.id,
    ...rule,
  })
  assert.equal(ruled.status, 201, ruled.text)
  const end = () => call('DELETE', `/api/extras/webhooks/${made.json.id}/`)
  return { receiver, id: ruled.json.id as number, end }
}
const site = (slug: string, more: object = {}) => call('POST', '/api/dcim/sites/', { name: slug, slug, ...more })
const jobsOf = async (rule: number) =>
  (await call('GET', `/api/core/jobs/?object_type=extras.eventrule&object_id=${rule}`)).json.results as any[]
/** The jobs of a rule once none is waiting. */
async function settled(rule: number) {
  for (let i = 0; i < 300; i++) {
    const jobs = await jobsOf(rule)
    if (jobs.length && jobs.every((job) => ['completed', 'failed', 'errored'].includes(job.status.value))) return jobs
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('jobs are still waiting')
}

test('a webhook gets what was created, changed and deleted, with snapshots and a signature', async () => {
  const { receiver, id, end } = await hooked({
    webhook: { secret: 'hush', additional_headers: 'X-Which: site\n\nX-Other: a: b' },
  })
  const made = await site('one')
  await call('PATCH', `/api/dcim/sites/${made.json.id}/`, { description: 'x' })
  await call('PATCH', `/api/dcim/sites/${made.json.id}/`, { description: 'x' })
  await call('DELETE', `/api/dcim/sites/${made.json.id}/`)
  const all = await receiver.until(3)
  const [created, updated, deleted] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]]
  assert.deepEqual(
    all.map((each) => each.json.event),
    ['created', 'updated', 'deleted'],
  )
  assert.equal(created.method, 'POST')
  assert.equal(created.headers['content-type'], 'application/json')
  assert.equal(created.headers['x-which'], 'site')
  assert.equal(created.headers['x-other'], 'a: b')
  assert.equal(created.headers['x-hook-signature'], createHmac('sha512', 'hush').update(created.body).digest('hex'))
  assert.deepEqual(
    { ...created.json, timestamp: '', data: created.json.data.slug, snapshots: null },
    {
      event: 'created',
      timestamp: '',
      object_type: 'dcim.site',
      model: 'site',
      username: 'admin',
      request_id: made.headers.get('x-request-id'),
      data: 'one',
      snapshots: null,
      request: { id: made.headers.get('x-request-id'), method: 'POST', path: '/api/dcim/sites/', user: 'admin' },
    },
  )
  assert.equal(created.json.data.url, `/api/dcim/sites/${made.json.id}/`)
  assert.deepEqual([created.json.snapshots.prechange, created.json.snapshots.postchange.description], [null, ''])
  assert.deepEqual(
    [
      updated.json.snapshots.prechange.description,
      updated.json.snapshots.postchange.description,
      updated.json.data.description,
    ],
    ['', 'x', 'x'],
  )
  assert.deepEqual(
    [deleted.json.snapshots.prechange.slug, deleted.json.snapshots.postchange, deleted.json.data.slug],
    ['one', null, 'one'],
  )
  const jobs = await settled(id)
  assert.deepEqual(
    jobs.map((job) => job.status.value),
    ['completed', 'completed', 'completed'],
  )
  assert.equal(JSON.stringify(jobs).includes('prechange'), false)
  await end()
  assert.equal((await jobsOf(id)).length, 0)
})

test('one request gives one event for each object, and none when it is refused', async () => {
  const { receiver, id, end } = await hooked()
  assert.equal(
    (
      await call('POST', '/api/dcim/sites/', [
        { name: 'p', slug: 'p' },
        { name: 'q', slug: 'q', status: 'nowhere' },
      ])
    ).status,
    400,
  )
  const made = await call('POST', '/api/dcim/sites/', [
    { name: 'p', slug: 'p' },
    { name: 'q', slug: 'q' },
  ])
  await receiver.until(2)
  await settled(id)
  assert.deepEqual(
    receiver.received.map((each) => each.json.data.slug),
    ['p', 'q'],
  )
  assert.equal(new Set(receiver.received.map((each) => each.headers['x-hook-delivery'])).size, 2)
  await call(
    'DELETE',
    '/api/dcim/sites/',
    made.json.map((each: any) => ({ id: each.id })),
  )
  await receiver.until(4)
  await end()
})

test('who fails twice is tried again; redirects are not followed; who never answers stalls nobody', async () => {
  const twice = await hooked({ rule: { object_types: ['dcim.region'] } })
  const elsewhere = await hooked({ rule: { object_types: ['dcim.region'] } })
  const silent = await hooked({ rule: { object_types: ['dcim.region'] } })
  twice.receiver.answer = () => (twice.receiver.received.length < 3 ? 503 : 204)
  elsewhere.receiver.answer = () => 302
  silent.receiver.answer = () => undefined
  assert.equal((await call('POST', '/api/dcim/regions/', { name: 'r', slug: 'r' })).status, 201)
  const [waiting] = await jobsOf(silent.id)
  assert.equal(waiting.completed, null, 'the answer waits for no receiver')
  const [job] = await settled(twice.id)
  assert.equal(job.status.value, 'completed')
  assert.deepEqual([job.data.attempts, job.data.response, job.log_entries.length, job.error], [3, 204, 3, ''])
  assert.equal(new Set(twice.receiver.received.map((each) => each.headers['x-hook-delivery'])).size, 1)
  const [other] = await settled(elsewhere.id)
  assert.deepEqual(
    [other.status.value, elsewhere.receiver.received.map((each) => each.path)],
    ['failed', ['/in', '/in', '/in', '/in']],
  )
  const [slow] = await settled(silent.id)
  assert.match(slow.error, /no answer within/)
  for (const each of [twice, elsewhere, silent]) await each.end()
})

test('what a receiver says is told to those who may view its webhook, and to no other reader of jobs', async () => {
  const { receiver, id, end } = await hooked({ rule: { object_types: ['dcim.manufacturer'] } })
  receiver.says = `marvellous ${'é'.repeat(4000)}`
  receiver.answer = () => 400
  assert.equal((await call('POST', '/api/dcim/manufacturers/', { name: 'm', slug: 'm' })).status, 201)
  const [job] = await settled(id)
  const path = `/api/core/jobs/${job.id}/response/`
  const whole = await call('GET', path)
  assert.equal(whole.json.status, 400)
  assert.match(whole.json.body, /^marvellous é/)
  assert.ok(Buffer.byteLength(whole.json.body) <= 4100)
  const as = async (username: string, view: Record<string, object | null>) => {
    const user = (await call('POST', '/api/users/users/', { username, password: 'Long-Enough-1' })).json
    for (const [type, constraints] of Object.entries(view)) {
      const permission = { name: `${username} ${type}`, object_types: [type], actions: ['view'], users: [user.id] }
      assert.equal((await call('POST', '/api/users/permissions/', { ...permission, constraints })).status, 201)
    }
    const { key, token } = (await call('POST', '/api/users/tokens/', { user: user.id })).json
    const authorization = `Bearer nbt_${key}.${token}`
    return (path: string) => call('GET', path, undefined, { authorization })
  }
  const readsJobs = await as('reads-jobs', { 'core.job': null })
  const readsAll = await as('reads-all', { 'core.job': null, 'extras.webhook': null })
  const name = `W${n}`
  const readsThis = await as('reads-this', { 'core.job': null, 'extras.webhook': { name } })
  const readsOther = await as('reads-other', { 'core.job': null, 'extras.webhook': { name: 'other' } })
  const readsHooks = await as('reads-hooks', { 'extras.webhook': null })
  const guesses = await as('guesses', { 'core.job': { response__startswith: 'marvellous' } })
  const statuses = []
  for (const one of [readsAll, readsThis, readsOther, readsHooks, readsJobs]) statuses.push((await one(path)).status)
  assert.deepEqual(statuses, [200, 200, 404, 404, 403])
  assert.equal((await readsThis(path)).text, whole.text)
  // Warm or cold, no other answer has it, whoever read it before.
  for (const query of [
    '',
    `${job.id}/`,
    '?fields=id,response',
    '?response=marvellous',
    '?ordering=response',
    '?q=marvellous',
  ])
    for (const one of [readsAll, readsJobs, guesses])
      assert.doesNotMatch((await one(`/api/core/jobs/${query}`)).text, /marvellous é|"response":"/, query)
  assert.equal((await guesses('/api/core/jobs/')).json.count, 0)
  await end()
  assert.equal((await call('GET', path)).status, 404)
  const other = (await call('GET', '/api/core/jobs/')).json.results.find((each: any) => !each.data?.webhook)
  if (other) assert.equal((await call('GET', `/api/core/jobs/${other.id}/response/`)).text, '{"status":null,"body":""}')
})

test('address, headers and body may be templates; one that cannot be rendered is an error to be seen', async () => {
  const { receiver, id, end } = await hooked({
    webhook: {
      http_method: 'PUT',
      http_content_type: 'text/plain',
      additional_headers: 'X-Event: {{ event }}',
      body_template: '{{ model }} {{ data.slug|upper }}{% if data.region %}!{% endif %} by {{ username }}{{ nothing }}',
    },
  })
  const [webhook] = (await call('GET', '/api/extras/webhooks/?http_method=PUT')).json.results
  await call('PATCH', `/api/extras/webhooks/${webhook.id}/`, { payload_url: `${receiver.url}/{{ data.slug }}` })
  await site('templated')
  const [got] = await receiver.until(1)
  assert.deepEqual(
    [got!.method, got!.path, got!.headers['content-type'], got!.headers['x-event'], got!.body],
    ['PUT', '/templated', 'text/plain', 'created', 'site TEMPLATED by admin'],
  )
  await settled(id)
  for (const broken of [
    { body_template: '{% if %}' },
    { body_template: '', additional_headers: 'no colon' },
    { additional_headers: 'X: \u0001' },
    { additional_headers: 'Content-Length: 1' },
    { additional_headers: 'transfer-encoding : chunked' },
    { additional_headers: '', payload_url: '{{ data.slug }}' },
  ]) {
    await call('PATCH', `/api/extras/webhooks/${webhook.id}/`, broken)
    await site(`broken-${++n}`)
    assert.deepEqual(
      [(await settled(id))[0].status.value, receiver.received.length],
      ['errored', 1],
      JSON.stringify(broken),
    )
  }
  await end()
})

test('conditions decide by what the object is like', async () => {
  const conditions = {
    and: [
      { attr: 'status.value', value: 'active' },
      {
        or: [
          { attr: 'name', op: 'regex', value: 'ok' },
          { attr: 'tags.slug', op: 'contains', value: 'hot' },
        ],
      },
    ],
  }
  const { receiver, id, end } = await hooked({ rule: { conditions } })
  await site('ok-planned', { status: 'planned' })
  await site('not-ok')
  await site('ok-active')
  await receiver.until(1)
  await settled(id)
  assert.deepEqual(
    receiver.received.map((each) => each.json.data.slug),
    ['ok-active'],
  )
  await end()
})

test('refused: unknown events, broken conditions, scripts, an action without its object', async () => {
  const webhook = (await call('POST', '/api/extras/webhooks/', { name: 'R', payload_url: 'http://127.0.0.1:1/' })).json
    .id
  const rule = {
    name: 'R',
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook,
  }
  for (const [changes, field] of [
    [{ event_types: ['object_lost'] }, 'event_types'],
    [{ event_types: [] }, 'event_types'],
    [{ conditions: { xor: [] } }, 'conditions'],
    [{ conditions: { attr: 'name', value: 1, op: 'like' } }, 'conditions'],
    [{ conditions: [] }, 'conditions'],
    [{ conditions: { attr: 'name', value: '(', op: 'regex' } }, 'conditions'],
    [{ action_type: 'script' }, 'action_type'],
    [{ action_object_id: 9999 }, 'action_object_id'],
    [{ action_object_id: null }, 'action_object_id'],
    [{ action_type: 'notification' }, 'action_object_type'],
  ] as const) {
    const reply = await call('POST', '/api/extras/event-rules/', { ...rule, ...changes })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, [field]], JSON.stringify(changes))
  }
  for (const [changes, field] of [
    [{ payload_url: 'ftp://x/' }, 'payload_url'],
    [{ ssl_verification: false, ca_file_path: '/x' }, 'ca_file_path'],
  ] as const) {
    const reply = await call('PATCH', `/api/extras/webhooks/${webhook}/`, changes)
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, [field]])
  }
  assert.equal(
    (await call('PATCH', `/api/extras/webhooks/${webhook}/`, { payload_url: 'https://{{ data.name }}.example/' }))
      .status,
    200,
  )
})

const mayViewSites = (...users: number[]) =>
  call('POST', '/api/users/permissions/', { name: 'sites', object_types: ['dcim.site'], actions: ['view'], users })

test('subscribers and notification groups hear of an object once, with the latest event', async () => {
  const user = async (username: string) =>
    (await call('POST', '/api/users/users/', { username, password: 'Cabinet-Test-Passw0rd' })).json.id as number
  const [ann, bob, cy] = [await user('ann'), await user('bob'), await user('cy')]
  await mayViewSites(ann, bob, cy)
  const group = (await call('POST', '/api/users/groups/', { name: 'G' })).json.id
  await call('PATCH', `/api/users/users/${bob}/`, { groups: [group] })
  const told = (await call('POST', '/api/extras/notification-groups/', { name: 'N', users: [ann], groups: [group] }))
    .json.id
  await call('POST', '/api/extras/event-rules/', {
    name: 'N',
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'notification',
    action_object_type: 'extras.notificationgroup',
    action_object_id: told,
  })
  const made = await site('told')
  const seen = async () =>
    (await call('GET', '/api/extras/notifications/')).json.results
      .map((each: any) => [each.user.id, each.event_type, each.display, each.object_id])
      .sort()
  assert.deepEqual(
    await seen(),
    [
      [ann, 'object_created', 'told', made.json.id],
      [bob, 'object_created', 'told', made.json.id],
    ].sort(),
  )
  await call(
    'POST',
    '/api/extras/subscriptions/',
    [ann, cy].map((each) => ({ object_type: 'dcim.site', object_id: made.json.id, user: each })),
  )
  await call('PATCH', `/api/dcim/sites/${made.json.id}/`, { description: 'y' })
  assert.deepEqual(
    await seen(),
    [
      [ann, 'object_updated', 'told', made.json.id],
      [bob, 'object_created', 'told', made.json.id],
      [cy, 'object_updated', 'told', made.json.id],
    ].sort(),
  )
  await call('DELETE', `/api/dcim/sites/${made.json.id}/`)
  assert.deepEqual(
    (await seen()).filter(([who]: [number]) => who !== bob),
    [
      [ann, 'object_deleted', 'told', made.json.id],
      [cy, 'object_deleted', 'told', made.json.id],
    ].sort(),
  )
  assert.equal((await call('GET', '/api/extras/subscriptions/')).json.count, 0)
})

test('a user who is gone is told nothing more', async () => {
  const dan = (await call('POST', '/api/users/users/', { username: 'dan', password: 'Cabinet-Test-Passw0rd' })).json
    .id as number
  await mayViewSites(dan)
  const made = await site('followed')
  await call('POST', '/api/extras/subscriptions/', { object_type: 'dcim.site', object_id: made.json.id, user: dan })
  await call('PATCH', `/api/dcim/sites/${made.json.id}/`, { description: 'z' })
  assert.equal(
    (await call('GET', '/api/extras/notifications/')).json.results.filter((each: any) => each.user.id === dan).length,
    1,
  )
  assert.equal((await call('DELETE', `/api/users/users/${dan}/`)).status, 204)
  assert.equal((await call('PATCH', `/api/dcim/sites/${made.json.id}/`, { description: 'zz' })).status, 200)
  assert.equal(
    (await call('GET', '/api/extras/notifications/')).json.results.some((each: any) => each.user.id === dan),
    false,
  )
})
