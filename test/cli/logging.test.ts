import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AdminToken } from '../support/server.ts'
import { admin, command, scratch } from '../support/cli.ts'

const folder = scratch()
const headers = { authorization: `Token ${AdminToken}` }
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A server whose standard output is `stdout`; what it says on standard error is collected. */
async function started(name: string, stdout: 'pipe' | number, more: NodeJS.ProcessEnv = {}) {
  const args = ['serve', '--data', join(folder, name), '--listen', '127.0.0.1:0']
  const env = { ...process.env, ...admin, CABINET_LOG_LEVEL: 'info', ...more }
  const whole = [...command, ...args]
  const child = spawn(whole[0]!, whole.slice(1), { env, stdio: ['ignore', stdout, 'pipe'] })
  children.push(child)
  let said = ''
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const base = await new Promise<string>((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const address = /serves (https?:\/\/[^/\s]+)/.exec(said)
      if (address) resolve(address[1]!)
    })
    void gone.then(() => reject(new Error(`the server did not start: ${said}`)))
  })
  const ask = async (times: number, path = '/api/status/', status = 200) => {
    for (let i = 0; i < times; i++) assert.equal((await fetch(base + path, { headers })).status, status)
  }
  const end = () => {
    child.kill('SIGTERM')
    return gone
  }
  return { child, base, ask, end, said: () => said }
}

test('a full disk under the log is said once, and requests are answered', async () => {
  const full = openSync('/dev/full', 'w')
  const server = await started('full', full)
  closeSync(full)
  await server.ask(20)
  assert.equal(await server.end(), 0)
  assert.equal(server.said().match(/the log cannot be written \(ENOSPC\)/g)?.length, 1)
})

test('a reader of the log who goes away takes nothing along', async () => {
  const server = await started('gone', 'pipe')
  server.child.stdout!.destroy()
  await server.ask(20)
  assert.equal(await server.end(), 0)
  assert.equal(server.said().match(/the log cannot be written/g)?.length, 1)
})

test('a reader of the log who does not read holds up neither requests nor the end', async () => {
  const server = await started('slow', 'pipe')
  await server.ask(100, `/${'x'.repeat(8000)}`, 404) // more than a pipe holds
  assert.equal(await server.end(), 0)
})

test('standard error may be closed too', async () => {
  const server = await started('closed', 'pipe')
  server.child.stderr!.destroy()
  server.child.stdout!.destroy()
  await server.ask(20)
  assert.equal(await server.end(), 0)
})

test('a file takes every line, with the address of the client', async () => {
  const path = join(folder, 'lines.log')
  const file = openSync(path, 'a')
  const server = await started('lines', file)
  closeSync(file)
  await server.ask(30)
  await server.end()
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; client: string; user: string })
  assert.equal(lines.filter((line) => line.path === '/api/status/').length, 30)
  assert.ok(lines.every((line) => line.client === '127.0.0.1' && line.user === 'admin'))
})

test('slow requests are warnings with their time, also where others are not logged', async () => {
  const file = join(folder, 'slow.log')
  const out = openSync(file, 'w')
  const more = { CABINET_LOG_LEVEL: 'warning', CABINET_LOG_SLOW_MS: '1', CABINET_WORKERS: '0' }
  const server = await started('slow', out, more)
  closeSync(out)
  await server.ask(1, '/api/schema/')
  assert.equal(await server.end(), 0)
  const [line] = readFileSync(file, 'utf8').trim().split('\n')
  const { level, slow, path, ms } = JSON.parse(line!)
  assert.deepEqual([level, slow, path], ['warning', true, '/api/schema/'])
  assert.ok(ms >= 1)
})

test('a slow request has its slow statements and their plans in its line', async () => {
  const lines = { text: '' }
  const server = await started('slow', 'pipe', { CABINET_LOG_SLOW_MS: '1' })
  server.child.stdout!.setEncoding('utf8').on('data', (text: string) => (lines.text += text))
  await server.ask(5, '/api/core/object-types/?limit=0')
  assert.equal(await server.end(), 0)
  type Line = { slow: boolean; statements?: { ms: number; sql: string; plan: string[] }[] }
  const told = lines.text.split('\n').filter((each) => each.includes('/api/core/object-types/'))
  const slow = told.map((line) => JSON.parse(line) as Line).filter((line) => line.slow)
  // Three of each are told: on a busy machine others may be slower.
  const statements = slow.flatMap((line) => line.statements ?? [])
  assert.ok(
    statements.some(({ ms, sql, plan }) => ms >= 0.1 && /core_objecttype/.test(sql) && /SCAN|SEARCH/.test(plan.join())),
    lines.text,
  )
})

test('a look at an earlier moment is one line', async () => {
  const lines = { text: '' }
  const server = await started('then', 'pipe')
  server.child.stdout!.setEncoding('utf8').on('data', (text: string) => (lines.text += text))
  const sites = `${server.base}/api/dcim/sites/`
  const json = { ...headers, 'content-type': 'application/json' }
  const made = await fetch(sites, { method: 'POST', headers: json, body: '{"name":"One","slug":"one"}' })
  const at = `at=before-${made.headers.get('x-request-id')}`
  await server.ask(1, `/api/dcim/regions/?${at}`)
  await server.ask(1, `/dcim/regions/?${at}`)
  await server.ask(1, `/graphql/?${at}&query={site_list{id}}`)
  assert.equal(await server.end(), 0)
  const paths = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).path)
  assert.deepEqual(paths.sort(), ['/api/dcim/regions/', '/api/dcim/sites/', '/dcim/regions/', '/graphql/'])
})
