import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { defaultsOf } from '../store/insert.ts'
import type { Writing } from '../store/write.ts'
import type { Op } from './collisions.ts'
import { withColumns } from './custom-values.ts'
import type { OneSided } from './nearby.ts'
import { referencesIn, waysWithout } from './references.ts'
import { fieldOf } from './rival-texts.ts'
import { earlier } from './rivals.ts'
import { asWrittenOver, faultsOf, givenTo } from './rules.ts'
import { type Settled, SettleSteps } from './settle.ts'

class Tried extends Error {}

/** A row of which rules are asked; `before`: as it was before the merge; `there`: as the source of a kit has it. */
interface Asked {
  m: AnyModel
  id: number
  before: Row | null
  there?: Row | null
}
/** What a rule says of a row. */
export interface Refusal extends Asked {
  text: string
}
/** Whether a row is freed of what a rule says, and of what it, or another, would say instead. */
type Freed = 'no' | 'yes' | 'cleanly'
/** A change that a row is refused for, and its row without as much of it as is needed. */
export interface Blamed {
  change: OneSided
  without: Row | null
}

/** Tries what a rule would say of a row if others were not as they are. Nothing of it stays. */
export class Trials {
  readonly #w: Writing

  constructor(w: Writing) {
    this.#w = w
  }

