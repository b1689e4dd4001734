import type { Rows } from '../declare/rows.ts'
import { sql } from '../declare/statement.ts'

const Types = sql<{ type: string }>`
  select distinct object_type as type from extras_taggeditem where tag_id = +? order by object_type`

/** Names of the models of which some objects have a tag. */
export const typesTagged = (rows: Rows, tag: number): string[] => rows.all(Types, tag).map(({ type }) => type)
