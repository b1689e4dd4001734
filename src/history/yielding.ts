import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import { keyOf } from './draft.ts'
import type { Side } from './merge.ts'

/** Rows that give way in attempts to merge, and how: grows from one attempt to the next. */
export class Yielding {
  /** Values that rows get instead of theirs, or that they go, by `<table>:<id>`. */
  readonly rows = new Map<string, Row | 'gone'>()
  /** Rows of this side that stay as they are here. */
  readonly kept = new Set<string>()
  /** Cables of this side that go back to where they were. */
  readonly unplugged = new Set<string>()
  /** Whose rows those are that give way. */
  readonly #sides = new Map<string, Side>()
  /** Ways in which rows gave way, as texts: in attempts before, and in this one, where several may ask for the same. */
  #tried: ReadonlySet<string> = new Set()
  #trying = new Set<string>()

  /** What is tried again from now on was of no use. */
  nextAttempt(): void {
    this.#tried = new Set([...this.#tried, ...this.#trying])
    this.#trying = new Set()
  }

  /** The side whose row gives way; undefined where it does not. */
  sideOf(m: AnyModel, id: number): Side | undefined {
    return this.#sides.get(keyOf(m, id))
  }

  /** What a row gets instead of its values. */
  valuesOf(m: AnyModel, id: number): Row {
    const how = this.rows.get(keyOf(m, id))
    return how === undefined || how === 'gone' ? {} : how
  }

  /** Lets a row have other values, beside those that it has to have already. */
  change(m: AnyModel, id: number, values: Row): void {
    this.rows.set(keyOf(m, id), { ...this.valuesOf(m, id), ...values })
  }

  /** Lets a row give way, and answers how: what was of no use goes altogether. Undefined where it is gone already. */
  giveWay(m: AnyModel, id: number, how: Row | 'gone', side: Side): Row | 'gone' | undefined {
    const key = keyOf(m, id)
    if (this.rows.get(key) === 'gone') return undefined
    const tried = `${key} ${JSON.stringify(how)}`
    const isTried = this.#tried.has(tried) // maybe two ways in turn, of which the rules take neither
    this.#trying.add(tried)
    const way = isTried ? 'gone' : how
    if (way === 'gone') this.rows.set(key, way)
    else this.change(m, id, way)
    this.#sides.set(key, side)
    return way
  }

  /** A cable that cannot be where another is: a new one is not made, one that was there stays where it was. */
  unplug(owner: AnyModel, id: number, side: Side, isNew: boolean): boolean {
    const key = keyOf(owner, id)
    if (isNew) {
      if (this.rows.has(key)) return false
      this.rows.set(key, 'gone')
      return true
    }
    const set = side === 'theirs' ? this.kept : this.unplugged
    if (set.has(key)) return false
    set.add(key)
    return true
  }
}
