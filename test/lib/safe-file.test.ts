import assert from 'node:assert/strict'
import { pbkdf2 } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { streamSafely, writeSafely } from '../../src/lib/safe-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-safe-file-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'list.csv')

test('a file that cannot be written whole leaves what was there, and nothing beside it', async () => {
  writeFileSync(file, 'before')
  const broken = (function* () {
    yield 'half'
    throw new Error('no room')
  })()
  await assert.rejects(streamSafely(file, broken), /no room/)
  assert.deepEqual([readdirSync(folder), readFileSync(file, 'utf8')], [['list.csv'], 'before'])
  assert.throws(() => writeSafely(folder, 'a file in the place of a folder'))
  assert.deepEqual(
    readdirSync(join(folder, '..')).filter((name) => name.startsWith(`${folder.split('/').at(-1)}.`)),
    [],
  )
})

test('nor does it where the file is made late', async () => {
  const busy = Array.from({ length: 16 }, () => promisify(pbkdf2)('a', 'b', 100_000, 64, 'sha512'))
  const broken = (function* () {
    yield 'half'
    throw new Error('no room')
  })()
  await assert.rejects(streamSafely(file, broken), /no room/)
  await Promise.all(busy)
  await setTimeout(20)
  assert.deepEqual(readdirSync(folder), ['list.csv'])
})

test('one that is written replaces the old one; a link stays one, and what is no file takes what comes', async () => {
  const link = join(folder, 'link')
  symlinkSync(file, link)
  await streamSafely(link, ['a', 'b'])
  assert.equal(readFileSync(file, 'utf8'), 'ab')
  assert.deepEqual(readdirSync(folder), ['link', 'list.csv'])
  await streamSafely('/dev/null', ['a'])
  await assert.rejects(streamSafely('/dev/full', ['a']), { code: 'ENOSPC' })
})
