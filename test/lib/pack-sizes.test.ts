import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { checkPack } from '../../src/lib/workers/pack-sizes.ts'

/** A number in sevens of bits, least first. */
const sevens = (n: number): number[] => (n < 128 ? [n] : [(n % 128) | 128, ...sevens(Math.floor(n / 128))])
/** Type and size of an object in a pack. */
const head = (type: number, size: number): Buffer =>
  Buffer.from(size < 16 ? [(type << 4) | size] : [128 | (type << 4) | (size % 16), ...sevens(Math.floor(size / 16))])
const blob = (data: Buffer, said = data.length): Buffer => Buffer.concat([head(3, said), deflateSync(data)])
/** A delta that says what it makes. */
const delta = (makes: number): Buffer => {
  const data = Buffer.from([...sevens(5), ...sevens(makes), 0x90, 5])
  return Buffer.concat([head(7, data.length), Buffer.alloc(20), deflateSync(data)])
}
const pack = (...objects: Buffer[]): Buffer => {
  const start = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  start.writeUInt32BE(objects.length, 8)
  return Buffer.concat([start, ...objects, Buffer.alloc(20)])
}
const limits = { objects: 4, bytes: 1000 }

test('what a pack unpacks to is counted before it is unpacked', () => {
  checkPack(pack(blob(Buffer.alloc(400)), blob(Buffer.alloc(0)), delta(300)), limits)
  for (const [bad, why] of [
    [pack(blob(Buffer.alloc(600)), blob(Buffer.alloc(600))), /more than 1000 bytes/],
    [pack(blob(Buffer.alloc(1), 2 ** 40)), /more than 1000 bytes/],
    [pack(delta(1_000_000)), /more than 1000 bytes/],
    [pack(...Array.from({ length: 5 }, () => blob(Buffer.alloc(1)))), /more than 4 objects/],
    [pack(blob(Buffer.alloc(100_000), 10)), /larger than/],
    [Buffer.from('nothing'), /not one/],
    [pack(blob(Buffer.from('x'))).subarray(0, 20), /not one/],
  ] as const)
    assert.throws(() => checkPack(bad, limits), why)
})
