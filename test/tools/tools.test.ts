import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitDecimal } from '../../src/tools/decimal.ts'
import { now, parseDate, parseDateTime } from '../../src/tools/datetime.ts'
import { interfaceNameKey } from '../../src/tools/interface-name.ts'
import { formatAddress, freeCidrs, isBroadcast, networkOf, packHost, parseAddress, rangeName } from '../../src/tools/ip.ts'
import { parseJson, sortKeysByLength } from '../../src/tools/json.ts'
import { parseMac, parseWwn } from '../../src/tools/mac.ts'
import { naturalKey } from '../../src/tools/natural-sort.ts'
import { compileRegex } from '../../src/tools/regex.ts'

test('natural keys order as the root collation with numbers', () => {
  const collator = new Intl.Collator('und', { numeric: true })
  const alphabet = ['a', 'B', 'b', 'Z', 'é', 'E', 'ü', '1', '2', '10', '007', ' ', '-', '_', '/', '.', 'x', '(', 'ß', 'o']
  let seed = 7
  const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
  const words = Array.from({ length: 600 }, () => Array.from({ length: 1 + random(6) }, () => alphabet[random(alphabet.length)]).join(''))
  const wrong: string[] = []
  for (let i = 1; i < words.length; i++) {
    const [a, b] = [words[i - 1]!, words[i]!]
    const expected = Math.sign(collator.compare(a, b))
    const got = Math.sign(Buffer.compare(naturalKey(a), naturalKey(b)))
    if (expected !== got) wrong.push(`${JSON.stringify(a)} ${JSON.stringify(b)}: ${expected} ${got}`)
  }
  assert.deepEqual(wrong, [])
})

test('interface names sort by slot, kind and number', () => {
  const names = ['Ethernet10', 'Ethernet2', 'Gi1/0/2', 'Gi1/0/10', 'Gi1/0/2.100', 'lo0']
  const sorted = [...names].sort((a, b) => (interfaceNameKey(a) < interfaceNameKey(b) ? -1 : 1))
  assert.deepEqual(sorted, ['Gi1/0/2', 'Gi1/0/2.100', 'Gi1/0/10', 'Ethernet2', 'Ethernet10', 'lo0'])
})

test('addresses: forms, order, free space', () => {
  for (const [text, shown] of [['10.0.0.1', '10.0.0.1/32'], ['10.0.0.1/24', '10.0.0.1/24'], ['2001:DB8::0:1/64', '2001:db8::1/64'], ['::ffff:1.2.3.4', '::ffff:1.2.3.4/128']] as const) {
    assert.equal(formatAddress(parseAddress(text)!), shown)
  }
  for (const text of ['', '10.0.0', '10.0.0.256', '10.0.0.1/33', '10.0.0.1/', '1', 'fe80::1%eth0', ':::', '10.0.0.1/24/8', '010.0.0.1']) assert.equal(parseAddress(text), undefined, text)
  assert.equal(formatAddress(networkOf(parseAddress('10.1.2.3/20')!)), '10.1.0.0/20')
  assert.ok(isBroadcast(parseAddress('10.0.0.255/24')!))
  const pack = (text: string) => { const a = parseAddress(text)!; return packHost(a.family, a.bytes) }
  assert.ok(Buffer.compare(pack('255.255.255.255'), pack('::')) < 0)
  const free = freeCidrs(parseAddress('10.0.0.0/24')!, ['10.0.0.64/26', '10.0.0.128/32'].map((t) => parseAddress(t)!)).map(formatAddress)
  assert.deepEqual(free, ['10.0.0.0/26', '10.0.0.129/32', '10.0.0.130/31', '10.0.0.132/30', '10.0.0.136/29', '10.0.0.144/28', '10.0.0.160/27', '10.0.0.192/26'])
  assert.equal(rangeName('10.0.0.100/24', '10.0.0.110/24'), '10.0.0.100-110/24')
})

test('hardware addresses in their usual spellings', () => {
  for (const text of ['00:11:22:aa:bb:cc', '00-11-22-AA-BB-CC', '0011.22aa.bbcc', '001122aabbcc']) assert.equal(parseMac(text), '00:11:22:AA:BB:CC')
  for (const text of ['00:11:22:aa:bb', 'zz:11:22:aa:bb:cc', '']) assert.equal(parseMac(text), undefined)
  assert.equal(parseWwn('5000112233445566'), '50:00:11:22:33:44:55:66')
})

test('decimals keep their places or say why they do not fit', () => {
  assert.equal(fitDecimal('12.5', 4, 1), '12.5')
  assert.equal(fitDecimal('1e1', 4, 1), '10.0')
  assert.deepEqual(fitDecimal('12.55', 5, 1), { error: 'places' })
  assert.deepEqual(fitDecimal('1234.5', 4, 1), { error: 'digits' })
  for (const text of ['', 'NaN', 'Infinity', '1.2.3', '-', '0x10']) assert.deepEqual(fitDecimal(text, 4, 1), { error: 'invalid' }, text)
})

test('moments', () => {
  assert.equal(parseDate('2024-2-29'), '2024-02-29')
  assert.equal(parseDate('2023-02-29'), undefined)
  assert.equal(parseDateTime('2024-01-01 10:00:00.5+02:00'), '2024-01-01T08:00:00.500000Z')
  assert.equal(parseDateTime('2024-01-01'), '2024-01-01T00:00:00Z')
  assert.equal(parseDateTime('2024-01-01T25:00:00'), undefined)
  assert.ok(now() < now())
})

test('JSON from outside', () => {
  assert.deepEqual(Object.keys(sortKeysByLength({ bbb: 1, a: 1, cc: 1, b: 1 }) as object), ['a', 'b', 'cc', 'bbb'])
  for (const text of ['{', '"\\ud800"', `${'['.repeat(100)}${']'.repeat(100)}`, '"\\u0000"', 'NaN']) assert.ok('error' in parseJson(text), text)
  const parsed = parseJson('{"__proto__": {"x": 1}, "a": 1}') as { value: Record<string, unknown> }
  assert.deepEqual(Object.keys(parsed.value), ['a'])
})

test('regular expressions cannot hang', () => {
  const evil = compileRegex('(a+)+$')!
  assert.equal(evil(`${'a'.repeat(5000)}b`), false)
  assert.equal(compileRegex('('), undefined)
})
