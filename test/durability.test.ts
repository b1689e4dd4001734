import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from './support/program.ts'
import { AdminToken } from './support/server.ts'

/** How often the server is killed: `CABINET_TEST_KILLS=50 npm test` is the whole run. */
const Kills = Number(process.env.CABINET_TEST_KILLS ?? 4)

async function start(data: string): Promise<{ base: string; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [main, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      CABINET_LOG_LEVEL: 'none',
      CABINET_SUPERUSER_PASSWORD: 'Cabinet-Test-Passw0rd',
      CABINET_SUPERUSER_API_TOKEN: AdminToken,
    },
  })
  const base = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const address = /http:\/\/[\d.:]+/.exec(said)
      if (address) resolve(address[0])
    })
    child.once('exit', () => reject(new Error(said)))
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    base,
    kill: () => {
      child.kill('SIGKILL')
      return gone
    },
  }
}

const headers = { authorization: `Token ${AdminToken}`, 'content-type': 'application/json' }

test('what was answered is there after kill -9, with its change record, and nothing is half there', async () => {
  const data = mkdtempSync(join(tmpdir(), 'cabinet-kill-'))
  const acknowledged = new Set<string>()
  let n = 0
  for (let round = 0; round < Kills; round++) {
    const { base, kill } = await start(data)
    let running = true
    const client = async () => {
      while (running) {
        const slug = `s${n++}`
        try {
          const reply = await fetch(`${base}/api/dcim/sites/`, {
            method: 'POST',
            headers,
            body: JSON.stringify([
              { name: slug, slug },
              { name: `${slug}x`, slug: `${slug}x` },
            ]),
          })
          if (reply.status === 201) acknowledged.add(slug)
        } catch {
          return // the server is gone
        }
      }
    }
    const clients = Promise.all(Array.from({ length: 6 }, client))
    const before = acknowledged.size
    for (let ms = 0; acknowledged.size === before && ms < 10_000; ms += 20) await sleep(20) // a slow machine
    await sleep(100 + (round % 5) * 40)
    await kill()
    running = false
    await clients
  }
  const { base, kill } = await start(data)
  const all = (path: string) => fetch(base + path, { headers }).then((r) => r.json() as Promise<any>)
  const names = new Set<string>()
  const recorded = new Set<string>()
  for (let start: number | undefined = 0; start !== undefined; ) {
    const page: any = await all(`/api/dcim/sites/?start=${start}&limit=1000&fields=id,name`)
    for (const site of page.results) names.add(site.name)
    start = page.next ? page.results.at(-1).id + 1 : undefined
  }
  for (let start: number | undefined = 0; start !== undefined; ) {
    const page: any = await all(`/api/core/object-changes/?start=${start}&limit=1000&fields=id,object_repr`)
    for (const change of page.results) recorded.add(change.object_repr)
    start = page.next ? page.results.at(-1).id + 1 : undefined
  }
  await kill()
  rmSync(data, { recursive: true, force: true })
  assert.ok(acknowledged.size > 0)
  for (const name of acknowledged)
    assert.ok(names.has(name) && names.has(`${name}x`), `${name} was acknowledged and is lost`)
  for (const name of names) {
    assert.ok(recorded.has(name), `${name} has no change record`)
    assert.ok(names.has(name.endsWith('x') ? name.slice(0, -1) : `${name}x`), `${name} is half a request`)
  }
})