  /** Whether a rule refuses a row, and does not any more without a change. `ops`: what is done to rows around. */
  isFreed(refusal: Refusal, ops: readonly Op[], { m: of, id: by, row, without }: OneSided): boolean {
    let isFreed = false
    this.#try(() => {
      this.#put(ops)
      if (!this.#isRefused(refusal)) return
      this.#put([{ m: of, id: by, before: row, after: without }])
      isFreed = !this.#isRefused(refusal)
    })
    return isFreed
  }

  /**
   * The first of some changes without which, or without a part of which, a rule does not refuse a row, and how its row
   * is then; undefined where it is refused all the same. `ops`: what is done to rows around.
   */
  blamed(refusal: Refusal, ops: readonly Op[], changes: readonly OneSided[]): Blamed | undefined {
    let found: Blamed | undefined
    this.#try(() => {
      this.#put(ops)
      if (!this.#isRefused(refusal)) return
      const known = this.#faults(refusal)
      for (const change of changes) {
        const without = this.#part(change, () => this.#freed(refusal, known))
        if (without !== undefined) found = { change, without }
        if (found) return
      }
    })
    return found
  }

  /**
   * The same of many rows and very many changes, of which the first ones are the likeliest: for each row the change
   * that is the last to be taken back until the rule says nothing any more. By halves, for all rows at once.
   */
  blamedAmong(
    refusals: readonly Refusal[],
    ops: readonly Op[],
    changes: readonly OneSided[],
  ): ReadonlyMap<Refusal, Blamed> {
    const found = new Map<Refusal, Blamed>()
    const isFree = (each: Refusal) => !this.#isRefused(each)
    /** Finds for rows that are freed without some changes which those are; `then`: for what stays without them. */
    const find = (
      rows: readonly Refusal[],
      among: readonly OneSided[],
      then?: (rest: readonly Refusal[]) => void,
    ): void => {
      let freed: Refusal[] = []
      this.#try(() => {
        this.#put(among.map(({ m, id, row, without }) => ({ m, id, before: row, after: without })))
        freed = rows.filter(isFree)
        if (then && freed.length < rows.length) then(rows.filter((each) => !freed.includes(each)))
      })
      if (freed.length) halve(freed, among)
    }
    const halve = (rows: readonly Refusal[], among: readonly OneSided[]): void => {
      if (among.length === 1) {
        const change = among[0]!
        for (const each of rows)
          found.set(each, { change, without: this.#part(change, () => this.#freed(each)) ?? change.without })
      } else {
        const [first, second] = [among.slice(0, among.length >> 1), among.slice(among.length >> 1)]
        find(rows, first, (rest) => halve(rest, second))
      }
    }
    this.#try(() => {
      this.#put(ops)
      const rows = refusals.filter(this.#isRefused)
      if (rows.length && changes.length) find(rows, changes)
    })
    return found
  }

  /**
   * As little of a change as has to be taken back, if it can be, so that rules find no other fault instead; undefined
   * where not even all of it is of use.
   */
  #part(change: OneSided, freed: () => Freed): Row | null | undefined {
    const { m, id, row } = change
    const tried = (without: Row | null): Freed => {
      let is: Freed = 'no'
      this.#try(() => {
        this.#put([{ m, id, before: row, after: without }])
        is = freed()
      })
      return is
    }
    const all = tried(change.without)
    if (all === 'no') return undefined
    const parts = partsOf(change)
    const clean = parts.find((part) => tried(part) === 'cleanly')
    return clean ?? (all === 'yes' ? parts.find((part) => tried(part) === 'yes') : undefined) ?? change.without
  }

  /** Whether a row is not refused any more; `known`: what rules said of it before. */
  #freed(refusal: Refusal, known: readonly string[] = []): Freed {
    const faults = this.#faults(refusal)
    if (faults.includes(refusal.text)) return 'no'
    return faults.every((text) => known.includes(text)) ? 'cleanly' : 'yes'
  }

  /** Whether a rule refuses a row also without a change of the row itself; a new one only since others changed. */
  standsWithout(refusal: Refusal, ops: readonly Op[], { row, without }: OneSided): boolean {
    const { m, id } = refusal
    let stands = false
    this.#try(() => {
      if (!without) {
        this.#put(ops.filter((op) => !op.before && op.after))
        stands = !this.#isRefused(refusal)
        return
      }
      this.#put(ops)
      if (!this.#isRefused(refusal)) return
      this.#put([{ m, id, before: row, after: without }])
      stands = this.#isRefused(refusal)
    })
    return stands
  }

  /** Whether a change of this side would be refused beside what is done to other rows, and was not without it. */
  isRefusedBeside({ m, id, without }: OneSided, ops: readonly Op[]): boolean {
    const asked = { m, id, before: without }
    const before = new Set(this.#faults(asked))
    let isRefused = false
    this.#try(() => {
      this.#put(ops)
      isRefused = this.#faults(asked).some((text) => !before.has(text))
    })
    return isRefused
  }

  /** Whether a rule refuses a row where it and others are as given. */
  isRefusedWith(refusal: Refusal, ops: readonly Settled[]): boolean {
    let isRefused = false
    this.#try(() => {
      this.#put(ops)
      isRefused = this.#isRefused(refusal)
    })
    return isRefused
  }

  /** Whether a row of this side is refused for something already. */
  wasRefused(m: AnyModel, id: number, text: string): boolean {
    return this.#isRefused({ m, id, before: null, text })
  }

  #isRefused = (refusal: Refusal): boolean => this.#faults(refusal).includes(refusal.text)

  #faults({ m, id, before, there }: Asked): string[] {
    const row = this.#w.row(m, id)
    if (!row) return []
    const as = (was: Row | null, isNew: boolean) => {
      const given = givenTo(this.#w.db, m, was, row, () => true)
      return faultsOf(this.#w, m, row, was, given, { isNew, mayDangle: true }).map(({ text }) => text)
    }
    const asPushed = there ? as(asWrittenOver(there, row), false) : []
    return [...as(before, false), ...(before ? [] : as(null, true)), ...asPushed]
  }

  /** Puts rows to a state, all at once as some may swap names; one that cannot be beside others stays as it is. */
  #put(ops: readonly Settled[]): void {
    this.#w.db.run('pragma defer_foreign_keys = on')
    const now = ops.map(({ m, id }) => this.#w.row(m, id))
    for (const { m, id } of ops) this.#w.db.run(`delete from ${q(m.table)} where id = ?`, id)
    for (const [i, { m, after }] of ops.entries())
      if (after && !this.#try(() => this.#store(m, after), true) && now[i])
        this.#try(() => this.#store(m, now[i]!), true)
    // Of what refers to a row that is not there in a trial something cannot be worked out.
    for (const step of SettleSteps) this.#try(() => step(this.#w, ops), true)
  }

  /** Does something of which nothing stays, unless it is to and can be done at all: whether it does. */
  #try(work: () => void, isToStay = false): boolean {
    try {
      this.#w.db.within(() => {
        work()
        if (!isToStay) throw new Tried()
      })
      return true
    } catch {
      this.#w.feed.drop()
      return false
    }
  }

  #store(m: AnyModel, row: Row): void {
    const all: Row = { ...defaultsOf(m), ...row }
    const names = Object.keys(all)
    this.#w.db.run(`delete from ${q(m.table)} where id = ?`, row.id)
    this.#w.db.run(
      `insert into ${q(m.table)} (${names.map(q).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      ...names.map((name) => all[name]),
    )
  }
}

/**
 * A row without one field of a change after the other, custom ones by name; a new row without one of these, or without
 * what it need not refer to or only what stands beside that.
 */
function partsOf({ m, row, without }: OneSided): Row[] {
  const loose = without ? [] : referencesIn(m, row).filter(({ isNullable }) => isNullable)
  const freed = loose.flatMap((each) => waysWithout(each, row)).map((way) => ({ ...row, ...way }))
  const back = earlier(m, row, without ?? { ...row, custom_field_data: '{}' })
  const fields = back === 'gone' ? [] : Map.groupBy(Object.entries(back), ([column]) => fieldOf(m, column)).values()
  return [...freed, ...[...fields].map((columns) => withColumns(row, Object.fromEntries(columns)))]
}
