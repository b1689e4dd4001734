import type { Field, Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { countersOf, fieldsOf, memo, modelNamed, pointersTo, referencesTo, sumsOf } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { WriteEvent } from '../declare/behaviour.ts'
import { moveTerminations, writePeers } from '../rules/cables.ts'
import { Cabled, type CabledModel } from '../rules/cabled-fields.ts'
import { type Node, nodeKey, retrace } from '../rules/paths.ts'
import { storePlace } from '../store/tree.ts'
import type { Writing } from '../store/write.ts'
import { prefixes } from '../services/derived.ts'
import { same } from './changes.ts'
import { giverOf } from './merge.ts'
import { referencesIn } from './references.ts'

/** A row as it was and as it is. */
export interface Settled {
  m: AnyModel
  id: number
  before: Row | null
  after: Row | null
}

/** What depends on rows that were put to another state, one thing after the other. */
export const SettleSteps: readonly ((w: Writing, rows: readonly Settled[]) => void)[] = [
  recount,
  sumUp,
  point,
  places,
  (w, rows) => {
    for (const each of rows) if (each.after) returned(w, each)
  },
  nesting,
  cabling,
]
/** Works out again what depends on rows that were put to another state; may be done again. */
export const settle = (w: Writing, rows: readonly Settled[]): void => {
  for (const step of SettleSteps) step(w, rows)
}

/** Works out again what rows that stay keep of rows that go (the group of their site), so that they need not go too. */
export function unmark(w: Writing, going: ReadonlyMap<AnyModel, ReadonlySet<number>>): void {
  const keeping = [...going].flatMap(([m, ids]) =>
    referencesTo(m).flatMap(({ from, name }) =>
      name.startsWith('_') && !from.internal
        ? w.db
            .all<Row>(
              `select * from ${q(from.table)} where ${q(`${name}_id`)} in (select value from json_each(?))`,
              JSON.stringify([...ids]),
            )
            .map((row): Settled => ({ m: from, id: row.id as number, before: row, after: row }))
        : [],
    ),
  )
  const stale = keeping.filter(({ m, id }) => !going.get(m)?.has(id))
  if (stale.length) settle(w, stale)
}

/**
 * Has a model's own rules do what they do after a change, with records of their own; once. `goes`: whether an object is
 * not there any more in the end.
 */
export function follow(
  w: Writing,
  { m, id, before, after }: Settled,
  goes: (m: AnyModel, id: number) => boolean = () => false,
): void {
  if (before && after && isWritten(m, before, after, goes) && !Settling.has(m.name))
    m.behaviour.saved?.(eventOf(w, w.row(m, id) ?? after, before)) // with what is worked out by now
}
/**
 * Whether more changed than what no write of the row is about: custom values, which come and go with their fields, and
 * references that the deletion of an object emptied.
 */
function isWritten(m: AnyModel, before: Row, after: Row, goes: (m: AnyModel, id: number) => boolean): boolean {
  const emptied = new Set(
    referencesIn(m, before).flatMap(({ columns, beside, onDelete, to, id }) =>
      onDelete === 'set null' && goes(to, id) ? [...columns, ...beside] : [],
    ),
  )
  return Object.keys(after).some(
    (name) =>
      name !== 'custom_field_data' &&
      name !== 'last_updated' &&
      !(emptied.has(name) && after[name] === null) &&
      !same(after[name], before[name]),
  )
}
/** Models of which everything is settled here. */
const Settling = new Set(['dcim.cable', 'ipam.prefix'])

/** Depth and children of the prefixes of each VRF in which one came, went or changed. */
function nesting(w: Writing, rows: readonly Settled[]): void {
  const vrfs = new Set<number | null>()
  for (const { m, before, after } of rows)
    if (m.name === 'ipam.prefix' && before !== after)
      for (const row of [before, after]) if (row) vrfs.add(at(row, 'vrf_id'))
  for (const vrf of vrfs) prefixes(w.store, true, vrf)
}

const at = (row: Row | null, column: string): number | null => (row?.[column] as number | null | undefined) ?? null

/** Stored counters of the rows that others were or are counted for. */
function recount(w: Writing, rows: readonly Settled[]): void {
  const owners = new Map<string, { table: string; column: string; of: string; by: string; ids: Set<number> }>()
  const add = (owner: AnyModel, column: string, id: number | null): void => {
    if (id === null) return
    const counter = (owner.fields[column].counter as { model: string; by: string })!
    const key = `${owner.table}.${column}`
    const entry = owners.get(key) ?? {
      table: owner.table,
      column,
      of: modelNamed(counter.model).table,
      by: `${counter.by}_id`,
      ids: new Set<number>(),
    }
    entry.ids.add(id)
    owners.set(key, entry)
  }
  for (const { m, id, before, after } of rows) {
    for (const { from, name, field } of countersOf(m))
      for (const row of [before, after]) add(from, name, at(row, `${field.counter!.by}_id`))
    for (const [name, field] of fieldsOf(m)) if (field.counter && after) add(m, name, id)
  }
  for (const { table, column, of, by, ids } of owners.values())
    for (const id of ids)
      w.db.run(
        `update ${q(table)} set ${q(column)} = (select count(*) from ${q(of)} c where c.${q(by)} = ${q(table)}.id) where id = ?`,
        id,
      )
}

/**
 * Sums of the rows that refer to others; of a row that nothing refers to, what it was to have: the rules of what went
 * may have emptied it.
 */
function sumUp(w: Writing, rows: readonly Settled[]): void {
  const sum = (owner: AnyModel, column: string, id: number, otherwise?: Stored): void => {
    const { model, by, of } = (owner.fields[column] as Field).sum!
    const [found] = w.db.all<{ n: number; sum: number }>(
      `select count(*) as n, sum(${q(of)}) as sum from ${q(modelNamed(model).table)} where ${q(`${by}_id`)} = +?`,
      id,
    )
    const value = found!.n ? found!.sum : otherwise
    if (value !== undefined)
      w.db.run(`update ${q(owner.table)} set ${q(column)} = ? where id = ? and ${q(column)} is not ?`, value, id, value)
  }
  for (const { m, id, before, after } of rows) {
    for (const { from, name, field } of sumsOf(m))
      for (const row of [before, after]) {
        const owner = at(row, `${field.sum!.by}_id`)
        if (owner !== null) sum(from, name, owner)
      }
    for (const [name, field] of fieldsOf(m)) if (field.sum && after) sum(m, name, id, after[name])
  }
}

/** References that follow from those of the rows that they name. */
function point(w: Writing, rows: readonly Settled[]): void {
  const find = (owner: AnyModel, name: string, id: number): void => {
    const { model, points } = (owner.fields[name] as Field).target!
    const found = w.tools.first(modelNamed(model), { [`${points!.by}_id`]: id, ...points!.when }, { only: ['id'] })
    const column = q(`${name}_id`)
    const to = found?.id ?? null
    w.db.run(`update ${q(owner.table)} set ${column} = ? where id = ? and ${column} is not ?`, to, id, to)
  }
  for (const { m, id, before, after } of rows) {
    for (const { from, name, field } of pointersTo(m))
      for (const row of [before, after]) {
        const owner = at(row, `${field.target!.points!.by}_id`)
        if (owner !== null) find(from, name, owner)
      }
    for (const [name, { target }] of fieldsOf(m)) if (target?.points && after) find(m, name, id)
  }
}

/** Depth and place of nodes that came back or moved, with all below them. */
function places(w: Writing, rows: readonly Settled[]): void {
  for (const m of new Set(rows.map((each) => each.m))) {
    if (!m.tree) continue
    const parent = `${m.tree.parent}_id`
    const moved = rows.filter(
      ({ m: of, before, after }) =>
        of === m &&
        after &&
        (!before ||
          before[parent] !== after[parent] ||
          (m.tree!.by !== undefined && before[m.tree!.by] !== after[m.tree!.by])),
    )
    const ids = new Set(moved.map(({ id }) => id))
    for (const { id, after } of moved) if (!ids.has(at(after, parent) ?? 0)) storePlace(w.db, m, w.row(m, id)!)
  }
}

/** A write event of a row that has no body. */
export const eventOf = (w: Writing, row: Row, before: Row | undefined, given: Record<string, unknown> = {}) =>
  ({ row, before, errors: {}, given, body: {}, tools: w.tools, recordSoFar: () => {} }) as WriteEvent<Row>

/** Columns in which rows of a model keep what follows from others: nobody writes them. */
const keptOf = memo(
  (m: AnyModel): ReadonlySet<string> =>
    new Set(
      fieldsOf(m).flatMap(([name, field]) =>
        Object.keys(field.columns(name)).filter(
          (column) => column.startsWith('_') || field.options.hidden || field.options.prepared,
        ),
      ),
    ),
)

/** What a row keeps of others (where it is, in other units): as the model's rules fill it. */
function returned(w: Writing, { m, id, before }: Settled): void {
  const row = w.row(m, id)
  if (!row) return
  const filled = { ...row }
  m.behaviour.prepare?.(eventOf(w, filled, { ...row }))
  const isOwn = (name: string) => keptOf(m).has(name) || giverOf(m, row, name) !== undefined
  const own = Object.keys(filled).filter((name) => isOwn(name) && filled[name] !== row[name])
  const isPacked = (value: Stored | undefined) => Buffer.isBuffer(value)
  const changed = own.filter((name) => !isPacked(filled[name]))
  if (changed.length)
    w.db.run(
      `update ${q(m.table)} set ${changed.map((name) => `${q(name)} = ?`).join(', ')} where id = ?`,
      ...changed.map((name) => filled[name]),
      id,
    )
  if (m.tree && changed.includes(`${m.tree.parent}_id`)) storePlace(w.db, m, w.row(m, id)!)
  if (before) return
  m.behaviour.returned?.({ row, tools: w.tools })
}

/** Marks of objects at cable ends, what is opposite, and paths. */
function cabling(w: Writing, rows: readonly Settled[]): void {
  const nodes = new Map<string, Node>()
  const ends = new Map<string, Node>()
  const cables = new Set<number>()
  const add = (into: Map<string, Node>, type: string, id: number | null): void => {
    if (id !== null) into.set(nodeKey({ type, id }), { type, id })
  }
  for (const { m, id, before, after } of rows) {
    if (m.name === 'dcim.cable') {
      add(nodes, m.name, id)
      cables.add(id)
    } else if (m.name === 'wireless.wirelesslink') {
      add(nodes, m.name, id)
      for (const row of [before, after])
        for (const end of ['a', 'b']) add(ends, 'dcim.interface', at(row, `interface_${end}_id`))
    } else if (m.name === 'dcim.portmapping') {
      for (const row of [before, after])
        for (const face of ['front', 'rear']) add(nodes, `dcim.${face}port`, at(row, `${face}_port_id`))
    } else if (m.name === 'dcim.cabletermination') {
      for (const row of [before, after]) {
        if (!row) continue
        add(ends, row.termination_type as string, at(row, 'termination_id'))
        cables.add(row.cable_id as number)
        add(nodes, 'dcim.cable', at(row, 'cable_id'))
      }
    } else if (m.name in Cabled) add(before ? nodes : ends, m.name, id)
    if (m.name === 'circuits.circuittermination')
      for (const row of [before, after])
        for (const other of row ? w.tools.rows(m, { circuit_id: row.circuit_id }, { only: ['id'] }) : [])
          add(nodes, m.name, other.id as number)
  }
  for (const { type, id } of ends.values()) mark(w, modelNamed(type), id)
  for (const cable of cables) {
    if (!w.tools.has('dcim.cable', { id: cable })) continue
    writePeers(w.tools, cable)
    for (const row of w.tools.rows('dcim.cabletermination', { cable_id: cable }))
      add(ends, row.termination_type!, row.termination_id)
  }
  const present = (node: Node): boolean => w.row(modelNamed(node.type), node.id) !== undefined
  retrace(w.tools, [...nodes.values(), ...ends.values()], [...ends.values()].filter(present))
}

/** Says of an object at which cable's end it is, as the rows of the cable's ends have it; and of these, where it is. */
function mark(w: Writing, m: AnyModel, id: number): void {
  const row = w.row(m, id)
  if (!row) return
  const end = w.tools.first('dcim.cabletermination', { termination_type: m.name as CabledModel, termination_id: id })
  const marks: Row = {
    cable_id: end?.cable_id ?? null,
    cable_end: end?.cable_end ?? null,
    cable_connector: end?.connector ?? null,
    cable_positions: end?.positions ?? null,
  }
  const changed = Object.keys(marks).filter((name) => row[name] !== marks[name])
  if (changed.length)
    w.db.run(
      `update ${q(m.table)} set ${changed.map((name) => `${q(name)} = ?`).join(', ')} where id = ?`,
      ...changed.map((name) => marks[name]),
      id,
    )
  moveTerminations(w.tools, m.name, id)
}
