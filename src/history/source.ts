import { now } from '../lib/datetime.ts'
import { FieldError, type Row } from '../fields/field.ts'
import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { fieldsOf, memo, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { headOf } from '../store/journal.ts'
import type { Connection } from '../store/database.ts'
import type { Store } from '../store/open.ts'
import { rowOf, rowText, selfOf } from '../store/kit.ts'
import { IdsOfOne } from '../store/own-ids.ts'
import { countToday, demandRoom } from '../store/upload-bounds.ts'
import type { Writing } from '../store/write.ts'
import type { TheirRecord } from './authors.ts'
import {
  type Bundle,
  BundleError,
  demandFit,
  type Header,
  headerOf,
  packBundle,
  readBundle,
  type RowLine,
} from './bundle.ts'
import { demandForm, demandValues, withDerived } from './bundle-form.ts'
import { changedSince, countRows, rowNow, type Since } from './changes.ts'
import { accountTables, type Coming, type Decide, type Decided, exchanged, isLink } from './coming.ts'
import { objectsOf, realChanges, recordsOf } from './kit.ts'
import { filesOfRows, keepFiles } from './kit-files.ts'
import { rowsDiffer } from './merge.ts'
import { type Merged, mergeIn } from './merge-in.ts'

/** A kit as its source knows it. */
export interface KitRow {
  id: number
  name: string
  key: string
  created: string
  revoked: number
  with_secrets: number
  pushed: number
  pushes: string
  step: number
  step_time: string
}

/** A kit by its number or name. Throws `BundleError` for one that is not there or revoked. */
export function kitOf(db: Connection, by: number | string): KitRow {
  const row = db.get<KitRow>(`select * from core_kit where ${typeof by === 'number' ? 'id' : 'name'} = ?`, by)
  if (!row)
    throw new BundleError(
      typeof by === 'number' ? 'The bundle belongs to a kit of another inventory.' : `There is no kit ${by}.`,
    )
  if (row.revoked)
    throw new BundleError(`The kit ${row.name} was revoked: nothing goes to it or comes from it any more.`)
  return row
}

/** Names of the columns of a model that only those who were given secrets hold, with what stands there else. */
export const secretColumns = memo(
  (m: AnyModel): Row =>
    Object.fromEntries(
      fieldsOf(m).flatMap(([name, field]) =>
        field.options.secret
          ? Object.entries(field.columns(name)).map(([column, spec]) => [
              column,
              spec.null ? null : (spec.default ?? ''),
            ])
          : [],
      ),
    ),
)

/** A change record without its secrets. */
const coveredRecord = (record: TheirRecord): TheirRecord => {
  const m = models[record.changed_object_type]
  const names = m ? fieldsOf(m).flatMap(([name, { options }]) => (options.secret ? [name] : [])) : []
  if (names.length === 0) return record
  const without = (text: string | null) => {
    const shown = text === null ? null : (parseExact(text) as Record<string, unknown>)
    for (const name of names) if (shown && name in shown) shown[name] = null
    return shown && stringifyExact(shown)
  }
  return { ...record, prechange_data: without(record.prechange_data), postchange_data: without(record.postchange_data) }
}

/** A row without its secrets. */
const covered = (m: AnyModel, row: Row): Row => {
  const secrets = secretColumns(m)
  const found = { ...row }
  for (const name of Object.keys(secrets)) if (name in found) found[name] = secrets[name] ?? null
  return found
}

/** Rows of changes that a kit is told of one by one; past them it compares everything. */
const MaxRows = 200_000

/**
 * Whether the journal tells everything since a step that a kit knows. It may be dated earlier by now, if the clock was
 * ahead; another step of its number, after the source was restored, is later.
 */
const isKnown = (db: Connection, step: number, time: string): boolean =>
  db.get('select 1 from history_step where id = ? and time <= ?', step, time) !== undefined

/**
 * Whether a step that the journal does not know was never made here: it is later than all, or another has its number.
 */
const isRestored = (db: Connection, step: number): boolean =>
  step > headOf(db).step || db.get('select 1 from history_step where id = ?', step) !== undefined
const Restored =
  'The source knows less than this kit: it was restored from a backup. What it took after that backup is in this kit ' +
  'still, and in its change log. cabinet bundle takes along what was not pushed yet and cabinet apply gives it to ' +
  'the source; then clone anew.'

const parsed = (row: Row | null): RowLine['r'] => {
  const text = rowText(row)
  return text === null ? null : (JSON.parse(text) as RowLine['r'])
}

/** The last push that came of a kit. */
const lastPush = ({ pushed, pushes }: KitRow): { push: number; id: string } => ({
  push: pushed,
  id: (JSON.parse(pushes) as { push: number; id: string }[]).at(-1)?.id ?? '',
})

/** What changed here since a step that a kit knows of; undefined where the journal does not tell, or it is too much. */
export const makePull = (store: Store, kit: KitRow, step: number, time: string): Buffer | undefined =>
  store.db.atOneMoment(() => pullSince(store, kit, step, time))

function pullSince(store: Store, kit: KitRow, step: number, time: string): Buffer | undefined {
  const { db } = store
  if (selfOf(db)) throw new BundleError('This is a kit itself: its source alone gives changes to kits.')
  if (!isKnown(db, step, time)) {
    if (isRestored(db, step)) throw new BundleError(Restored)
    return undefined
  }
  const steps = db.all<{ id: number }>('select id from history_step where id > ?', step).map(({ id }) => id)
  if (countRows(db, steps, MaxRows + 1) > MaxRows) return undefined
  const changes = [...changedSince(db, step).values()].filter(
    ({ place }) => exchanged().has(place.table) || accountTables().has(place.table),
  )
  const rows = changes.map(({ place, id, before, now: is }): RowLine => {
    const row = is && !kit.with_secrets && !isLink(place) ? covered(place.m, is) : is
    return { t: place.table, i: id, r: parsed(row), ...(isLink(place) ? { b: { 0: parsed(before) } } : {}) }
  })
  const { change_id } = db.get<{ change_id: number }>('select change_id from history_step where id = ?', step)!
  const coming = changes.map(({ place, id, before, now: is }): Coming => ({ place, id, base: before, row: is }))
  const header = headerOf(db, kit.key, { from: 'source', kit: kit.id, name: kit.name, ...lastPush(kit), ...headOf(db) })
  const told = recordsOf(db, change_id, objectsOf(changes), false)
  const records = kit.with_secrets ? told : told.map(coveredRecord)
  return packBundle(kit.key, header, rows, records, filesOfRows(store.uploads, coming))
}

/** Reads a push. Throws `BundleError` for one that is damaged, of another inventory, or of a kit that was revoked. */
export function readPush(
  store: Store,
  bytes: Buffer,
  isNow: boolean,
  number?: number,
): { bundle: Bundle; kit: KitRow } {
  const { db } = store
  if (selfOf(db)) throw new BundleError('This is a kit itself: a push goes to the source.')
  let kit: KitRow | undefined
  const bundle = readBundle(bytes, ({ from, kit: of }) => {
    if (from !== 'kit') throw new BundleError('The bundle is for a kit: cabinet apply --data KIT takes it there.')
    if (number !== undefined && of !== number) throw new BundleError('The bundle is of another kit.')
    kit = kitOf(db, of)
    return kit.key
  })
  demandFit(db, bundle.header, isNow, kit!.created)
  demandForm(db, bundle)
  return { bundle, kit: kit! }
}

interface PushOptions {
  decide: Decide
  isTrial?: boolean
  /** Is told what was decided, before it is committed. */
  keep?: (decided: readonly Decided[]) => void
}
interface Pushed extends Merged {
  /** Whether it had come before, so that nothing was to be done. */
  isKnown: boolean
  objects: number
}

/**
 * Makes the changes of a kit here: all of them, or none where they conflict with others. Called inside a transaction.
 */
export function takePush(w: Writing, { bundle, kit: read }: ReturnType<typeof readPush>, options: PushOptions): Pushed {
  const { db, store } = w
  const { header } = bundle
  const kit = kitOf(db, read.id)
  if (isTaken(kit, header)) return { conflicts: [], decided: [], changes: [], isKnown: true, objects: 0 }
  const rows = bundle.rows.map((line) => comingOf(db, line, kit))
  demandValues(w, rows, bundle.files, kit.name)
  const isCounted = !options.isTrial
  if (isCounted) for (const bytes of bundle.files.values()) bounded(() => countToday(w, bytes))
  const room = (bytes: Buffer) => bounded(() => demandRoom(store, bytes))
  const came = rows.map((each) => dated(each, kit, w.by.now))
  const coming = keepFiles(db, store.uploads, bundle.files, came, isCounted ? room : undefined)
  const here = changesSince(db, header, coming)
  const merged = mergeIn(w, coming, here, {
    ...options,
    records: bundle.records,
    signing: { mark: `(kit ${kit.name})`, since: kit.created },
    suffix: kit.name,
  })
  const objects = objectsOf(coming.map((each) => ({ ...each, before: each.base, now: each.row }))).length
  if (merged.conflicts.length === 0 && !options.isTrial) {
    options.keep?.(merged.decided)
    db.run(
      'update core_kit set pushed = ?, pushes = ?, last_seen = ?, cabinet_version = ? where id = ?',
      header.push,
      JSON.stringify([
        ...(JSON.parse(kit.pushes) as object[]).slice(1 - MaxPushes),
        { push: header.push, id: header.id },
      ]),
      now(),
      header.version,
      kit.id,
    )
  }
  return { ...merged, isKnown: false, objects }
}

/** Says of files of a push that they are too much. */
const bounded = (count: () => void): void => {
  try {
    count()
  } catch (error) {
    throw error instanceof FieldError ? new BundleError(error.message) : error
  }
}

/** Pushes whose ids are remembered. */
const MaxPushes = 10_000

/** Whether a push has come already. Throws `BundleError` where two copies of the kit push. */
function isTaken({ name, pushed, pushes }: KitRow, { push, id }: Header): boolean {
  if (push > pushed) return false
  if ((JSON.parse(pushes) as { id: string }[]).some((each) => each.id === id)) return true
  if (push < pushed)
    throw new BundleError(
      `A later push of the kit ${name} came before this one, and holds what it holds: it is not taken.`,
    )
  throw new BundleError(
    `Another copy of the kit ${name} has pushed already (its push ${pushed}): work on with that one, or clone anew.`,
  )
}

/**
 * A row of the kit; where both parted is what was sent with the last push that came. Secrets that it was not given are
 * as they are here.
 */
function comingOf(db: Connection, { t, i, r, b = {}, e = [], n }: RowLine, { pushed, with_secrets }: KitRow): Coming {
  const place = exchanged().get(t)!
  const known = Object.keys(b)
    .map(Number)
    .filter((push) => push <= pushed)
  const [base, given] = [rowOf(b[Math.max(...known)] ?? null), rowOf(r)]
  const row = given && !isLink(place) ? withDerived(place.m, given) : given
  const is = !with_secrets && !isLink(place) && base ? rowNow(db, t, i) : null
  if (is)
    for (const [name, blank] of Object.entries(secretColumns(place.m)))
      if (base![name] === blank) {
        if (row && row[name] === blank) row[name] = is[name] ?? null
        base![name] = is[name] ?? null
      }
  return { place, id: i, base, row, earlier: e.map((state) => rowOf(state)!), names: n }
}

/** A row that a kit made, whose clock may have been wrong: it is no older than the kit, and no later than now. */
function dated(coming: Coming, kit: KitRow, now: string): Coming {
  const { place, id, row } = coming
  const isMade = Math.floor(id / IdsOfOne) === kit.id && !isLink(place) && place.m.fields.created !== undefined
  const made = isMade ? row?.created : null
  if (typeof made !== 'string') return coming
  return { ...coming, row: { ...row, created: made > now ? now : made < kit.created ? kit.created : made } }
}

/**
 * What this side changed since the kit heard of it last; where the journal does not tell, of the rows that come alone.
 */
function changesSince(db: Connection, { step, time }: Header, coming: readonly Coming[]): Map<string, Since> {
  const found = new Map<string, Since>()
  if (isKnown(db, step, time))
    for (const [key, each] of changedSince(db, step)) if (exchanged().has(each.place.table)) found.set(key, each)
  const real = realChanges(found)
  for (const { place, id, base } of coming) {
    if (isLink(place)) continue
    const is = rowNow(db, place.table, id)
    const isSame = base && is ? !rowsDiffer(place.m, base, is) : !base && !is
    if (isSame)
      real.delete(`${place.table}:${id}`) // as the kit knows it, by whoever
    else real.set(`${place.table}:${id}`, { place, id, before: base, now: is })
  }
  return real
}

/** Notes that a kit was heard of, and what it knows. */
export const noteSeen = (db: Connection, kit: number, step: number, time: string, version: string): void =>
  void db.run(
    'update core_kit set last_seen = ?, step = ?, step_time = ?, cabinet_version = ? where id = ?',
    now(),
    step,
    time,
    version,
    kit,
  )
