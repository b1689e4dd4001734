import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { PulseFile, provenBy, readPulse, readPulses } from '../../src/services/pulse.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-pulse-'))
const beat = (time: number, version: number, epoch = 1) => ({ time, epoch, version, files: 0 })

test('a file of signs of life holds the newest and some earlier ones', () => {
  const path = join(folder, 'pulse.db')
  const file = new PulseFile(path)
  assert.deepEqual(readPulses(path), [])
  for (let i = 1; i <= 300; i++) file.beat(beat(i, i * 10))
  file.close()
  assert.deepEqual(readPulse(path), beat(300, 3000))
  const all = readPulses(path)
  assert.deepEqual(all.slice(0, 3), [beat(300, 3000), beat(299, 2990), beat(298, 2980)])
  assert.equal(all.length, 201)
})

test('the file of an older source holds one', () => {
  const path = join(folder, 'older.db')
  const db = new Database(path)
  db.exec('create table pulse (id integer primary key, time integer, epoch integer, version integer, files integer)')
  db.exec('insert into pulse values (1, 5, 1, 7, 0)')
  db.close()
  assert.deepEqual(readPulses(path), [beat(5, 7)])
})

test('a copy is as of the newest sign of life that is not ahead of its rows', () => {
  const pulses = [beat(40, 9), beat(30, 7), beat(20, 5), beat(10, 5)]
  assert.equal(provenBy(pulses, { epoch: 1, version: 9 })?.time, 40)
  assert.equal(provenBy(pulses, { epoch: 1, version: 8 })?.time, 30)
  assert.equal(provenBy(pulses, { epoch: 1, version: 4 }), undefined)
  assert.equal(provenBy(pulses, { epoch: 2, version: 9 }), undefined)
})
