import type { Field, Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { type Errors, Refused } from '../declare/behaviour.ts'
import { fieldsOf, genericPrefix, modelNamed, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { AccountTables } from '../store/actors.ts'
import { consequencesOf, deleteRows } from '../store/cascade.ts'
import { record, snapshot } from '../store/changelog.ts'
import { checkUnique } from '../store/unique.ts'
import { defaultsOf, type Writing } from '../store/write.ts'
import { Derived } from '../services/dangling.ts'
import type { ChangeSet, RowChange } from './changes.ts'
import { type Difference, fieldsThatDiffer, isMark, without } from './merge.ts'
import {
  Collided,
  type Collision,
  hasEnds,
  linked,
  MostShown,
  names,
  type Op,
  shared,
  type Wishes,
} from './collisions.ts'
import { eventOf, follow, settle, type Settled } from './settle.ts'

/** Takes changes back as one write. Throws `Collided` where others changed the same since, `Refused` for what the actor may not do. */
export class Reversal {
  readonly #w: Writing
  readonly #force: ReadonlySet<string>
  readonly #leaveOut: ReadonlySet<string>
  readonly #collisions: Collision[] = []
  readonly #ops: Op[] = []
  readonly #doomed = new Map<AnyModel, Set<number>>()
  /** Objects whose change records tell of the reversal, with their last snapshot. */
  readonly #objects = new Map<string, { m: AnyModel; id: number; last: string | null }>()

  constructor(w: Writing, wishes: Wishes) {
    this.#w = w
    this.#force = new Set(wishes.force)
    this.#leaveOut = new Set(wishes.leaveOut)
  }

  run(set: ChangeSet): void {
    for (const change of set) this.#plan(change)
    this.#demandBefore()
    this.#checkReferences()
    this.#stopIfCollided()
    const removed = [...this.#doomed].flatMap(([m, ids]) =>
      [...ids].map((id): Settled => ({ m, id, before: this.#w.row(m, id) ?? null, after: null })),
    )
    this.#w.db.run('pragma defer_foreign_keys = on')
    let waiting = this.#ops
    const followed = new Set<Op>()
    for (let round = 0; round < 3 && (waiting.length || round === 0); round++) {
      this.#lookAt()
      waiting = this.#put(waiting)
      this.#w.db.run('pragma defer_foreign_keys = on')
      const done = this.#ops.filter((op) => !waiting.includes(op))
      settle(this.#w, done)
      this.#tell()
      follow(
        this.#w,
        done.filter((op) => !followed.has(op)),
      )
      for (const op of done) followed.add(op)
      if (round === 0) this.#checkDoomed()
      this.#stopIfCollided()
      if (!this.#remove() && round > 0) break
    }
    for (const op of waiting) this.#taken(op)
    this.#stopIfCollided()
    this.#lookAt()
    settle(this.#w, [...this.#ops, ...removed])
    this.#tell()
    this.#checkRules()
    this.#stopIfCollided()
    this.#demandAfter()
  }

  #isForced(m: AnyModel, id: number, field: string | null): boolean {
    return names(m, id, field).some((name) => this.#force.has(name))
  }

  #isLeftOut(m: AnyModel, id: number, field: string | null = null): boolean {
    return names(m, id, field).some((name) => this.#leaveOut.has(name))
  }

  #collide(
    m: AnyModel,
    id: number,
    more: Partial<Collision> & Pick<Collision, 'kind' | 'detail'>,
    row?: Row | null,
  ): void {
    if (more.kind === 'changed' && this.#isLeftOut(m, id, more.field ?? null)) return
    const isThere = this.#w.row(m, id) !== undefined
    if (isThere && !m.internal) this.#demandOn('change', m, id)
    else if (!m.internal && !this.#w.tools.may('add', m.name))
      throw new Refused(403, { detail: 'You do not have permission to perform this action.' })
    const object = isThere ? this.#w.display(m, id) : String(row?.name ?? row?.display ?? `${m.label} ${id}`)
    this.#collisions.push({
      object_type: m.name,
      object_id: id,
      object,
      field: null,
      wanted: null,
      left: null,
      now: null,
      ...more,
    })
  }

  #stopIfCollided(): void {
    if (this.#collisions.length) throw new Collided(this.#collisions)
  }

  #plan(change: RowChange): void {
    const { place, id, touches, now } = change
    if (AccountTables.includes(place.table)) return
    const sharing = shared().get(place.table)
    if (place.links || sharing) {
      this.#planLink(change, sharing)
      return
    }
    const { m } = place
    if (this.#isLeftOut(m, id)) return
    const differences: Difference[] = []
    const row = without(m, touches, now, (field) => this.#isForced(m, id, field), differences)
    for (const each of differences)
      this.#collide(
        m,
        id,
        {
          ...each,
          detail: each.kind === 'deleted' ? 'The object was deleted since.' : 'The field was changed by others since.',
        },
        touches.at(-1)!.before,
      )
    this.#concern(m, id, now, row)
    if (now && !row) this.#doom(m, id)
    else if (row && (!now || fieldsThatDiffer(m, row, now).size || m.internal))
      this.#ops.push({ m, id, before: now, after: row })
    else if (row && now && touches.some(({ before, after }) => before && after))
      this.#ops.push({ m, id, before: now, after: now }) // what it keeps of others may be another
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
    if (!owner || this.#isLeftOut(owner, from)) return
    const field = place.links?.name ?? 'tags'
    if (this.#isLeftOut(owner, from, field)) return
    this.#concern(owner, from, null, null)
    const m = { ...place.m, table: place.table, name: place.table } as AnyModel
    const present =
      this.#w.db.get<Row>(
        `select * from ${q(place.table)} where ${key.map((name) => `${q(name)} = +?`).join(' and ')}`,
        ...key.map((name) => row[name]),
      ) ?? null
    if (was && !present && !now) this.#ops.push({ m, id, before: null, after: row, key })
    else if (!was && present) this.#ops.push({ m, id: present.id as number, before: present, after: null, key })
  }

  #doom(m: AnyModel, id: number): void {
    this.#doomed.set(m, (this.#doomed.get(m) ?? new Set()).add(id))
  }

  /** Remembers an object whose records may tell of the reversal; also those to which rows without records belong. */
  #concern(m: AnyModel, id: number, now: Row | null, then: Row | null): void {
    if (m.changeLogged !== false) this.#objects.set(`${m.name}:${id}`, { m, id, last: null })
    for (const [name, { target }] of fieldsOf(m))
      if (target?.onDelete === 'cascade' && (m.internal || modelNamed(target.model).fields.a_terminations))
        for (const row of [now, then])
          if (row?.[`${name}_id`]) {
            const owner = modelNamed(target.model)
            if (owner.changeLogged !== false)
              this.#objects.set(`${owner.name}:${row[`${name}_id`]}`, {
                m: owner,
                id: row[`${name}_id`] as number,
                last: null,
              })
          }
  }

  /** What rows will refer to must be there. */
  #checkReferences(): void {
    const coming = new Set(this.#ops.filter((op) => !op.key && op.after).map((op) => `${op.m.name}:${op.id}`))
    const isThere = (m: AnyModel, id: number): boolean =>
      coming.has(`${m.name}:${id}`) || (!this.#doomed.get(m)?.has(id) && this.#w.row(m, id) !== undefined)
    const gone = (op: Op): boolean => {
      let isGone = false
      const miss = (field: string, column: string, target: string, to: number, nullable: boolean) => {
        isGone = true
        if (op.key) return
        if (nullable && this.#isForced(op.m, op.id, field)) op.after![column] = null
        else if (nullable && this.#isLeftOut(op.m, op.id, field)) op.after![column] = op.before?.[column] ?? null
        else
          this.#collide(
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
          if (column.startsWith('_')) op.after![column] = null
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
    const dropped = this.#ops.filter(
      (op) => op.after && !op.key && gone(op) && op.m.changeLogged === false && !op.m.path,
    )
    for (const op of dropped) this.#ops.splice(this.#ops.indexOf(op), 1)
    for (const op of this.#ops.filter((each) => each.key && each.after))
      if (!hasEnds(op, isThere)) this.#ops.splice(this.#ops.indexOf(op), 1)
  }

  /** Deleting what was created must take nothing along that came since; asked once rows that stay are as they were. */
  #checkDoomed(): void {
    for (const [m, ids] of this.#doomed) {
      const { goes, nulls } = consequencesOf(this.#w.db, m, [...ids])
      if ([...ids].every((id) => this.#isForced(m, id, null))) continue
      const others = [...goes].flatMap(([of, list]) =>
        of.changeLogged === false || of.internal || Derived.has(of.table) || shared().has(of.table)
          ? []
          : list.filter((id) => !this.#doomed.get(of)?.has(id)).map((id) => ({ of, id })),
      )
      for (const { of, id } of others.slice(0, 50))
        this.#collide(m, [...ids][0]!, {
          kind: 'referenced',
          detail: `${of.label} ${this.#w.display(of, id)} (${id}) depends on it and would go with it.`,
        })
      for (const { m: of, id, column } of nulls) {
        if (column.startsWith('_') || this.#doomed.get(of)?.has(id) || isMark(of, column)) continue
        this.#collide(m, [...ids][0]!, {
          kind: 'referenced',
          detail: `${of.label} ${this.#w.display(of, id)} (${id}) refers to it now.`,
        })
        if (this.#collisions.length >= MostShown) return
      }
    }
  }

  /** Puts rows where they were; answers those that something else stands in the way of. */
  #put(ops: readonly Op[]): Op[] {
    let left = [...ops]
    for (let before = Number.POSITIVE_INFINITY; left.length && left.length < before; ) {
      before = left.length
      left = left.filter((op) => !this.#putOne(op))
    }
    return left
  }

  #putOne({ m, id, before, after, key }: Op): boolean {
    const { db } = this.#w
    try {
      if (!after) db.run(`delete from ${q(m.table)} where id = ?`, id)
      else if (!before) {
        const row: Row = key ? { ...after } : { ...defaultsOf(m), ...after, id }
        if (m.fields.last_updated && !key) row.last_updated = this.#w.by.now
        const columns = Object.keys(row).filter((name) => name === 'id' || this.#columns(m.table).has(name))
        db.run(
          `insert into ${q(m.table)} (${columns.map(q).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
          ...columns.map((name) => row[name]),
        )
      } else {
        const changed = Object.keys(after).filter((name) => after[name] !== before[name] && name in before)
        if (changed.length === 0) return true
        if (m.fields.last_updated) after.last_updated = this.#w.by.now
        const columns = m.fields.last_updated ? [...new Set([...changed, 'last_updated'])] : changed
        db.run(
          `update ${q(m.table)} set ${columns.map((name) => `${q(name)} = ?`).join(', ')} where id = ?`,
          ...columns.map((name) => after[name]),
          id,
        )
      }
      return true
    } catch (error) {
      if (!/UNIQUE|PRIMARYKEY/.test(String((error as { code?: string }).code))) throw error
      return false
    }
  }

  readonly #columnsOf = new Map<string, ReadonlySet<string>>()
  #columns(table: string): ReadonlySet<string> {
    const known = this.#columnsOf.get(table)
    if (known) return known
    const columns = new Set(
      this.#w.db.all<{ name: string }>('select name from pragma_table_info(?)', table).map(({ name }) => name),
    )
    this.#columnsOf.set(table, columns)
    return columns
  }

  #taken({ m, id, after, key }: Op): void {
    if (key || !after) return
    const errors: Errors = {}
    checkUnique(this.#w.db, m, after, undefined, errors)
    const texts = Object.values(errors).flat().map(String)
    this.#collide(
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

  /** Removes what had been created; answers whether something went. */
  #remove(): boolean {
    let isAny = false
    let left = [...this.#doomed].flatMap(([m, ids]) => [...ids].map((id) => ({ m, id })))
    left.reverse() // children, as a rule, were made after what they belong to
    for (let before = Number.POSITIVE_INFINITY; left.length && left.length < before; ) {
      before = left.length
      left = left.filter(({ m, id }) => {
        if (!this.#w.row(m, id)) return false
        try {
          this.#w.db.within(() => deleteRows(this.#w, m, [id]))
          isAny = true
          return false
        } catch (error) {
          if (error instanceof Refused && error.status === 409) return true
          throw error
        }
      })
    }
    for (const { m, id } of left)
      this.#collide(m, id, {
        kind: 'referenced',
        detail: 'Other objects depend on it now, so that it cannot be deleted.',
      })
    return isAny
  }

  /** Remembers how the objects are, before something is done to them. */
  #lookAt(): void {
    for (const object of this.#objects.values()) {
      const row = this.#w.row(object.m, object.id)
      object.last = row ? snapshot(this.#w.db, object.m, row) : null
    }
  }

  /** Records what became of them. */
  #tell(): void {
    for (const object of this.#objects.values()) {
      const { m, id, last } = object
      const row = this.#w.row(m, id)
      if (!row) continue
      const is = snapshot(this.#w.db, m, row)
      record(this.#w, m, row, this.#w.display(m, id), last === null ? 'create' : 'update', last, is)
      object.last = is
    }
  }

  /** The rules of each model, of rows as they are now. */
  #checkRules(): void {
    for (const { m, id, before, after, key } of this.#ops) {
      if (key || m.internal || before === after) continue
      const row = this.#w.row(m, id)
      if (!row) continue
      const event = eventOf(this.#w, { ...row }, before ?? { ...row }, this.#given(m, id, before, row))
      try {
        m.behaviour.validate?.(event)
        checkUnique(this.#w.db, m, row, before ?? undefined, event.errors)
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 400) throw error
        Object.assign(event.errors, error.body as Errors)
      }
      for (const [field, texts] of Object.entries(event.errors))
        this.#collide(m, id, {
          kind: 'refused',
          field: field === '__all__' ? null : field,
          detail: [texts].flat().map(String).join(' '),
        })
    }
  }

  /** Many-to-many members, of rows that came back or whose links were changed. */
  #given(m: AnyModel, id: number, before: Row | null, row: Row): Record<string, unknown> {
    const given: Record<string, unknown> = {}
    for (const [name, { links, target }] of fieldsOf(m)) {
      if (target && before && before[`${name}_id`] !== row[`${name}_id`]) given[name] = row[`${name}_id`]
      const table = `${m.table}_${name}`
      if (!links || links.via) continue
      if (before && !this.#ops.some((op) => op.m.table === table && (op.after ?? op.before)!.from_id === id)) continue
      given[name] = this.#w.db
        .all<{ to_id: number }>(`select to_id from ${q(table)} where from_id = +?`, id)
        .map(({ to_id }) => to_id)
    }
    return given
  }

  #demandOn(action: string, m: AnyModel, id: number): void {
    const { tools, actor } = this.#w
    if (actor.superuser || tools.mayOn(action, m.name, id)) return
    const what = tools.mayOn('view', m.name, id)
      ? ` It takes the permission to ${action} ${m.label} ${this.#w.display(m, id)}.`
      : ''
    throw new Refused(403, { detail: `You do not have permission to perform this action.${what}` })
  }

  #demandBefore(): void {
    for (const [m, ids] of this.#doomed)
      if (m.changeLogged !== false) for (const id of ids) this.#demandOn('delete', m, id)
    for (const op of this.#ops)
      if (!op.key && op.before && op.m.changeLogged !== false && op.after !== op.before)
        this.#demandOn('change', op.m, op.id)
    for (const { m, id } of linked(this.#ops)) if (this.#w.row(m, id)) this.#demandOn('change', m, id)
  }

  #demandAfter(): void {
    for (const op of this.#ops)
      if (!op.key && op.m.changeLogged !== false && op.after !== op.before)
        this.#demandOn(op.before ? 'change' : 'add', op.m, op.id)
  }
}
