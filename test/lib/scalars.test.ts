import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now, parseDate, parseDateTime } from '../../src/lib/datetime.ts'
import { fitDecimal, type Misfit } from '../../src/lib/decimal.ts'
import { parseMac, parseWwn } from '../../src/lib/mac.ts'
import { compactNumbers } from '../../src/lib/number-runs.ts'

test('hardware addresses in their usual spellings', () => {
  for (const text of [
    '00:11:22:aa:bb:cc',
    '00-11-22-AA-BB-CC',
    '0011.22aa.bbcc',
    '0011:22aa:bbcc',
    '001122-aabbcc',
    '001122aabbcc',
    ' 0:11:22:aa:bb:cc ',
    '11.22aa.bbcc',
  ]) {
    assert.equal(parseMac(text), '00:11:22:AA:BB:CC', text)
  }
  for (const text of [
    '',
    '00:11:22:aa:bb',
    'zz:11:22:aa:bb:cc',
    '00:11:22:aa:bb:cc:dd:ee',
    '001122aabbc',
    '001122aabbccd',
    '00:11-22:aa:bb:cc',
    '00:11:22:aa:bb:',
    'aa:bb',
    '00.11.22.aa.bb.cc',
    '0:01122aabbcc',
    '000:11:22:aa:bb:cc',
  ]) {
    assert.equal(parseMac(text), undefined, text)
  }
  for (const text of ['5000112233445566', '50:00:11:22:33:44:55:66', '50-0-11-22-33-44-55-66', '5000.1122.3344.5566'])
    assert.equal(parseWwn(text), '50:00:11:22:33:44:55:66', text)
  for (const text of ['00:11:22:aa:bb:cc', '50001122334455', '50001122:33445566'])
    assert.equal(parseWwn(text), undefined, text)
})

test('decimals get their places', () => {
  for (const [text, digits, places, fitted] of [
    ['12.5', 4, 1, '12.5'],
    ['12', 4, 1, '12.0'],
    ['1e1', 4, 1, '10.0'],
    ['125e-1', 4, 1, '12.5'],
    ['.5', 4, 1, '0.5'],
    ['5.', 4, 1, '5.0'],
    ['00012.5', 3, 1, '12.5'],
    ['-0.0', 4, 1, '0.0'],
    ['-0.5', 4, 1, '-0.5'],
    ['+1.5', 4, 1, '1.5'],
    [' 3 ', 4, 1, '3.0'],
    ['7', 4, 0, '7'],
    ['-33.868820', 8, 6, '-33.868820'],
    ['0.000001', 8, 6, '0.000001'],
    ['0', 4, 2, '0.00'],
  ] as const) {
    assert.equal(fitDecimal(text, digits, places), fitted, text)
  }
})

test('decimals say why they do not fit', () => {
  for (const [text, error] of [
    ['', 'invalid'],
    ['NaN', 'invalid'],
    ['Infinity', 'invalid'],
    ['1.2.3', 'invalid'],
    ['-', 'invalid'],
    ['.', 'invalid'],
    ['0x10', 'invalid'],
    ['1 2', 'invalid'],
    ['e5', 'invalid'],
    ['1234.5', 'digits'],
    ['1e400', 'digits'],
    ['1e999999', 'digits'],
    ['1e-999999', 'digits'],
    ['12.55', 'places'],
    ['12.50', 'places'],
    ['0.05', 'places'],
    ['1234', 'whole'],
  ] as const) {
    assert.deepEqual(fitDecimal(text, 4, 1), { error } satisfies { error: Misfit }, text)
  }
})

test('calendar days', () => {
  for (const [text, date] of [
    ['2024-2-29', '2024-02-29'],
    [' 2024-12-01 ', '2024-12-01'],
    ['0001-01-01', '0001-01-01'],
    ['2023-02-29', undefined],
    ['2024-13-01', undefined],
    ['2024-00-10', undefined],
    ['2024-04-31', undefined],
    ['24-01-01', undefined],
    ['2024/01/01', undefined],
    ['2024-01-01T00:00:00', undefined],
    ['0000-01-01', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(parseDate(text), date, text)
  }
})

test('moments in UTC', () => {
  for (const [text, moment] of [
    ['2024-01-01', '2024-01-01T00:00:00Z'],
    ['2024-01-01T10:20', '2024-01-01T10:20:00Z'],
    ['2024-01-01 10:20:30', '2024-01-01T10:20:30Z'],
    ['2024-01-01T10:20:30.000000Z', '2024-01-01T10:20:30Z'],
    ['2024-01-01 10:00:00.5+02:00', '2024-01-01T08:00:00.500000Z'],
    ['2024-01-01T00:30:00.1234567+0100', '2023-12-31T23:30:00.123456Z'],
    ['2024-01-01T00:00:00-05', '2024-01-01T05:00:00Z'],
    ['2024-01-01T25:00:00', undefined],
    ['2024-01-01T10:60', undefined],
    ['2024-01-01T10:00:60', undefined],
    ['2024-01-01T10:00:00+25:00', undefined],
    ['2024-01-01T10:00:00+01:60', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['9999-12-31T23:00:00-02:00', undefined],
    ['2023-02-29T00:00:00', undefined],
    ['yesterday', undefined],
    ['1700000000', undefined],
  ] as const) {
    assert.equal(parseDateTime(text), moment, text)
  }
})

test('now is the system clock with microseconds and never the same twice', () => {
  const before = Date.now()
  const moments = Array.from({ length: 5000 }, now)
  assert.ok(moments.every((m) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(m)))
  assert.ok(moments.every((m, i) => i === 0 || moments[i - 1]! < m))
  assert.ok(Date.parse(moments[0]!) >= before && Date.parse(moments.at(-1)!) <= Date.now() + 10)
})

test('numbers in short', () => {
  for (const [numbers, text] of [
    [[], ''],
    [[5], '5'],
    [[3, 1, 2, 7, 2], '1-3, 7'],
    [[1, 3, 5], '1, 3, 5'],
  ] as const)
    assert.equal(compactNumbers(numbers), text)
})
