import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSafeName, safeName } from '../../src/lib/image.ts'

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
    ['مخطط.png', 'مخطط.png'],
    ['планировка 2.jpeg', 'планировка_2.jpeg'],
    ['e\u0301tage.png', '\u00e9tage.png'],
    ['📷.png', 'file.png'],
    ['-.png', '-.png'],
    ['\u0301.png', 'file.png'],
    [`${'a'.repeat(100)}.png`, `${'a'.repeat(76)}.png`],
    [`${'خ'.repeat(200)}📷.png`, `${'خ'.repeat(76)}.png`],
    [`${'𠮷'.repeat(100)}.png`, `${'𠮷'.repeat(38)}.png`],
    [`${'क्षि'.repeat(40)}.png`, `${'क्षि'.repeat(13)}.png`],
  ] as const) {
    assert.equal(safeName(given), name)
    assert.ok(isSafeName(name), name)
    assert.equal(safeName(name), name)
  }
})
