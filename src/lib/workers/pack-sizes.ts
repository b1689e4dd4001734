import { inflateSync } from 'node:zlib'

/** How many objects a pack may hold, and how many bytes they may have together when they are unpacked. */
interface PackLimits {
  objects: number
  bytes: number
}

const OffsetDelta = 6
const ReferenceDelta = 7

/**
 * Throws when a git pack holds more than the limits allow. Each object says its size before its compressed bytes, and a
 * delta the size of what it makes: nothing is unpacked past what was said.
 */
export function checkPack(pack: Buffer, limits: PackLimits): void {
  if (pack.length < 32 || pack.toString('latin1', 0, 4) !== 'PACK') throw new Error('the pack of objects is not one')
  const count = pack.readUInt32BE(8)
  if (count > limits.objects) throw new Error(`the repository has more than ${limits.objects} objects`)
  let left = limits.bytes
  let at = 12
  const spend = (size: number) => {
    left -= size
    if (left < 0) throw new Error(`the repository has more than ${limits.bytes} bytes when it is unpacked`)
  }
  for (let i = 0; i < count; i++) {
    const first = pack[at++]!
    const type = (first >> 4) & 7
    let size = first & 15
    if (first & 128) [size, at] = sizeAt(pack, at, size, 16)
    if (type === OffsetDelta) while (pack[at++]! & 128);
    if (type === ReferenceDelta) at += 20
    spend(size)
    const { buffer, engine } = inflateSync(pack.subarray(at), {
      maxOutputLength: Math.max(size, 1),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    at += engine.bytesWritten
    if (type === OffsetDelta || type === ReferenceDelta) {
      const [, next] = sizeAt(buffer, 0, 0, 1)
      spend(sizeAt(buffer, next, 0, 1)[0])
    }
  }
}

/** A number in sevens of bits, least first, on top of `sum`; and where it ends. */
function sizeAt(bytes: Buffer, from: number, sum: number, factor: number): [size: number, end: number] {
  let at = from
  for (let weight = factor; ; weight *= 128) {
    const byte = bytes[at++]
    if (byte === undefined || weight > 2 ** 45) throw new Error('the pack of objects is broken')
    sum += (byte & 127) * weight
    if (!(byte & 128)) return [sum, at]
  }
}
