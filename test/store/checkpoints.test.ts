import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { Checkpoints } from '../../src/store/checkpoints.ts'
import { until } from '../support/until.ts'

/** The log of SQLite is brought back to the database beside who writes, and begins anew. */
const folder = mkdtempSync(join(tmpdir(), 'cabinet-checkpoints-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
let n = 0
function opened() {
  const file = join(folder, `${n++}.db`)
  const raw = openDatabase(file)
  raw.pragma('journal_mode = wal')
  raw.pragma('synchronous = off')
  raw.exec('create table page (id integer primary key, text blob)')
  let holders = 0
  const [hold, release] = [() => void holders++, () => void holders--]
  const checkpoints = new Checkpoints(raw, { hold, release, logSync: undefined })
  /** Commits some 1,000 pages. */
  const write = () => {
    raw
      .prepare(
        `insert into page (text) select randomblob(4000) from (
           with recursive s(i) as (select 1 union all select i + 1 from s limit 1000) select i from s)`,
      )
      .run()
    checkpoints.look()
  }
  const log = () => (raw.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[])[0]!
  return { file, raw, checkpoints, write, log, holders: () => holders }
}

test('what is much is brought to the file beside, and the log begins anew', async () => {
  const { file, raw, checkpoints, write, log } = opened()
  for (let i = 0; i < 15; i++) write()
  assert.equal(log().checkpointed, 0) // not yet
  for (let i = 0; i < 15; i++) write()
  assert.ok(log().log > 30_000 && log().checkpointed < log().log) // nobody waited
  await until(() => log().checkpointed === log().log)
  write()
  assert.ok(log().log < 2000)
  await checkpoints.end()
  raw.close()
  checkpoints.close()
  assert.ok(!existsSync(`${file}-wal`))
})

test('after writes without a rest the log begins anew, and nobody is held', async () => {
  const { raw, checkpoints, write, log, holders } = opened()
  for (let i = 0; i < 100; i++) {
    write()
    await new Promise((done) => setTimeout(done, 5))
  }
  while (log().checkpointed < log().log) {
    write() // until the thread has done what it began, and brought the last while it is held
    while (holders() > 0) await new Promise((done) => setTimeout(done, 5))
    await new Promise((done) => setTimeout(done, 50))
  }
  write()
  assert.ok(log().log < 2000)
  await checkpoints.end()
  assert.equal(holders(), 0)
  raw.close()
  checkpoints.close()
})

test('what came while the thread worked is brought too, without more writes', async () => {
  const { raw, checkpoints, write, log } = opened()
  for (let i = 0; i < 17; i++) write()
  for (let i = 0; i < 6; i++) {
    await new Promise((done) => setTimeout(done, 4))
    write()
  }
  await until(() => log().checkpointed === log().log)
  await checkpoints.end()
  raw.close()
  checkpoints.close()
})

test('what came as quickly as it was brought is brought once nobody writes', async () => {
  const { raw, checkpoints, write, log } = opened()
  for (let i = 0; i < 17; i++) write()
  while (log().checkpointed === 0); // the thread's first part is done, and no more is begun before this turn ends
  for (let i = 0; i < 15; i++) write() // no more than a next one is worth
  await until(() => log().checkpointed === log().log)
  await checkpoints.end()
  raw.close()
  checkpoints.close()
})

test('who reads an earlier state holds back what came after it, and no thread tries again and again', async () => {
  const { file, raw, checkpoints, write, log } = opened()
  const reader = openDatabase(file, { readonly: true })
  reader.exec('begin')
  reader.prepare('select count(*) from page').get()
  for (let i = 0; i < 17; i++) write()
  await new Promise((done) => setTimeout(done, 500))
  assert.ok(log().checkpointed < log().log)
  for (let i = 0; i < 15; i++) write() // less than a next one is worth
  reader.exec('commit')
  write()
  await until(() => {
    checkpoints.look()
    return log().checkpointed === log().log
  })
  await checkpoints.end()
  write()
  checkpoints.look()
  assert.ok(log().checkpointed === 0) // it has ended
  reader.close()
  raw.close()
  checkpoints.close()
})

test('where no thread can do it, who commits does', async () => {
  const { file, raw, checkpoints, write } = opened()
  renameSync(file, `${file}.away`)
  for (let i = 0; i < 17; i++) write()
  await until(() => raw.pragma('wal_autocheckpoint', { simple: true }) === 4000)
  await checkpoints.end()
  raw.close()
  checkpoints.close()
})
