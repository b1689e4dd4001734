import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/declare/statement.ts'
import { sources } from '../../build/rooms.ts'
import { inAscii } from '../../build/ascii.ts'

test('a script in ASCII means the same', () => {
  const script = "[sql`select '…' || substr(x, -6)`.text, '–', `é 🗄`, 'x…y'.replace(/…/u, '')]"
  const read = (text: string) => new Function('sql', `return ${text}`)(sql) as string[]
  assert.doesNotMatch(inAscii(script), /[^\0-\x7f]/)
  assert.deepEqual(read(inAscii(script)), read(script))
})

test('what reads a template as it stands in the script is found', () => {
  assert.throws(() => inAscii('[String.raw`\\d`, String.raw`\\`…`]'), /String\.raw would read an escape/)
  assert.equal(inAscii('[String.raw`\\d`, `…`]'), '[String.raw`\\d`, `\\u2026`]')
  for (const [path, text] of sources())
    assert.doesNotMatch(text, /\bstrings\.raw\b/, `${path} reads escapes where the executable has other letters`)
})
