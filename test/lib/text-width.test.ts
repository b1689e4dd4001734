import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fit, lengthOf } from '../../src/lib/text-width.ts'

test('capitals take more room than small letters, signs of Chinese most, marks none', () => {
  const widths = ['iiiiiiii', 'abcdefgh', 'ABCDEFGH', 'MWMWMWMW', '東京東京東京東京'].map((text) => lengthOf(text, 12))
  assert.deepEqual(
    widths,
    widths.toSorted((a, b) => a - b),
  )
  assert.equal(lengthOf('e\u0301', 12), lengthOf('e', 12))
  assert.ok(lengthOf('AMS01-CORE-SWITCH-ROW-07-MGMT', 12) >= 226, 'as a browser measured it')
})

test('a text is cut so that it fits with the dots that say so', () => {
  const name = 'AMS01-CORE-SWITCH-ROW-07-MGMT'
  assert.equal(fit(name, lengthOf(name, 12), 12), name)
  const cut = fit(name, 202, 12)
  assert.match(cut, /^AMS01-CORE-SWITCH.*…$/)
  assert.ok(lengthOf(cut, 12) <= 204, cut)
  assert.equal(fit(name, 1, 12), '…')
})
