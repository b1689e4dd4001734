import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ask, run, scratch, start } from '../support/cli.ts'

const folder = scratch()
const data = join(folder, 'data')

test('export and backup write an earlier state, beside a server and without', async () => {
  const server = await start(data)
  const site = (await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Old', slug: 'old' })).json
  await new Promise((resolve) => setTimeout(resolve, 20))
  const at = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await ask(server.base, 'PATCH', `/api/dcim/sites/${site.id}/`, { name: 'New' })
  await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Later', slug: 'later' })
  const exported = await run(['export', 'csv', 'dcim.site', '--at', at, '--data', data])
  assert.equal(exported.code, 0, exported.stderr)
  assert.match(exported.stdout, /Old,old/)
  assert.ok(!/New|Later/.test(exported.stdout))
  const today = await run(['export', 'csv', 'dcim.site', '--data', data])
  assert.match(today.stdout, /New,old/)
  await server.end('SIGTERM')
  const file = join(folder, 'then.backup')
  assert.deepEqual(await run(['backup', file, '--at', at, '--verify', '--data', data]), {
    code: 0,
    stdout: '',
    stderr: '',
  })
  const copy = join(folder, 'copy')
  assert.equal((await run(['restore', file, '--data', copy])).code, 0)
  assert.match((await run(['export', 'csv', 'dcim.site', '--data', copy])).stdout, /Old,old/)
  assert.equal((await run(['check', '--data', copy])).code, 0)
  const wrong = await run(['export', 'csv', 'dcim.site', '--at', 'yesterday', '--data', data])
  assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
  assert.match(wrong.stderr, /Give a moment/)
  assert.match((await run(['backup', file, '--at=-900w', '--data', data])).stderr, /One can look back to 20/)
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('.past')),
    [],
  )
  assert.ok(readFileSync(file).length > 0)
})
