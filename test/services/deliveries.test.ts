import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { admin, ask, scratch, start } from '../support/cli.ts'
import { receive } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const env = { ...admin, CABINET_WEBHOOK_BACKOFF: '1', CABINET_WEBHOOK_TIMEOUT: '2' }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A webhook that is told of every new site. */
async function hook(base: string, webhook: { name: string; payload_url: string }): Promise<void> {
  const { json } = await ask(base, 'POST', '/api/extras/webhooks/', webhook)
  await ask(base, 'POST', '/api/extras/event-rules/', {
    name: webhook.name,
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: json.id,
  })
}

test('what was committed is delivered over kill -9: nothing is lost, nothing delivered is sent again', async () => {
  const data = scratch()
  const receiver = await receive()
  const delivered = new Set<string>()
  receiver.answer = ({ headers }) => {
    const id = headers['x-hook-delivery'] as string
    // Each delivery fails twice before it is taken.
    if (receiver.received.filter((each) => each.headers['x-hook-delivery'] === id).length < 3) return 500
    delivered.add(id)
    return 200
  }
  let server = await start(data, { env })
  await hook(server.base, { name: 'W', payload_url: receiver.url })
  const slugs: string[] = []
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5; i++) {
      slugs.push(`s${round}-${i}`)
      assert.equal(
        (await ask(server.base, 'POST', '/api/dcim/sites/', { name: slugs.at(-1), slug: slugs.at(-1) })).status,
        201,
      )
    }
    await pause(round * 120)
    await server.end('SIGKILL')
    server = await start(data, { env })
  }
  const jobs = async () => (await ask(server.base, 'GET', '/api/core/jobs/?limit=100')).json.results as any[]
  const done = await until(jobs, (all) => all.every((job) => job.status.value === 'completed'))
  assert.deepEqual([done.length, ...new Set(done.map((job) => job.status.value))], [slugs.length, 'completed'])
  assert.deepEqual(new Set(done.map((job) => job.job_id)), delivered)
  const names = new Map(receiver.received.map((each) => [each.headers['x-hook-delivery'], each.json.data.slug]))
  assert.deepEqual([...names.values()].sort(), slugs.sort())
  const before = receiver.received.length
  await server.end('SIGKILL')
  server = await start(data, { env })
  await pause(300)
  assert.equal(receiver.received.length, before)
})

test('a delivery over which the server dies again and again is given up', async () => {
  const data = scratch()
  const receiver = await receive()
  receiver.answer = () => undefined
  let server = await start(data, { env })
  await hook(server.base, { name: 'W', payload_url: receiver.url })
  await ask(server.base, 'POST', '/api/dcim/sites/', { name: 's', slug: 's' })
  for (let i = 1; i <= 5; i++) {
    await receiver.until(i)
    assert.equal(receiver.received.length, i)
    await server.end('SIGKILL')
    server = await start(data, { env })
  }
  const [job] = (await ask(server.base, 'GET', '/api/core/jobs/')).json.results
  assert.deepEqual([job.status.value, job.log_entries.length], ['errored', 6])
  assert.match(job.error, /ended 5 times/)
})

test('certificates come from a regular file, and what a receiver says is not in the log', async () => {
  const data = scratch()
  const receiver = await receive()
  receiver.answer = () => 500
  const pipe = join(data, 'pipe')
  execFileSync('mkfifo', [pipe])
  const server = await start(data, { env: { ...env, CABINET_WEBHOOK_RETRIES: '0' } })
  for (const [name, more] of [
    ['pipe', { ca_file_path: pipe }],
    ['zero', { ca_file_path: '/dev/zero' }],
    ['database', { ca_file_path: join(data, 'cabinet.db-shm') }],
    ['link', { payload_url: 'http://[fe80::1]/' }],
    ['wrong', {}],
  ] as const)
    await hook(server.base, { name, payload_url: receiver.url, ...more })
  await ask(server.base, 'POST', '/api/dcim/sites/', { name: 's', slug: 's' })
  const jobs = async () => (await ask(server.base, 'GET', '/api/core/jobs/')).json.results as any[]
  const ended = await until(jobs, (all) => all.every((job) => job.completed))
  assert.deepEqual(ended.map((job) => job.error).sort(), [
    '/dev/zero is not a regular file',
    `${join(data, 'cabinet.db-shm')} is the database`,
    `${pipe} is not a regular file`,
    'Attempt 1: fe80::1 must not be called',
    'Attempt 1: the receiver answered 500',
  ])
})
