import { randomUUID } from 'node:crypto'
import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Errors } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { deleteRows } from '../store/cascade.ts'
import { record, snapshot } from '../store/changelog.ts'
import { checkUnique } from '../store/unique.ts'
import type { Writing } from '../store/write.ts'
import { type Judge, linked, type Op } from './collisions.ts'
import type { Plan } from './plan.ts'
import { checkRules } from './plan-rules.ts'
import { keyOf } from './draft.ts'
import { Following } from './following.ts'
import { ownerOfEnd, ownersOf, referencesIn } from './references.ts'
import { Putting } from './putting.ts'
import { Removing } from './removing.ts'
import { customDataToday } from './rules.ts'
import { Displaced, follow, settle, type Settled, unmark } from './settle.ts'

/**
 * Puts rows to the states that a plan wants, as one ordinary write: permissions, rules, change records, and what
 * depends on the rows. Throws `Collided` where that cannot be, `Refused` for what the actor may not do; the caller's
 * savepoint takes back what was done.
 */
export const applyPlan = (w: Writing, plan: Plan, judge: Judge): void => new Applying(w, plan, judge).run()

/** Rows of models; links are none. */
const rowsOf = (ops: readonly Op[]): Op[] => ops.filter(({ key }) => key === undefined)

class Applying {
  readonly #w: Writing
  readonly #plan: Plan
  readonly #judge: Judge
  readonly #putting: Putting
  readonly #removing: Removing
  readonly #following: Following
  readonly #recorder: Pick<Writing, 'db' | 'feed'>
  /** Rows, by their keys, that are there before what they refer to: they are settled, followed and told of after it. */
  #early: ReadonlySet<string> = new Set()
  /** The objects of the plan, with their last snapshots. */
  readonly #objects: { m: AnyModel; id: number; last: string | null }[]

  constructor(w: Writing, plan: Plan, judge: Judge) {
    this.#w = w
    this.#plan = plan
    this.#judge = judge
    this.#putting = new Putting(w)
    this.#removing = new Removing(w, plan, judge)
    this.#following = new Following(w, judge, plan.ops, (m, id) => this.#removing.goes(m, id))
    this.#recorder = { db: w.db, feed: w.feed }
    this.#objects = [...plan.objects.values()].map((object) => ({ ...object, last: null }))
  }

