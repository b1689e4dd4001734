import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { signed } from '../../build/sign-macho.ts'
import { targets } from '../../build/targets.ts'

const top = join(import.meta.dirname, '../..')
const lock = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version: string; integrity: string }>
}

test('targets take the versions and hashes that the lock file has', () => {
  for (const [name, { node, argon2 }] of Object.entries(targets))
    for (const part of [node, argon2]) {
      const [, id, version] = /^(.+)@([\d.]+)$/.exec(part.package)!
      const locked = lock.packages[`node_modules/${id}`]
      if (!locked || (name.startsWith('macos') && part === node)) continue
      assert.equal(version, locked.version, part.package)
      assert.equal(part.integrity, locked.integrity, part.package)
    }
})

/** An executable of macOS with a segment for the code, one for the tables, and room for more commands. */
function executable(): Buffer {
  const bytes = Buffer.alloc(0x6100)
  bytes.writeUInt32LE(0xfeedfacf, 0)
  bytes.writeUInt32LE(2, 16)
  bytes.writeUInt32LE(144, 20)
  for (const [i, [name, from, size]] of (
    [
      ['__TEXT', 0, 0x4000],
      ['__LINKEDIT', 0x4000, 0x2100],
    ] as const
  ).entries()) {
    const at = 32 + i * 72
    bytes.writeUInt32LE(0x19, at)
    bytes.writeUInt32LE(72, at + 4)
    bytes.write(name, at + 8, 'latin1')
    bytes.writeBigUInt64LE(BigInt(from), at + 40)
    bytes.writeBigUInt64LE(BigInt(size), at + 48)
  }
  bytes.fill(7, 0x1000)
  return bytes
}

test('an ad hoc signature has the hash of every page, and signing again changes nothing', () => {
  const once = signed(executable())
  const limit = once.readUInt32LE(32 + 144 + 8)
  assert.equal(limit, 0x6100)
  assert.equal(once.readUInt32BE(limit), 0xfade0cc0)
  const directory = once.subarray(limit + 20)
  assert.equal(directory.readUInt32BE(0), 0xfade0c02)
  assert.equal(directory.readUInt32BE(28), 7)
  const hashes = directory.readUInt32BE(16)
  for (let i = 0; i < 7; i++) {
    const page = once.subarray(i * 4096, Math.min((i + 1) * 4096, limit))
    const kept = directory.subarray(hashes + i * 32, hashes + (i + 1) * 32)
    assert.ok(createHash('sha256').update(page).digest().equals(kept), `page ${i}`)
  }
  assert.equal(Number(once.readBigUInt64LE(32 + 72 + 48)), once.length - 0x4000, 'the last segment holds the signature')
  assert.ok(signed(once).equals(once))
  assert.throws(() => signed(Buffer.from('#!/bin/sh and more of it')), /no executable/)
})
