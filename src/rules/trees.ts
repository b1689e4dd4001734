import type { WriteTools } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { sqlOf } from '../declare/statement.ts'
import { q } from '../lib/sql.ts'

/** So many levels are gone up at most. */
const MaxLevels = 200

const Above = sqlOf<{ id: number }>(
  (m) => `with recursive up(id, level) as (
      select ${q(`${m.tree!.parent}_id`)}, 1 from ${q(m.table)} where id = ?
      union all
      select t.${q(`${m.tree!.parent}_id`)}, level + 1 from up join ${q(m.table)} t on t.id = up.id
      where level < ${MaxLevels}
    ) select id from up where id is not null order by level`,
  (m) => m.tree !== undefined,
)

/** Ids of the objects above one of a tree, its parent first; none for models that are no tree. */
export const ancestorsOf = (tools: Pick<WriteTools, 'all'>, m: AnyModel, id: number): number[] =>
  m.tree ? tools.all(Above(m), id).map((row) => row.id) : []
