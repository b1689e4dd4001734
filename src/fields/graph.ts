import type { Choices } from './choice.ts'

/**
 * How GraphQL shows a field's own value, and how its filters compare it. References and lists of objects follow from
 * `target`, `links` and their like.
 */
export interface Graph {
  /** Type of the member, as the schema says it: `String!`. Absent: it has no member of its own. */
  readonly type?: string
  /**
   * SQL of its JSON, where that is not the column. For an object type: of each of its members, and of what is null
   * where there is none.
   */
  readonly sql?: (t: string, name: string) => string
  /** Filters compare what `sql` gives, and not what other lists are ordered by. */
  readonly isCompared?: boolean
  /** Input type of its filter: its name, or the values that may be chosen. Absent: no filter compares it. */
  readonly input?: string | { readonly among: Choices }
  /** Names of members, where that is not the field's own name. */
  readonly as?: string
}

/** `!` after the types of values that are never null. */
export const required = (nullable: boolean | undefined): string => (nullable ? '' : '!')
