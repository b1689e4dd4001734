import type { Connection } from '../store/database.ts'

/** A step of the journal, with the last change record that there was when it ended. */
interface Step {
  id: number
  time: string
  change_id: number
}

const stepFrom = (db: Connection, id: number): Step =>
  db.get<Step>('select id, time, change_id from history_step where id >= ? order by id limit 1', id)!

/** The step before one; undefined where the journal has none. */
export const stepBefore = (db: Connection, id: number): Step | undefined =>
  db.get<Step>('select id, time, change_id from history_step where id < ? order by id desc limit 1', id)

/**
 * The step that ended first with a change record there; undefined where the journal does not tell. Steps are halved, as
 * there are millions: records have the order of their steps.
 */
function stepOfChange(db: Connection, change: number): Step | undefined {
  let { low, high } = db.get<{ low: number; high: number }>(
    'select (select min(id) from history_step) as low, (select max(id) from history_step) as high',
  )!
  if (stepFrom(db, low).change_id >= change || stepFrom(db, high).change_id < change) return undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (stepFrom(db, middle).change_id < change) low = middle + 1
    else high = middle
  }
  return stepFrom(db, low)
}

/**
 * The steps of a request, the earliest first. One that came with others out of a kit, or from a source, has the step of
 * their merge.
 */
export function stepsOfRequest(db: Connection, request: string): Step[] {
  const own = db.all<Step>('select id, time, change_id from history_step where request_id = ? order by id', request)
  if (own.length) return own
  const found: Step[] = []
  let { change_id: known } = stepFrom(db, 0)
  for (;;) {
    const { id } = db.get<{ id: number | null }>(
      'select min(id) as id from core_objectchange where request_id = ? and id > ?',
      request,
      known,
    )!
    const step = id === null ? undefined : stepOfChange(db, id)
    if (!step) return found
    found.push(step)
    known = step.change_id
  }
}

/** Whether one can look back to the object of a change as it was before its request. */
export function wasBefore(db: Connection, change: number): boolean {
  const of = db.get<{ request: string; type: string; object: number }>(
    `select request_id as request, changed_object_type as type, changed_object_id as object
      from core_objectchange where id = ?`,
    change,
  )
  const [step] = of ? stepsOfRequest(db, of.request) : []
  const before = step && stepBefore(db, step.id)
  if (!before) return false
  const first = db.get<{ id: number; action: string }>(
    `select id, action from core_objectchange where changed_object_type = ? and changed_object_id = ?
      order by id limit 1`,
    of!.type,
    of!.object,
  )!
  return first.action !== 'create' || first.id <= before.change_id
}
