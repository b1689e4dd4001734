import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../declare/statement.ts'
import { FieldError } from '../fields/field.ts'
import { now } from '../lib/datetime.ts'
import { type Done, deferred, type BatchWorker } from '../lib/deferred.ts'
import type { Upload } from '../lib/upload.ts'
import { rowsIn } from './rows.ts'
import type { Store } from './open.ts'
import type { Writing } from './write.ts'

const Use = sql<{ bytes: number }>`select bytes from users_uploaduse where user_id = ? and day = ?`
const Charge = sql`
  insert into users_uploaduse (user_id, day, bytes) values (?, ?, ?)
  on conflict (user_id, day) do update set bytes = bytes + excluded.bytes`

/**
 * Refuses a file that is more than its user may send today, or than all uploads may take; counts it otherwise, in the
 * same transaction.
 */
export function countUpload(w: Pick<Writing, 'db' | 'actor' | 'store'>, upload: Upload): void {
  demandRoom(w.store, upload.bytes)
  countToday(w, upload.bytes)
}

/** Refuses a file that is more than its user may send today, and counts it otherwise. Throws `FieldError`. */
export function countToday(
  { db, actor, store }: Pick<Writing, 'db' | 'actor' | 'store'>,
  { length: bytes }: Buffer,
): void {
  const perDay = store.config.maxUploadBytesPerDay
  if (perDay === 0 || actor.userId === null) return
  const rows = rowsIn(db)
  const day = now().slice(0, 10)
  const used = rows.get(Use, actor.userId, day)?.bytes ?? 0
  if (used + bytes > perDay)
    throw new FieldError(
      `You may send ${perDay} bytes of files a day, and have sent ${used}: ` +
        `this one has ${bytes}. The day ends at midnight UTC.`,
    )
  rows.run(Charge, actor.userId, day, bytes)
}

/** Bytes of a folder as they were counted last, when that was (ms), and what was added since. */
interface Weight {
  bytes: number
  at: number
  added: number
  counted: WeakSet<Buffer>
}
const weights = new Map<string, Weight>()
/** Milliseconds for which a count is good enough: what another thread, or a hand, adds meanwhile is seen afterwards. */
const Fresh = 10_000

/** Counts the bytes of folders while other requests go on. */
const weighing: BatchWorker<string, number> = (folders) =>
  Promise.all(
    folders.map(async (folder): Promise<Done<number>> => {
      const known = weights.get(folder)
      if (known && performance.now() - known.at < Fresh) return { value: known.bytes }
      const at = performance.now()
      const bytes = await weigh(folder)
      weights.set(folder, { bytes, at, added: 0, counted: new WeakSet() })
      return { value: bytes }
    }),
  )

async function weigh(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await weigh(path)
    else if (entry.isFile()) bytes += (await stat(path).catch(() => ({ size: 0 }))).size // it may be gone by now
  }
  return bytes
}

/** Refuses a file that is more than all uploads may take. Throws `FieldError`; called in a transaction. */
export function demandRoom({ uploads: folder, config }: Pick<Store, 'uploads' | 'config'>, bytes: Buffer): void {
  const most = config.maxUploadsBytes
  if (most === 0) return
  deferred(weighing, { key: folder, input: folder, inPlace: () => 0, placeholder: 0 })
  const weight = weights.get(folder)
  if (!weight || weight.counted.has(bytes)) return // not weighed yet: this write is run again; or it was run before
  if (weight.bytes + weight.added + bytes.length > most)
    throw new FieldError(`There is no room for this file: uploads may take ${most} bytes together.`)
  weight.counted.add(bytes)
  weight.added += bytes.length
}
