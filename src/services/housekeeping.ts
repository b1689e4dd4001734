import { momentAt } from '../lib/datetime.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { complain } from '../lib/log.ts'
import { forgetSteps } from '../store/journal.ts'
import { isKit, neededSince } from '../store/kit.ts'
import { removeCopies } from '../store/migrate.ts'
import type { Store } from '../store/open.ts'
import { discard } from '../store/uploads.ts'
import { type Statement, sql } from '../declare/statement.ts'

const Day = 86_400_000
/** Rows that go in one transaction at first, at least and at most. */
const Batch = { first: 100, least: 10, most: 2000 }
/**
 * Milliseconds that one transaction may hold up other requests, its commit included, and that they have for themselves
 * after it: as long as it took in all, where the disk is busy.
 */
const Share = 5

/**
 * Kits that were heard of within so many times CHANGELOG_RETENTION keep what they have not been told of; older ones
 * compare everything.
 */
const KitRetention = 2

/** Days that the copy of the database stays which a migration made before it changed anything. */
const CopyRetention = 30

const EndedSessions = sql`delete from users_session where expires < ?`
const EndedSecrets = sql`delete from users_spent where expires < ?`
const OldUploadUses = sql`delete from users_uploaduse where day < ?`
const OldChanges = sql`
  delete from core_objectchange where id in (select id from core_objectchange where time < ? order by time limit ?)`
/** In a kit, whose clock may have been far behind, records that its source is not told of stay. */
const OldToldChanges = `
  delete from core_objectchange where id in (
    select c.id from core_objectchange c
    where c.time < ? and (c.id <= (select told from kit_self)
      or exists (select 1 from kit_pull p where c.id between p.first and p.last))
    order by c.time limit ?)`
const OldJobs = sql`
  delete from core_job where id in (
    select id from core_job where created < ? and status in ('completed', 'failed', 'errored')
    order by created limit ?)`

/**
 * Deletes change records and earlier states of rows past CHANGELOG_RETENTION days, finished jobs past JOB_RETENTION
 * days, sessions that have ended and copies that migrations made; answers how many rows went, but for earlier states.
 * Stops early once `isEnding`.
 */
export async function housekeep(store: Store, at = Date.now(), isEnding = () => false): Promise<number> {
  const { changelogRetention, jobRetention } = store.config
  const sessions = await store.commit.run(() => store.rows.run(EndedSessions, momentAt(at)))
  await store.commit.run(() => {
    store.rows.run(EndedSecrets, momentAt(at))
    store.rows.run(OldUploadUses, momentAt(at - 2 * Day).slice(0, 10))
  })
  const older = async (days: number, old: Statement | string, before = momentAt(at - days * Day)) => {
    const piece = (size: number): Piece => {
      const { rows, db } = store
      const gone = typeof old === 'string' ? db.run(old, before, size).changes : rows.run(old, before, size)
      return { gone, isLast: gone < size }
    }
    return days > 0 ? inPieces(store, piece, isEnding) : 0
  }
  const needed = neededSince(store.db, KitRetention * changelogRetention)
  const end = momentAt(at - changelogRetention * Day)
  const before = needed !== undefined && needed < end ? needed : end
  if (changelogRetention > 0) await forget(store, before, isEnding)
  const changes = isKit(store.db) ? OldToldChanges : OldChanges
  const gone = (await older(changelogRetention, changes, before)) + (await older(jobRetention, OldJobs))
  await removeCopies(store.db.raw.name, at - CopyRetention * Day)
  return sessions + gone
}

/** Forgets earlier states of rows, and the files that they alone named. */
async function forget(store: Store, before: string, isEnding: () => boolean): Promise<void> {
  const piece = (size: number): Piece => {
    const { isAll, files } = forgetSteps(store.db, before, size)
    return { gone: 0, isLast: isAll, files }
  }
  await inPieces(store, piece, isEnding)
}

/** What one transaction did: rows that went, files that nothing names any more, and whether there is no more to do. */
interface Piece {
  gone: number
  isLast: boolean
  files?: readonly string[]
}

/** Does work in pieces of some rows, each in a transaction: smaller ones while they hold up others. */
async function inPieces(store: Store, piece: (size: number) => Piece, isEnding: () => boolean): Promise<number> {
  let all = 0
  for (let size = Batch.first; !isEnding(); ) {
    const asked = performance.now()
    let held = 0
    const { gone, isLast, files } = await store.commit.run(() => {
      const began = performance.now()
      // Once this thread is free again, which it is when all of the transaction is over.
      queueMicrotask(() => {
        held = performance.now() - began
      })
      return piece(size)
    })
    all += gone
    for (const path of files ?? []) discard(store.db, store.uploads, path)
    if (isLast) break
    const fitting = held > Share ? Math.floor(size / 2) : held < Share / 2 ? size * 2 : size
    size = Math.max(Batch.least, Math.min(Batch.most, fitting))
    await wait(Math.max(Share, performance.now() - asked))
  }
  return all
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
