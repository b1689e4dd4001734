import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from '../store/database.ts'
import type { KitSelf } from '../store/kit.ts'
import type { Store } from '../store/open.ts'
import type { Journaled } from '../store/journal.ts'
import { type AccountLine, isOwnId, takeAccounts } from './accounts.ts'
import { RecordColumns, type TheirRecord } from './authors.ts'
import { rowNow, type Since } from './changes.ts'
import { accountTables, type Coming, exchanged, isLink, linkIn, linkKey } from './coming.ts'
import type { CloneFacts } from './clone.ts'
import { allOrNothing, changesHere, demandKit, objectsOf, pullIn, type Pulled, type PullOptions } from './kit.ts'
import { keepFiles } from './kit-files.ts'
import { rowsDiffer } from './merge.ts'

/**
 * Makes the changes of the source in a kit from a new clone, by comparing everything with the state where both parted:
 * where the change log of the source does not reach back so far. Changes that its log does not tell of any more are
 * nobody's.
 */
export function takeWhole(
  store: Store,
  clone: { database: string; facts: CloneFacts; files: (paths: readonly string[]) => Map<string, Buffer> },
  options: PullOptions,
): Pulled {
  const { db } = store
  db.raw.prepare('attach ? as other').run(clone.database)
  try {
    return store.commit.now(() => {
      const self = demandKit(db)
      return allOrNothing(db, options, () => {
        const accounts = takeAccounts(
          db,
          self,
          [...accountTables().values()].flatMap(({ table }) => accountRows(db, self, table)),
        )
        const here = changesHere(db, self)
        const found = [...exchanged().values()].flatMap((place) => differing(db, place, here))
        const rows = found.map(({ row }) => row).filter((row) => row !== null)
        const isPath = (value: unknown) => typeof value === 'string' && value.includes('/')
        const paths = new Set(rows.flatMap((row) => Object.values(row).filter(isPath)))
        const coming = keepFiles(db, store.uploads, clone.files([...paths] as string[]), found)
        const records = db.all<TheirRecord>(
          `select ${RecordColumns} from other.core_objectchange c where c.time > ?
            and c.changed_object_type || ':' || c.changed_object_id in (select value from json_each(?)) order by c.id`,
          self.there_time,
          JSON.stringify(objectsOf(coming.map((each) => ({ ...each, before: each.base, now: each.row })))),
        )
        const there = { there: clone.facts.step, there_time: clone.facts.time }
        return pullIn(store, self, { coming, here, records, accounts }, there, options)
      })
    }, 'tentative')
  } finally {
    db.raw.exec('detach other')
  }
}

/** Rows of the other database that are not as where both parted. */
function differing(db: Connection, place: Journaled, here: ReadonlyMap<string, Since>): Coming[] {
  const { table, m } = place
  const columns = (db.raw.pragma(`table_info(${q(table)})`) as { name: string }[]).map(({ name }) => name)
  const isOther = columns.map((name) => `o.${q(name)} is not t.${q(name)}`).join(' or ')
  const other = db.raw.prepare(`select * from other.${q(table)} where id = ?`)
  const ids = new Set(
    db.raw
      .prepare(
        `select o.id from other.${q(table)} o left join main.${q(table)} t on t.id = o.id
          where t.id is null or ${isOther}
         union all select t.id from main.${q(table)} t
          where not exists (select 1 from other.${q(table)} o where o.id = t.id)`,
      )
      .pluck()
      .all() as number[],
  )
  for (const { place: of, id } of here.values()) if (of === place) ids.add(id)
  const found = [...ids].map((id): Coming => {
    const since = here.get(`${table}:${id}`)
    return {
      place,
      id,
      base: since ? since.before : rowNow(db, table, id),
      row: (other.get(id) as Row | undefined) ?? null,
    }
  })
  if (isLink(place)) {
    const counts = new Map<string, number>()
    for (const { base, row } of found)
      for (const [each, by] of [
        [base, -1],
        [row, 1],
      ] as const) {
        const link = each && linkIn(place, each)
        if (link) counts.set(linkKey(link), (counts.get(linkKey(link)) ?? 0) + by)
      }
    return found.filter((each) => [each.base, each.row].some((row) => row && counts.get(linkKey(linkIn(place, row)!))))
  }
  return found.filter(({ base, row }) => (base && row ? rowsDiffer(m, base, row) : base || row))
}

/** Accounts as the source has them, and those that it has no more; without what the kit made. */
const accountRows = (db: Connection, self: KitSelf, table: string): AccountLine[] => [
  ...(db.raw.prepare(`select * from other.${q(table)}`).all() as (Row & { id: number })[]).map((r) => ({
    t: table,
    i: r.id,
    r,
  })),
  ...(
    db.raw
      .prepare(
        `select id from main.${q(table)} t where not exists (select 1 from other.${q(table)} o where o.id = t.id)`,
      )
      .pluck()
      .all() as number[]
  ).flatMap((i) => (isOwnId(self, i) ? [] : [{ t: table, i, r: null }])),
]
