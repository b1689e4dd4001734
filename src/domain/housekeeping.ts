import type { Store } from '../store/open.ts'

const Day = 86_400_000
/** Rows that go in one transaction, so that other requests wait for little. */
const Batch = 2000

/** Deletes change records older than CHANGELOG_RETENTION days and sessions that have ended; answers how many rows went. */
export async function housekeep(store: Store, at = Date.now()): Promise<number> {
  const moment = (ms: number) => new Date(ms).toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
  let gone = store.commit.now(() => store.db.run('delete from users_session where expires < ?', moment(at)).changes)
  const days = store.config.changelogRetention
  for (let last = Batch; days > 0 && last === Batch;) {
    last = await store.commit.run(() =>
      store.db.run('delete from core_objectchange where id in (select id from core_objectchange where time < ? order by time limit ?)', moment(at - days * Day), Batch).changes)
    gone += last
  }
  return gone
}

/** Keeps house a minute after the start and once a day; answers how to stop. */
export function keepHouse(store: Store): () => void {
  const tidy = () => void housekeep(store).catch((error: unknown) => process.stderr.write(`cabinet: housekeeping failed: ${(error as Error).message}\n`))
  const timers = [setTimeout(tidy, 60_000), setInterval(tidy, Day)]
  for (const timer of timers) timer.unref()
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}
