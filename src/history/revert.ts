import { Refused } from '../declare/behaviour.ts'
import { models } from '../engine/catalog.ts'
import type { Row } from '../fields/field.ts'
import type { Connection } from '../store/database.ts'
import type { Writing } from '../store/write.ts'
import { applyPlan } from './apply.ts'
import { Collided, type Collision, Judge, type Wishes } from './collisions.ts'
import { recorded, type Undone } from './recorded.ts'
import { type ChangeSet, changesOf, countRows, type RowChange } from './changes.ts'
import { planReversal } from './plan.ts'
import { stepsOfRequest } from './steps.ts'

/** Which changes are to be taken back: those of some requests, of one object in a request, or of all since a moment. */
export type Which =
  | { requests: readonly string[] }
  | { change: number }
  | { since: string; user?: string | undefined; model?: string | undefined }

/** Rows that one reversal changes at most. */
const MaxRows = 50_000

interface Outcome {
  undone: Undone[]
  collisions: readonly Collision[]
}

/** Undoes what a trial did. */
class Tried extends Error {
  readonly undone: Undone[]
  constructor(undone: Undone[]) {
    super('a trial')
    this.undone = undone
  }
}

/** The moment of the earliest state that the journal can tell. */
const beginning = (db: Connection): string =>
  db.get<{ time: string }>('select time from history_step order by id limit 1')!.time

/**
 * Takes changes back in a write of its own; `isTrial`: only says what that would do. Nothing is done where changes
 * collide. Throws `Refused` for what is not there, too much or not allowed.
 */
export function revert(w: Writing, which: Which, wishes: Wishes, isTrial: boolean): Outcome {
  if (!isSeen(w, which)) throw unknown(which)
  const set = setOf(w.db, which)
  const last = w.db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0
  try {
    return w.db.within(() => {
      const judge = new Judge(w, wishes)
      applyPlan(w, planReversal(w, set, judge), judge)
      const undone = recorded(w, last)
      if (isTrial) throw new Tried(undone)
      return { undone, collisions: [] }
    })
  } catch (error) {
    if (error instanceof Tried) w.feed.drop()
    if (error instanceof Tried) return { undone: error.undone, collisions: [] }
    if (error instanceof Collided) {
      w.feed.drop()
      return { undone: [], collisions: error.collisions }
    }
    throw error
  }
}

const tooOld = (db: Connection): Refused =>
  new Refused(400, { detail: `What was before ${beginning(db)} is not kept, so that it cannot be taken back.` })

const unknown = (which: Which): Refused => {
  if ('requests' in which) return new Refused(400, { request_id: ['There is no such request in the change log.'] })
  if ('change' in which) return new Refused(400, { id: ['There is no such change.'] })
  return new Refused(403, { detail: 'You may not see all changes since then: name a request, or a change.' })
}

/** Whether the actor may see the change records of what is to be taken back: an undo tells what they say. */
function isSeen({ db, tools }: Writing, which: Which): boolean {
  const log = 'core.objectchange'
  if (tools.constraints('view', log).includes(null)) return true
  if ('since' in which) return false
  const ids =
    'change' in which
      ? [{ id: which.change }]
      : db.all<{ id: number }>(
          'select id from core_objectchange where request_id in (select value from json_each(?))',
          JSON.stringify(which.requests),
        )
  return ids.every(({ id }) => tools.mayOn('view', log, id))
}

const stepsOf = (db: Connection, requests: readonly string[]): number[] => {
  const ids = requests.flatMap((request) => stepsOfRequest(db, request).map(({ id }) => id))
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Objects that requests out of kits changed; undefined where each request has a step of its own. */
function objectsOfMerged(
  db: Connection,
  requests: readonly string[],
): readonly (readonly [string, number])[] | undefined {
  const isOwn = (id: string) => db.get('select 1 from history_step where request_id = ?', id) !== undefined
  if (requests.every(isOwn)) return undefined
  return db
    .all<{ type: string; id: number }>(
      `select distinct changed_object_type as type, changed_object_id as id from core_objectchange
        where request_id in (select value from json_each(?))`,
      JSON.stringify(requests),
    )
    .map(({ type, id }) => [type, id] as const)
}

function setOf(db: Connection, which: Which): ChangeSet {
  if ('requests' in which) {
    const known = which.requests.every((id) => stepsOf(db, [id]).length > 0)
    if (!known) {
      const isRecorded = which.requests.every(
        (id) => db.get('select 1 from core_objectchange where request_id = ?', id) !== undefined,
      )
      throw isRecorded ? tooOld(db) : unknown(which)
    }
    const set = read(db, stepsOf(db, which.requests))
    const objects = objectsOfMerged(db, which.requests)
    return objects ? set.filter((each) => objects.some(([type, id]) => belongsTo(each, type, id))) : set
  }
  if ('change' in which) {
    const change = db.get<Row>('select * from core_objectchange where id = +?', which.change)
    if (!change) throw unknown(which)
    const steps = stepsOf(db, [change.request_id as string])
    if (steps.length === 0) throw tooOld(db)
    const [type, id] = [change.changed_object_type as string, change.changed_object_id as number]
    return read(db, steps).filter((each) => belongsTo(each, type, id))
  }
  if (which.since < beginning(db)) throw tooOld(db)
  const steps = db
    .all<{ id: number }>(
      `select id from history_step where time > ? and request_id <> '' and (? is null or user_name = ?) order by id`,
      which.since,
      which.user ?? null,
      which.user ?? null,
    )
    .map(({ id }) => id)
  const set = read(db, steps)
  const { model } = which
  return model === undefined ? set : set.filter((each) => belongsTo(each, model, undefined))
}

function read(db: Connection, steps: readonly number[]): ChangeSet {
  if (countRows(db, steps, MaxRows + 1) > MaxRows)
    throw new Refused(400, { detail: `These are more than ${MaxRows} changed rows: take them back in parts.` })
  return changesOf(db, steps)
}

/** Whether a row is that object, or one that is a part of it: a link, a tag, a row that has no records of its own. */
function belongsTo({ place, id, touches, now }: RowChange, type: string, object: number | undefined): boolean {
  const isIt = (owner: string, of: unknown): boolean => owner === type && (object === undefined || of === object)
  const rows = [now, ...touches.flatMap(({ before, after }) => [before, after])].filter((row) => row !== null)
  if (place.links) return rows.some((row) => isIt(place.m.name, row.from_id))
  if (isIt(place.m.name, id)) return true
  if (place.m.methods || place.m.internal)
    for (const [name, field] of Object.entries(place.m.fields as Record<string, { target?: { model: string } }>)) {
      if (field.target && rows.some((row) => isIt(field.target!.model, row[`${name}_id`]))) return true
      if (name === 'object' && rows.some((row) => isIt(String(row.object_type), row.object_id))) return true
    }
  return false
}

/** The model of a name that a client gave; undefined for none. */
export const modelOrNone = (name: string): string | undefined => (Object.hasOwn(models, name) ? name : undefined)
