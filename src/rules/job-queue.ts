import { stringifyExact } from '../lib/exact-json.ts'
import { randomUUID } from 'node:crypto'
import type { Rows } from '../declare/rows.ts'
import { sql } from '../declare/statement.ts'
import { now, momentAt } from '../lib/datetime.ts'

/** A job to be made. Those of one lane run one after the other, in order. */
interface NewJob {
  /** `<kind>:<id>`; the kind says who runs it. */
  lane: string
  name: string
  object?: { type: string; id: number }
  userId: number | null
  payload?: unknown
  /** Shown to readers of jobs. */
  data?: object
  /** Milliseconds from now. */
  delay?: number
  /** Minutes after which the next one of its kind runs. */
  interval?: number | null
}

/** The id of the webhook that a job delivers to; undefined for any other job. */
export const webhookOf = (lane: string): number | undefined => {
  const [kind, id] = lane.split(':')
  return kind === 'webhook' ? Number(id) : undefined
}

const AddJob = sql`
  insert into core_job (lane, name, object_type, object_id, user_id, payload, data, status, created, scheduled,
    "interval", job_id, queue_name, error, log_entries)
  values (?, ?, ?, ?, (select id from users_user where id = ?), ?, ?, ?, ?, ?, ?, ?, 'default', '', '[]')`

/** A finished job once more, without what came of it. What a job works on is kept until it succeeds. */
const AddAgain = sql`
  insert into core_job (lane, name, object_type, object_id, user_id, payload, data, status, created, job_id, queue_name,
    error, log_entries)
  select lane, name, object_type, object_id, (select id from users_user where id = ?), payload,
    json_remove(data, '$.attempts', '$.response'), 'pending', ?, ?, queue_name, '', '[]'
  from core_job where id = ? and lane = ? and payload is not null and status in ('failed', 'errored')`

/** Puts a job of a lane that did not succeed into the queue again, as a new one; false where there is no such job. */
export const enqueueAgain = (rows: Pick<Rows, 'run'>, id: number, lane: string, userId: number | null): boolean =>
  rows.run(AddAgain, userId, now(), randomUUID(), id, lane) === 1

/**
 * Puts a job into the queue, which is part of the caller's transaction: it runs after the commit, or after the next
 * start.
 */
export function enqueue(
  rows: Pick<Rows, 'run'>,
  { lane, name, object, userId, payload, data, delay, interval }: NewJob,
): void {
  rows.run(
    AddJob,
    lane,
    name.slice(0, 200),
    object?.type ?? null,
    object?.id ?? null,
    userId,
    payload === undefined ? null : stringifyExact(payload),
    data ? JSON.stringify(data) : null,
    delay ? 'scheduled' : 'pending',
    now(),
    delay ? momentAt(Date.now() + delay) : null,
    interval ?? null,
    randomUUID(),
  )
}
