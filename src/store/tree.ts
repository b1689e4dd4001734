import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { naturalKey } from '../lib/natural-sort.ts'
import type { Connection } from './database.ts'

/**
 * Levels where siblings stand in the order of their names; in deeper ones, where places would grow without end, in that
 * of their ids.
 */
const NamedLevels = 32

/**
 * A node's place in depth-first order: its parent's place, then its own sort key ended by 00 01 (zero bytes inside the
 * key are written 00 ff, so that a shorter key sorts first), then its id. In deep levels the id alone, after its number
 * of bytes. A subtree's places all begin with its root's.
 */
function placeOf(parent: Buffer | undefined, key: Buffer, id: number, depth: number): Buffer {
  const start = parent ?? Buffer.alloc(0)
  if (depth >= NamedLevels) {
    const digits = id.toString(16)
    const bytes = Buffer.from(digits.padStart(digits.length + (digits.length & 1), '0'), 'hex')
    return Buffer.concat([start, Buffer.from([bytes.length]), bytes])
  }
  const escaped: number[] = []
  for (const byte of key) {
    escaped.push(byte)
    if (byte === 0) escaped.push(0xff)
  }
  const tail = Buffer.alloc(5)
  tail.writeUIntBE(id, 0, 5)
  return Buffer.concat([start, Buffer.from(escaped), Buffer.from([0, 1]), tail])
}

/** Siblings sort as their names do in any list, or by id alone. */
function keyOf(m: AnyModel, row: Row): Buffer {
  const by = m.tree!.by
  if (by === undefined) return Buffer.alloc(0)
  return `${by}_sort` in m.fields[by].columns(by) ? naturalKey(String(row[by])) : Buffer.from(String(row[by]))
}

/** Stores depth and place of a row and of all below it. */
export function storePlace(db: Connection, m: AnyModel, row: Row): void {
  const parentId = row[`${m.tree!.parent}_id`]
  const parent =
    parentId === null ? undefined : db.get<Row>(`select _depth, _place from ${q(m.table)} where id = +?`, parentId)
  put(db, m, row, parent)
}

function put(db: Connection, m: AnyModel, root: Row, above: Row | undefined): void {
  const table = q(m.table)
  const store = `update ${table} set _depth = ?, _place = ? where id = ?`
  const children = `select id${m.tree!.by ? `, ${q(m.tree!.by)}` : ''} from ${table}
    where ${q(`${m.tree!.parent}_id`)} = +?`
  const seen = new Set<number>()
  for (const waiting = [{ row: root, parent: above }]; waiting.length; ) {
    const { row, parent } = waiting.pop()!
    if (seen.has(row.id as number)) continue
    seen.add(row.id as number)
    row._depth = parent ? (parent._depth as number) + 1 : 0
    row._place = placeOf(parent?._place as Buffer | undefined, keyOf(m, row), row.id as number, row._depth)
    db.run(store, row._depth, row._place, row.id)
    for (const child of db.all<Row>(children, row.id)) waiting.push({ row: child, parent: row })
  }
}

/** True when `candidate` is the row itself or below it, however deep. */
export function isWithin(db: Connection, m: AnyModel, root: number, candidate: number): boolean {
  const parent = q(`${m.tree!.parent}_id`)
  const found = db.get(
    `with recursive up(id) as (
       select +:candidate union select t.${parent} from ${q(m.table)} t join up on t.id = up.id
     ) select 1 from up where id = +:root`,
    { candidate, root },
  )
  return found !== undefined
}

/**
 * Rows with ids in a range whose depth or place does not follow from that of their parent. A place is longer than that
 * of its parent, so that one of those in a circle is always among them.
 */
export function misplaced(db: Connection, m: AnyModel, range: { from: number; to: number }): number[] {
  const select = `select t.id, t._depth, t._place, ${m.tree!.by ? `t.${q(m.tree!.by)}, ` : ''}
      t.${q(`${m.tree!.parent}_id`)} as parent, p._depth as parent_depth, p._place as parent_place
    from ${q(m.table)} t left join ${q(m.table)} p on p.id = t.${q(`${m.tree!.parent}_id`)}
    where t.id between :from and :to`
  const wrong: number[] = []
  for (const row of db.prepare(select).iterate({ ...range }) as IterableIterator<Row>) {
    const [id, place, above] = [row.id as number, row._place as unknown, row.parent_place as unknown]
    const depth = row.parent === null ? 0 : Number(row.parent_depth) + 1
    const isBelow = row.parent === null || Buffer.isBuffer(above)
    const right = isBelow && placeOf((above as Buffer | null) ?? undefined, keyOf(m, row), id, depth)
    if (row._depth !== depth || !right || !Buffer.isBuffer(place) || !place.equals(right)) wrong.push(id)
  }
  return wrong
}

/** Rebuilds every place and depth of a tree. */
export function rebuild(db: Connection, m: AnyModel): void {
  for (const root of db.all<Row>(`select * from ${q(m.table)} where ${q(`${m.tree!.parent}_id`)} is null`))
    put(db, m, root, undefined)
}
