import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Judge } from './collisions.ts'
import { rowsDiffer } from './merge.ts'
import type { Plan } from './plan.ts'
import { asWrittenOver, faultsOf, givenTo, wasSo } from './rules.ts'

/** Has the rules of an ordinary write judge the rows of a plan as they are now. */
export const checkRules = (w: Writing, plan: Plan, judge: Judge): void => new PlanRules(w, plan, judge).check()

class PlanRules {
  readonly #w: Writing
  readonly #plan: Plan
  readonly #judge: Judge
  /** Rows whose links the plan changes, by the table of these and their id: `dcim_interface_vdcs:7`. */
  readonly #relinked: ReadonlySet<string>
  readonly #said = new Set<string>()

  constructor(w: Writing, plan: Plan, judge: Judge) {
    this.#w = w
    this.#plan = plan
    this.#judge = judge
    this.#relinked = new Set(plan.ops.map(({ m, after, before }) => `${m.table}:${(after ?? before)!.from_id}`))
  }

  check(): void {
    const mayDangle = this.#plan.doubts !== undefined // in a merge what custom fields refer to is asked about before
    for (const { m, id, before, after, key, was } of this.#plan.ops) {
      if (key || m.internal || before === after) continue
      const row = this.#w.row(m, id)
      if (!row) continue
      const given = this.#given(m, id, before, row)
      const { doubts } = this.#plan
      const faults = faultsOf(this.#w, m, row, before, given, { mayDangle })
      if (!before && doubts) {
        const asNew = faultsOf(this.#w, m, row, null, this.#given(m, id, null, row), { isNew: true, mayDangle })
        for (const { field, text } of [...faults, ...asNew]) {
          const [isOfOld, isOfNew] = [faults, asNew].map((all) => all.some((each) => each.text === text))
          if (!isOfOld || !isOfNew) doubts.found.set(`${m.name}:${id} ${text}`, isOfNew ? 'new' : 'old')
          this.#refuse(m, id, field, text)
        }
      } else
        for (const { field, text, read } of faults)
          if (!wasSo(this.#w.db, m, row, was, read)) this.#refuse(m, id, field, text)
    }
    for (const { m, id } of this.#plan.beside ?? []) {
      const row = this.#w.row(m, id)
      for (const { field, text } of row ? faultsOf(this.#w, m, row, null, {}, { mayDangle }) : [])
        this.#refuse(m, id, field, text)
    }
    for (const { m, id } of [...this.#plan.ops.filter((op) => !op.key), ...(this.#plan.beside ?? [])])
      this.#asPushed(m, id)
  }

  /** What the source will say of a row when it is pushed: rules may look at what it is there now. */
  #asPushed(m: AnyModel, id: number): void {
    const there = this.#plan.there?.(m, id)
    const row = there && !m.internal ? this.#w.row(m, id) : undefined
    if (!row || !rowsDiffer(m, row, there!)) return
    const given = this.#given(m, id, there!, row)
    for (const { field, text } of faultsOf(this.#w, m, row, asWrittenOver(there!, row), given, { mayDangle: true }))
      this.#refuse(m, id, field, text)
  }

  #refuse(m: AnyModel, id: number, field: string | null, text: string): void {
    const said = `${m.name}:${id} ${text}`
    if (this.#said.has(said) || this.#plan.doubts?.ignored.has(said)) return
    this.#said.add(said)
    this.#judge.collide(m, id, { kind: 'refused', field, detail: text })
  }

  /** What is given to a row: new references, and members of rows that came back or whose links were changed. */
  #given(m: AnyModel, id: number, before: Row | null, row: Row): Record<string, unknown> {
    const isGiven = (name: string) => !before || this.#relinked.has(`${m.table}_${name}:${id}`)
    return givenTo(this.#w.db, m, before, row, isGiven)
  }
}
