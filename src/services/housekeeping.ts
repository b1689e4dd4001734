import { complain } from '../lib/log.ts'
import type { Stored } from '../fields/field.ts'
import type { Store } from '../store/open.ts'
import { type Statement, sql } from '../declare/statement.ts'

const Day = 86_400_000
/** Rows that go in one transaction, so that other requests wait for little. */
const Batch = 2000

const EndedSessions = sql`delete from users_session where expires < ?`
const OldChanges = sql`
  delete from core_objectchange where id in (select id from core_objectchange where time < ? order by time limit ?)`
const OldJobs = sql`
  delete from core_job where id in (
    select id from core_job where created < ? and status in ('completed', 'failed', 'errored')
    order by created limit ?)`

/** Deletes change records past CHANGELOG_RETENTION days, finished jobs past JOB_RETENTION days and sessions that have ended; answers how many rows went. */
export async function housekeep(store: Store, at = Date.now()): Promise<number> {
  const moment = (ms: number) => new Date(ms).toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
  const { changelogRetention, jobRetention } = store.config
  const sessions = await store.commit.run(() => store.rows.run(EndedSessions, moment(at)))
  const older = async (days: number, batch: Statement) =>
    days > 0 ? inBatches(store, batch, moment(at - days * Day)) : 0
  return sessions + (await older(changelogRetention, OldChanges)) + (await older(jobRetention, OldJobs))
}

async function inBatches(store: Store, batch: Statement, before: Stored): Promise<number> {
  let gone = 0
  for (let last = Batch; last === Batch; ) {
    last = await store.commit.run(() => store.rows.run(batch, before, Batch))
    gone += last
  }
  return gone
}

/** Keeps house a minute after the start and once a day; answers how to stop. */
export function keepHouse(store: Store): () => void {
  const tidy = () =>
    void housekeep(store).catch((error: unknown) =>
      complain(`cabinet: housekeeping failed: ${(error as Error).message}\n`),
    )
  const timers = [setTimeout(tidy, 60_000), setInterval(tidy, Day)]
  for (const timer of timers) timer.unref()
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}