  run(): void {
    this.#demandBefore()
    this.#judge.stop()
    const removed = [...this.#plan.doomed].flatMap(([m, ids]) =>
      [...ids].map((id): Settled => ({ m, id, before: this.#w.row(m, id) ?? null, after: null })),
    )
    this.#w.db.run('pragma defer_foreign_keys = on')
    const followed = this.#putFirst()
    let waiting = this.#plan.ops.filter((op) => !followed.has(op))
    for (let round = 0; round < 3 && (waiting.length || round === 0); round++) {
      this.#lookAt()
      waiting = this.#putting.all(waiting)
      this.#removing.waitFor(waiting)
      this.#w.db.run('pragma defer_foreign_keys = on')
      this.#early = this.#referringTo(waiting)
      const isWaiting = new Set(waiting)
      const done = this.#plan.ops.filter((op) => !isWaiting.has(op) && !this.#early.has(keyOf(op.m, op.id)))
      this.#renameCustom(done)
      this.#settle(rowsOf(done))
      this.#tell()
      this.#removing.loose()
      this.#following.all(done.filter((op) => !followed.has(op)))
      for (const op of done) followed.add(op)
      unmark(this.#w, this.#plan.doomed)
      if (round === 0) this.#removing.check()
      this.#judge.stop()
      if (!this.#removing.all() && round > 0) break
    }
    for (const op of waiting) this.#taken(op)
    this.#judge.stop()
    this.#lookAt()
    this.#settle([...rowsOf(this.#plan.ops), ...removed])
    this.#tell()
    checkRules(this.#w, this.#plan, this.#judge)
    this.#judge.stop()
    this.#demandAfter()
  }

  /**
   * Deletes and puts rows of the model that comes before all others, one by one, each with what its rules do then: its
   * names may be free only once others gave them up. Answers what was put.
   */
  #putFirst(): Set<Op> {
    const done = new Set<Op>()
    const { first, ops, doomed } = this.#plan
    if (!first) return done
    let left = ops.filter(({ m, after }) => m === first && after)
    const ids = [...(doomed.get(first) ?? [])].filter((id) => this.#w.row(first, id))
    if (left.length + ids.length === 0) return done
    this.#lookAt()
    for (const id of ids) deleteRows(this.#removing.writingOf(first, id), first, [id])
    const aside = new Map<Op, Row>()
    const put = (op: Op, after = op.after): boolean => {
      const step = { ...op, before: aside.get(op) ?? op.before, after }
      const isPut = this.#putting.one(step)
      if (isPut) follow(this.#w, step)
      return isPut
    }
    for (let isMoving = true; left.length && isMoving; ) {
      const stuck = left.length
      left = left.filter((op) => !put(op) || !done.add(op))
      isMoving = left.length < stuck
      const next = isMoving ? undefined : left.find((op) => op.before && !aside.has(op))
      if (!next) continue
      const elsewhere = { ...next.before, name: `aside_${next.id}_${randomUUID()}` } // some swap names
      isMoving = put(next, elsewhere)
      aside.set(next, elsewhere)
    }
    this.#settle([...done])
    this.#tell(first)
    this.#w.db.run('pragma defer_foreign_keys = on')
    return done
  }

  #taken({ m, id, after, key }: Op): void {
    if (key || !after) return
    const errors: Errors = {}
    checkUnique(this.#w.db, m, after, undefined, errors)
    const texts = Object.values(errors).flat().map(String)
    this.#judge.collide(
      m,
      id,
      {
        kind: 'taken',
        field: Object.keys(errors)[0] ?? null,
        detail: texts[0] ?? 'Another object has taken its place.',
      },
      after,
    )
  }

  /** Works out again what depends on some rows; one that would have the place of another then is told of as taken. */
  #settle(rows: readonly Settled[]): void {
    try {
      settle(this.#w, rows)
    } catch (error) {
      if (!(error instanceof Displaced)) throw error
      const { m, row } = error
      const op = this.#plan.ops.find((each) => each.m === m && each.id === row.id)
      if (op?.after) Object.assign(op.after, row)
      this.#taken({ m, id: row.id as number, before: null, after: row })
      this.#judge.stop()
    }
  }

  /** Rows of the plan, by their keys, that refer to what waits, or to others of them: rules would look for that. */
  #referringTo(waiting: readonly Op[]): Set<string> {
    const found = new Set<string>()
    const missing = new Set(rowsOf(waiting).flatMap(({ m, id, before }) => (before ? [] : [keyOf(m, id)])))
    const refers = ({ m, id, after }: Op) =>
      !missing.has(keyOf(m, id)) && referencesIn(m, after!).some((each) => missing.has(keyOf(each.to, each.id)))
    const others = missing.size ? rowsOf(this.#plan.ops).filter(({ after }) => after) : []
    for (let more = others.filter(refers); more.length; more = others.filter(refers))
      for (const { m, id } of more) for (const each of [missing, found]) each.add(keyOf(m, id))
    return found
  }

  /** Remembers how the objects are, before something is done to them. */
  #lookAt(): void {
    for (const object of this.#objects) {
      if (this.#early.has(keyOf(object.m, object.id))) continue
      const row = this.#w.row(object.m, object.id)
      object.last = row ? snapshot(this.#w.db, object.m, row) : null
    }
  }

  /** Records what became of them, or of those of one model. */
  #tell(only?: AnyModel): void {
    for (const object of this.#objects) {
      const { m, id, last } = object
      if ((only && m !== only) || this.#early.has(keyOf(m, id))) continue
      const row = this.#w.row(m, id)
      if (!row) continue
      const is = snapshot(this.#w.db, m, row)
      const told =
        last === is ? [] : (this.#plan.told?.(m, id, last, is) ?? [{ by: this.#w.by, before: last, after: is }])
      for (const { by, before, after } of told)
        record(
          { ...this.#recorder, by },
          m,
          row,
          this.#w.display(m, id),
          before === null ? 'create' : 'update',
          before,
          after,
        )
      object.last = is
    }
  }

  /** Values of custom fields that were renamed or deleted since go with them. */
  #renameCustom(ops: readonly Op[]): void {
    for (const { m, id, before, after, key } of ops) {
      if (key || !after || !m.fields.custom_fields || before === after) continue
      const row = this.#w.row(m, id)
      const text = row && customDataToday(this.#w, m, row.custom_field_data as string)
      if (row && text !== row.custom_field_data)
        this.#w.db.run(`update ${q(m.table)} set custom_field_data = ? where id = ?`, text, id)
    }
  }

  #demandBefore(): void {
    for (const [m, ids] of this.#plan.doomed) for (const id of ids) this.#demandOn('delete', m, id, this.#w.row(m, id))
    for (const op of this.#plan.ops)
      if (!op.key && op.before && op.after !== op.before) this.#demandOn('change', op.m, op.id, op.before)
    this.#relinked = linked(this.#plan.ops).filter(({ m, id }) => this.#w.row(m, id))
    for (const { m, id } of this.#relinked) this.#judge.demandOn('change', m, id)
  }
  /** Objects that were there before, and get other links or tags: these may be what a permission asks for. */
  #relinked: readonly { m: AnyModel; id: number }[] = []

  #demandAfter(): void {
    for (const op of this.#plan.ops)
      if (!op.key && op.after && op.after !== op.before)
        this.#demandOn(op.before ? 'change' : 'add', op.m, op.id, op.after)
    for (const { m, id } of this.#relinked) if (this.#w.row(m, id)) this.#judge.demandOn('change', m, id)
  }

  /** What clients do not write by itself is a part of something: ends of a cable, whose change they are. */
  #demandOn(action: string, m: AnyModel, id: number, row: Row | null | undefined): void {
    if (!m.internal && !m.methods) this.#judge.demandOn(action, m, id)
    const end = ownerOfEnd(m)
    const owner = end && (row?.[`${end.field}_id`] as number | null | undefined)
    if (end && owner && this.#w.row(end.owner, owner)) this.#judge.demandOn('change', end.owner, owner)
    const owners = ownersOf(m).flatMap((each) => {
      const of = row?.[`${each.field}_id`] as number | null | undefined
      return of && this.#w.row(each.owner, of) ? [{ m: each.owner, id: of }] : []
    })
    const isOf = (each: { m: AnyModel; id: number }) =>
      this.#isChanged(each.m, each.id) || this.#judge.isAllowed('change', each.m, each.id)
    if (owners[0] && !owners.some(isOf)) this.#judge.demandOn('change', owners[0].m, owners[0].id)
  }

  /** Whether the plan does something to a row, for which it takes a permission of its own. */
  #isChanged(m: AnyModel, id: number): boolean {
    this.#changed ??= new Set(
      rowsOf(this.#plan.ops).flatMap((op) => (op.after === op.before ? [] : [keyOf(op.m, op.id)])),
    )
    return this.#changed.has(keyOf(m, id)) || this.#removing.goes(m, id)
  }
  #changed: ReadonlySet<string> | undefined
}
