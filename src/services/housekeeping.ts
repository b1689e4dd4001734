import { setTimeout as wait } from 'node:timers/promises'
import { complain } from '../lib/log.ts'
import type { Stored } from '../fields/field.ts'
import { forgetSteps } from '../store/journal.ts'
import { neededSince } from '../store/kit.ts'
import type { Store } from '../store/open.ts'
import { discard } from '../store/uploads.ts'
import { type Statement, sql } from '../declare/statement.ts'

const Day = 86_400_000
/** Rows that go in one transaction at first, and at most; and earlier states of rows. */
const Batch = { first: 100, most: 2000, forgotten: 500 }
/**
 * Milliseconds that one transaction may take, so that other requests wait for little, and the rest for them after it.
 */
const Share = 5

/**
 * Kits that were heard of within so many times CHANGELOG_RETENTION keep what they have not been told of; older ones
 * compare everything.
 */
const KitRetention = 2

const EndedSessions = sql`delete from users_session where expires < ?`
const EndedSecrets = sql`delete from users_spent where expires < ?`
const OldUploadUses = sql`delete from users_uploaduse where day < ?`
const OldChanges = sql`
  delete from core_objectchange where id in (select id from core_objectchange where time < ? order by time limit ?)`
const OldJobs = sql`
  delete from core_job where id in (
    select id from core_job where created < ? and status in ('completed', 'failed', 'errored')
    order by created limit ?)`

/**
 * Deletes change records and earlier states of rows past CHANGELOG_RETENTION days, finished jobs past JOB_RETENTION
 * days and sessions that have ended; answers how many rows went, but for earlier states. Stops early once `isEnding`.
 */
export async function housekeep(store: Store, at = Date.now(), isEnding = () => false): Promise<number> {
  const moment = (ms: number) => new Date(ms).toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
  const { changelogRetention, jobRetention } = store.config
  const sessions = await store.commit.run(() => store.rows.run(EndedSessions, moment(at)))
  await store.commit.run(() => {
    store.rows.run(EndedSecrets, moment(at))
    store.rows.run(OldUploadUses, moment(at - 2 * Day).slice(0, 10))
  })
  const older = async (days: number, batch: Statement, before = moment(at - days * Day)) =>
    days > 0 && !isEnding() ? inBatches(store, batch, before, isEnding) : 0
  const needed = neededSince(store.db, KitRetention * changelogRetention)
  const end = moment(at - changelogRetention * Day)
  const before = needed !== undefined && needed < end ? needed : end
  if (changelogRetention > 0) await forget(store, before, isEnding)
  return sessions + (await older(changelogRetention, OldChanges, before)) + (await older(jobRetention, OldJobs))
}

/** Forgets earlier states of rows, and the files that they alone named. */
async function forget(store: Store, before: string, isEnding: () => boolean): Promise<void> {
  while (!isEnding()) {
    const { rows, files } = await store.commit.run(() => forgetSteps(store.db, before, Batch.forgotten))
    for (const path of files) discard(store.db, store.uploads, path)
    if (Math.max(rows, files.length) < Batch.forgotten) return
    await wait(Share)
  }
}

async function inBatches(store: Store, batch: Statement, before: Stored, isEnding: () => boolean): Promise<number> {
  let gone = 0
  for (let size = Batch.first; ; ) {
    let took = 0
    const last = await store.commit.run(() => {
      const began = performance.now()
      const count = store.rows.run(batch, before, size)
      took = performance.now() - began
      return count
    })
    gone += last
    if (last < size) return gone
    size = Math.max(10, Math.min(Batch.most, took > Share ? Math.floor(size / 2) : took < Share / 2 ? size * 2 : size))
    await wait(Share)
    if (isEnding()) return gone
  }
}

/** Runs housekeeping a minute after the start and once a day; answers how to stop. */
export function keepHouse(store: Store): () => void {
  let isEnding = false
  const tidy = () =>
    void housekeep(store, Date.now(), () => isEnding).catch((error: unknown) =>
      complain(`cabinet: housekeeping failed: ${(error as Error).message}\n`),
    )
  const timers = [setTimeout(tidy, 60_000), setInterval(tidy, Day)]
  for (const timer of timers) timer.unref()
  return () => {
    isEnding = true
    for (const timer of timers) clearTimeout(timer)
  }
}
