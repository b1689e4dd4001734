import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'smol-toml'
import { ConfigError, configKeys, defaults, loadConfig } from '../src/config.ts'

const example = join(import.meta.dirname, '../config.example.toml')

test('the example documents every key with its default', () => {
  assert.deepEqual(loadConfig({ file: example }), defaults())
  assert.deepEqual(Object.keys(parse(readFileSync(example, 'utf8'))).sort(), [...configKeys].sort())
})

test('flags before environment before file; a bad key or value is named', () => {
  const file = join(tmpdir(), `cabinet-${process.pid}.toml`)
  writeFileSync(file, 'PAGINATE_COUNT = 10\nlisten = "127.0.0.1:1"\n')
  const config = loadConfig({ file, env: { CABINET_PAGINATE_COUNT: '20' }, flags: { listen: '127.0.0.1:2' } })
  assert.equal(config.paginateCount, 20)
  assert.equal(config.listen, '127.0.0.1:2')
  writeFileSync(file, 'PAGINATE_COUT = 10\n')
  assert.throws(() => loadConfig({ file }), (e: Error) => e instanceof ConfigError && e.message.includes('PAGINATE_COUT'))
  writeFileSync(file, 'PAGINATE_COUNT = "many"\n')
  assert.throws(() => loadConfig({ file }), /PAGINATE_COUNT/)
})
