import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaults } from '../../src/config.ts'
import { startServer } from '../../src/server/start.ts'

test('a server that has only just started needs no threads for its first request', async () => {
  const data = mkdtempSync(join(tmpdir(), 'cabinet-idle-'))
  let threads = 0
  process.on('worker', () => threads++)
  const server = await startServer({ ...defaults(), listen: '127.0.0.1:0', data, logLevel: 'none', workers: 2 })
  try {
    assert.equal((await fetch(`http://127.0.0.1:${server.port}/api/status/`)).status, 403)
    assert.equal(threads, 0)
  } finally {
    await server.close()
    rmSync(data, { recursive: true, force: true })
  }
})
