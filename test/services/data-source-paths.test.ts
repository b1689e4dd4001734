import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { takeSecrets } from '../../src/config/secrets.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call, data } = client
const outside = mkdtempSync(join(tmpdir(), 'cabinet-outside-'))
after(() => rmSync(outside, { recursive: true }))

/** The status of a new local source after its job, and the error of that. */
async function synced(source_url: string): Promise<[status: string, error: string, files: number]> {
  const { id } = await creating(client)('core/data-sources', { name: source_url, type: 'local', source_url })
  await call('POST', `/api/core/data-sources/${id}/sync/`)
  for (let i = 0; i < 300; i++) {
    const { json } = await call('GET', `/api/core/data-sources/${id}/`)
    if (!['queued', 'syncing'].includes(json.status.value)) {
      const [job] = (await call('GET', `/api/core/jobs/?object_id=${id}&object_type=core.datasource`)).json.results
      return [json.status.value, job.error, json.file_count]
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('still syncing')
}

test('local sources read sources/ in the data folder alone, whatever links and dots say', async () => {
  const own = join(data, 'sources')
  mkdirSync(join(own, 'a'), { recursive: true })
  writeFileSync(join(own, 'a', 'x.yaml'), 'x: 1')
  writeFileSync(join(outside, 'y.yaml'), 'y: 1')
  symlinkSync(outside, join(own, 'link'))
  assert.deepEqual(await synced(join(own, 'a')), ['completed', '', 1])
  assert.deepEqual(await synced(`file://${own}`), ['completed', '', 1])
  for (const path of [
    outside,
    join(own, 'link'),
    '/proc/self',
    data,
    `${own}/..`,
    `${own}/a/../../uploads`,
    '/',
    join(own, 'nowhere'),
    'relative',
  ]) {
    const [status, error] = await synced(path)
    assert.equal(status, 'failed', path)
    assert.match(error, /data_source_paths/, path)
  }
})

test('secrets are taken out of the environment', () => {
  const env = { CABINET_SUPERUSER_PASSWORD: 'hush', CABINET_API_TOKEN_PEPPERS: '{}', CABINET_DATA: '/x', PATH: '/bin' }
  assert.deepEqual(takeSecrets(env), { CABINET_SUPERUSER_PASSWORD: 'hush', CABINET_API_TOKEN_PEPPERS: '{}' })
  assert.deepEqual(env, { CABINET_DATA: '/x', PATH: '/bin' })
  assert.deepEqual(
    Object.keys(process.env).filter((name) => name.startsWith('CABINET_SUPERUSER')),
    [],
  ) // those of the server that this file started
})
