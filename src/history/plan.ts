import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Field, Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { fieldsOf, genericPrefix, modelNamed, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { AccountTables } from '../store/actors.ts'
import type { Authorship } from '../store/changelog.ts'
import { fileFields } from '../store/uploads.ts'
import type { Writing } from '../store/write.ts'
import type { ChangeSet, RowChange } from './changes.ts'
import { hasEnds, type Judge, type Op, shared } from './collisions.ts'
import { type Difference, fieldsThatDiffer, isMark, without } from './merge.ts'

/** What is to be done to rows so that they are in another state; `applyPlan` does it. */
export interface Plan {
  /** Rows to be put to a state. */
  ops: readonly Op[]
  /** Rows to be deleted, with all that the model's rules do then. */
  doomed: ReadonlyMap<AnyModel, ReadonlySet<number>>
  /** Objects whose change records tell of it, by `<model>:<id>`. */
  objects: ReadonlyMap<string, { m: AnyModel; id: number }>
  /** The change records of an object from one snapshot to another, where others than the writer made the changes. */
  told?: (m: AnyModel, id: number, before: string | null, after: string) => readonly Told[]
  /**
   * Of a merge: what rules say of new rows only where they judge them as new, or only as old. The former may be of a
   * body that they have not, and by the latter they could be made, if not changed. So who merges asks whether it is of
   * something that stands here, and else has it ignored: by `<model>:<id> <text>`.
   */
  doubts?: { found: Map<string, Doubt>; ignored: ReadonlySet<string> }
  /** Of a merge: rows of this side that nothing is done to, which rules may refuse beside those that something is. */
  beside?: readonly { m: AnyModel; id: number }[]
  /** Of a merge at a kit: a row as the source has it, over which a push will write what it is here. */
  there?: (m: AnyModel, id: number) => Row | null
  /** A model whose rows go, and are put, before all others, since those hold values by its names: custom fields. */
  first?: AnyModel
  /** Who deleted an object, where that was another than the writer. */
  deleter?: (m: AnyModel, id: number) => Authorship | undefined
}

/** As what a rule judges a row that it has doubts about. */
export type Doubt = 'new' | 'old'

/** A change record to be written: who made the change, and the snapshots before and after it. */
export interface Told {
  by: Authorship
  before: string | null
  after: string
}

/** How changes are taken back. What collides is told to the judge. */
export function planReversal(w: Writing, set: ChangeSet, judge: Judge): Plan {
  const plan = new Reversal(w, judge, set)
  for (const change of set) plan.add(change)
  plan.checkReferences()
  return plan
}

class Reversal implements Plan {
  readonly #w: Writing
  readonly #judge: Judge
  readonly #set: ChangeSet
  readonly ops: Op[] = []
  readonly doomed = new Map<AnyModel, Set<number>>()
  readonly objects = new Map<string, { m: AnyModel; id: number }>()

  constructor(w: Writing, judge: Judge, set: ChangeSet) {
    this.#w = w
    this.#judge = judge
    this.#set = set
  }

  add(change: RowChange): void {
    const { place, id, touches, now } = change
    if (AccountTables.includes(place.table)) return
    const sharing = shared().get(place.table)
    if (place.links || sharing) {
      this.#planLink(change, sharing)
      return
    }
    const { m } = place
    if (this.#judge.isLeftOut(m, id)) return
    const first = touches[0]!
    const differences: Difference[] = []
    const isForced = (field: string | null) => this.#judge.isForced(m, id, field) || this.#isSum(m, id, field)
    const row = without(m, touches, now, isForced, differences)
    for (const each of differences)
      this.#judge.collide(
        m,
        id,
        {
          ...each,
          detail: each.kind === 'deleted' ? 'The object was deleted since.' : 'The field was changed by others since.',
        },
        touches.at(-1)!.before,
      )
    if (row) this.#checkFiles(m, id, now, row)
    this.#concern(m, id, now, row)
    if (now && !row) this.#doom(m, id)
    else if (row && (!now || fieldsThatDiffer(m, row, now).size || m.internal))
      this.ops.push({
        m,
        id,
        before: now,
        after: row,
        ...(first.before ? { was: { row: first.before, step: first.step } } : {}),
      })
    else if (row && now && touches.some(({ before, after }) => before && after))
      this.ops.push({ m, id, before: now, after: now }) // what it keeps of others may be another
  }

  /** A file that only an earlier state named may be gone from the uploads: whoever wants it without says so. */
  #checkFiles(m: AnyModel, id: number, now: Row | null, row: Row): void {
    for (const name of fileFields(m)) {
      const path = row[name]
      if (!path || path === now?.[name] || existsSync(join(this.#w.store.uploads, String(path)))) continue
      if (this.#judge.isLeftOut(m, id, name)) row[name] = now?.[name] ?? null
      else if (!this.#judge.isForced(m, id, name))
        this.#judge.collide(
          m,
          id,
          { kind: 'missing', field: name, wanted: path, detail: 'Its file is not there any more.' },
          row,
        )
    }
  }

  /** Whether a field will be a sum of rows that others made: it follows from these, whoever changed it. */
  #isSum(m: AnyModel, id: number, field: string | null): boolean {
    const { sum } = (field && (m.fields[field] as Field | undefined)) || {}
    if (!sum) return false
    const of = modelNamed(sum.model)
    const rows = this.#w.tools.rows(of, { [`${sum.by}_id`]: id }, { only: ['id'] })
    const made = this.#set.filter(({ place, touches }) => place.m === of && touches[0]!.before === null)
    return rows.some((row) => !made.some((each) => each.id === row.id))
  }

  #planLink(
    { place, id, touches, now }: RowChange,
    sharing: { type: string; from: string; to: string } | undefined,
  ): void {
    const first = touches[0]!
    const last = touches.at(-1)!
    const was = first.before
    const row = was ?? last.after ?? touches.find(({ after }) => after)?.after
    if (!row) return
    const key = sharing ? [sharing.type, sharing.from, sharing.to] : ['from_id', 'to_id']
    const owner = sharing ? models[row[sharing.type] as string] : place.m
    const from = row[key.at(-2)!] as number
    if (!owner || this.#judge.isLeftOut(owner, from)) return
    const field = place.links?.name ?? 'tags'
    if (this.#judge.isLeftOut(owner, from, field)) return
    this.#concern(owner, from, null, null)
    const m = { ...place.m, table: place.table, name: place.table } as AnyModel
    const present =
      this.#w.db.get<Row>(
        `select * from ${q(place.table)} where ${key.map((name) => `${q(name)} = +?`).join(' and ')}`,
        ...key.map((name) => row[name]),
      ) ?? null
    if (was && !present && !now) this.ops.push({ m, id, before: null, after: row, key })
    else if (!was && present) this.ops.push({ m, id: present.id as number, before: present, after: null, key })
  }

  #doom(m: AnyModel, id: number): void {
    this.doomed.set(m, (this.doomed.get(m) ?? new Set()).add(id))
  }

  #concern(m: AnyModel, id: number, now: Row | null, then: Row | null): void {
    noteConcerned(this.objects, m, id, now, then)
  }

  /** What rows will refer to must be there. */
  checkReferences(): void {
    const coming = new Set(this.ops.filter((op) => !op.key && op.after).map((op) => `${op.m.name}:${op.id}`))
    const isThere = (m: AnyModel, id: number): boolean =>
      coming.has(`${m.name}:${id}`) || (!this.doomed.get(m)?.has(id) && this.#w.row(m, id) !== undefined)
    const gone = (op: Op): boolean => {
      let isGone = false
      const miss = (field: string, column: string, target: string, to: number, nullable: boolean) => {
        isGone = true
        if (op.key) return
        if (nullable && this.#judge.isForced(op.m, op.id, field)) op.after![column] = null
        else if (nullable && this.#judge.isLeftOut(op.m, op.id, field)) op.after![column] = op.before?.[column] ?? null
        else
          this.#judge.collide(
            op.m,
            op.id,
            {
              kind: 'missing',
              field,
              wanted: to,
              detail: `It would refer to ${modelNamed(target).label} ${to}, which is not there.`,
            },
            op.after,
          )
      }
      for (const [name, field] of fieldsOf(op.m)) {
        const target = (field as Field).target
        const column = `${name}_id`
        const to = op.after![column] as number | null | undefined
        if (target && to != null && op.before?.[column] !== to && !isThere(modelNamed(target.model), to)) {
          if (isMark(op.m, column))
            unmarked(op) // what it follows from is worked out again
          else if (column.startsWith('_')) op.after![column] = null
          else miss(name, column, target.model, to, field.columns(name)[column]?.null === true)
        }
        if (field.generic && field.generic.onDelete === 'cascade') {
          const as = genericPrefix(field, name)
          const [type, object] = [op.after![`${as}_type`] as string | null, op.after![`${as}_id`] as number | null]
          if (type && object && models[type] && op.before?.[`${as}_id`] !== object && !isThere(models[type], object))
            miss(name, `${as}_id`, type, object, false)
        }
      }
      return isGone
    }
    const dropped = this.ops.filter(
      (op) => op.after && !op.key && gone(op) && op.m.changeLogged === false && !op.m.path,
    )
    for (const op of dropped) this.ops.splice(this.ops.indexOf(op), 1)
    for (const op of this.ops.filter((each) => each.key && each.after))
      if (!hasEnds(op, isThere)) this.ops.splice(this.ops.indexOf(op), 1)
  }
}

/** Leaves a row that comes back without what others mark on it: the cable that ended there is none of what comes. */
function unmarked({ m, after }: Op): void {
  for (const column of Object.keys(after!)) if (isMark(m, column)) after![column] = null
}

/** Notes an object whose records may tell of a change; also those to which rows without records belong. */
export function noteConcerned(
  objects: Map<string, { m: AnyModel; id: number }>,
  m: AnyModel,
  id: number,
  now: Row | null,
  then: Row | null,
): void {
  if (m.changeLogged !== false) objects.set(`${m.name}:${id}`, { m, id })
  for (const [name, { target }] of fieldsOf(m)) {
    if (target?.onDelete !== 'cascade') continue
    const owner = modelNamed(target.model)
    if (owner.changeLogged === false || !(m.internal || owner.fields.a_terminations)) continue
    for (const row of [now, then]) {
      const of = row?.[`${name}_id`] as number | null | undefined
      if (of) objects.set(`${owner.name}:${of}`, { m: owner, id: of })
    }
  }
}
