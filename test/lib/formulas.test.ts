import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asItIs, asText, asWritten } from '../../src/lib/formulas.ts'

test('no text is a formula of a spreadsheet, numbers stay numbers, and each comes back as it was', () => {
  for (const text of ['=1+1', '+1 555', '-name', '@SUM(A1)', '\tx', "'=x", "''=x", '＝1', '-cmd|x', '+1+1']) {
    assert.match(asText(text), /^'/, text)
    assert.equal(asWritten(asText(text)), text)
  }
  for (const text of ['-3', '+1', '-70.123456', '1e-3', "'quoted'", 'a=b', '']) {
    assert.equal(asText(text), text)
    assert.equal(asWritten(text), text)
  }
  for (const text of ["'=x", "''+1", '=x', '-3']) assert.equal(asWritten(asItIs(text)), text)
  assert.equal(asWritten("'-3"), '-3', 'as files of earlier versions have it')
})
