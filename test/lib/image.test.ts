import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeName } from '../../src/lib/image.ts'

test('names of uploads are names on every system', () => {
  for (const [given, name] of [
    ['Rack 1.png', 'Rack_1.png'],
    ['../../etc/passwd', 'etcpasswd'],
    ['con.png', '_con.png'],
    ['LPT1', '_LPT1'],
    ['console.png', 'console.png'],
    ['a:b?.svg', 'ab.svg'],
    ['trailing...', 'trailing'],
    ['...', 'file'],
  ] as const)
    assert.equal(safeName(given), name)
})
