import type { Row } from '../fields/field.ts'
import type { Since } from './changes.ts'
import type { Coming, Decide, Decided } from './coming.ts'
import type { NewMembers } from './links.ts'
import type { Names } from './names.ts'

/** How a row of this side or a coming one gives way: columns that it gets, or that it goes. */
type Yielding = ReadonlyMap<string, Row | 'gone'>

/** What is known before a merge is planned, and decisions that grow while it is. */
export interface MergeInput {
  coming: readonly Coming[]
  /** Rows that this side changed since both parted, by `<table>:<id>`. */
  here: ReadonlyMap<string, Since>
  decide: Decide
  yielding: Yielding
  /**
   * Objects that stay although the other side deleted them, and cables whose ends stay as they are here, by
   * `<table>:<id>`.
   */
  kept: ReadonlySet<string>
  /** Cables whose ends are put back to what they were where both parted. */
  unplugged: ReadonlySet<string>
  /** What rules say of new rows, and is of nothing that stands here. */
  ignored: ReadonlySet<string>
  /** What both sides gave to objects. */
  members: NewMembers
  names: Names
  /** Gets what was decided, by what decisions name it by and what it is. */
  settled: Map<string, Decided>
  /** Whether the other side is the source of this one. */
  isOfSource?: boolean
}
