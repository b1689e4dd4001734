import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Database from 'better-sqlite3'
import { HeartbeatFile, provenBy, readHeartbeat, readHeartbeats } from '../../src/services/heartbeat.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-pulse-'))
after(() => rmSync(folder, { recursive: true }))
const beat = (time: number, version: number, epoch = 1) => ({ time, epoch, version, files: 0 })

test('a file of signs of life holds the newest and some earlier ones', () => {
  const path = join(folder, 'pulse.db')
  const file = new HeartbeatFile(path)
  assert.deepEqual(readHeartbeats(path), [])
  for (let i = 1; i <= 300; i++) file.beat(beat(i, i * 10))
  file.close()
  assert.deepEqual(readHeartbeat(path), beat(300, 3000))
  const all = readHeartbeats(path)
  assert.deepEqual(all.slice(0, 3), [beat(300, 3000), beat(299, 2990), beat(298, 2980)])
  assert.equal(all.length, 201)
})

test('the file of an older source holds one', () => {
  const path = join(folder, 'older.db')
  const db = new Database(path)
  db.exec('create table pulse (id integer primary key, time integer, epoch integer, version integer, files integer)')
  db.exec('insert into pulse values (1, 5, 1, 7, 0)')
  db.close()
  assert.deepEqual(readHeartbeats(path), [beat(5, 7)])
})

test('a copy is as of the newest sign of life that is not ahead of its rows', () => {
  const heartbeats = [beat(40, 9), beat(30, 7), beat(20, 5), beat(10, 5)]
  assert.equal(provenBy(heartbeats, { epoch: 1, version: 9 })?.time, 40)
  assert.equal(provenBy(heartbeats, { epoch: 1, version: 8 })?.time, 30)
  assert.equal(provenBy(heartbeats, { epoch: 1, version: 4 }), undefined)
  assert.equal(provenBy(heartbeats, { epoch: 2, version: 9 }), undefined)
})
