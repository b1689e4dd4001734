import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { login, loginAs } from '../support/session.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()

test('a file of conflicts that somebody spoiled is told of on the page of the kit', async () => {
  const { kit } = sides
  const admin = await login(kit, 'admin', kit.password)
  const [file, decided] = ['conflicts.json', 'decided.json'].map((name) => join(kit.data, name)) as [string, string]
  const spoilt = ['', 'xx', '[]', '{}', '{"conflicts":5}', '{"conflicts":[null]}', '{"conflicts":[{"key":5}]}']
  for (const text of [...spoilt, '{"conflicts":[{"key":"x","take":"mine"}]}']) {
    for (const at of [file, decided]) {
      writeFileSync(at, text)
      const shown = await admin.get('/kit/')
      assert.equal(shown.status, 409, text)
      assert.match(shown.text, /role="alert">[^<]*(?:conflicts|decided)\.json/)
      if (at === file) assert.equal((await admin.post('/kit/', { rest: 'ours' })).status, 409, text)
      rmSync(at)
    }
  }
  writeFileSync(file, '{"conflicts":[{"key":"dcim.site:1.toString","object_type":"toString","field":"toString"}]}')
  assert.equal((await admin.get('/kit/')).status, 200)
  rmSync(file)
})

test('where nothing is open nothing is decided, and nobody but administrators decides', async () => {
  const { kit, source } = sides
  for (const [client, password] of [
    [kit, kit.password],
    [source, 'Cabinet-Test-Passw0rd'],
  ] as const) {
    const admin = await login(client, 'admin', password)
    assert.equal((await admin.post('/kit/', { rest: 'ours' })).status, 409)
    const few = await loginAs(client, 'few', [])
    assert.equal((await few.get('/kit/')).status, 403)
    assert.equal((await few.post('/kit/', { rest: 'ours' })).status, 403)
    assert.ok(!existsSync(join(client.data, 'conflicts.json')))
  }
})
