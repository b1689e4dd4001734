import type { Field, Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { allModels, fieldsOf, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Store } from '../store/open.ts'
import { gramsOf, metresOf } from '../rules/units.ts'
import { availablePower } from '../rules/power.ts'
import { lowestPort } from '../rules/ports.ts'
import { Components } from '../rules/places.ts'
import { CabledModels } from '../rules/cabled-fields.ts'
import { type NestedPrefix, NestingColumns, renest, wronglyNested } from '../rules/nesting.ts'
import { inRanges } from './id-ranges.ts'

/** What a check found, and how much of it was set right. */
export interface Outcome {
  problems: string[]
  repaired: number
}

export const found = (problems: string[], repaired = 0): Outcome => ({ problems, repaired })

/** Adds problems to others, however many: a function does not take as many arguments. */
export function addAll(problems: string[], more: Iterable<string>): void {
  for (const each of more) problems.push(each)
}

/** Milliseconds that a step of a repair should hold the lock for writing, and that it leaves to others afterwards. */
const [Held, Left] = [20, 10]
/** Never notified: waiting on it is a synchronous sleep. */
const never = new Int32Array(new SharedArrayBuffer(4))

/**
 * Does `work` for some things at a time, each time in a transaction of its own, so that a server which writes to the
 * same file waits for none of them long. Inside a transaction at once.
 */
export function inSteps<T>(store: Store, all: readonly T[], work: (some: T[]) => void): void {
  if (store.db.raw.inTransaction) {
    if (all.length) work([...all])
    return
  }
  for (let at = 0, size = 50; at < all.length; ) {
    const some = all.slice(at, at + size)
    const began = performance.now()
    store.commit.now(() => work(some))
    const took = performance.now() - began
    at += size
    size = Math.max(1, Math.min(2000, took > Held ? size >> 1 : took < Held / 2 ? size * 2 : size))
    if (at < all.length) Atomics.wait(never, 0, 0, Left)
  }
}

/** Columns of a table that are worked out from others: by SQL on row alias `t`. */
interface Derived {
  table: string
  columns: Readonly<Record<string, string>>
}

const named = (table: string, id: Stored): string => `${allModels.find((m) => m.table === table)?.name ?? table} ${id}`

/** Compares derived columns with what they are derived from. */
function compareColumns(store: Store, { table, columns }: Derived, repair: boolean): Outcome {
  const differs = Object.entries(columns)
    .map(([name, sql]) => `t.${q(name)} is not (${sql})`)
    .join(' or ')
  const select = `select t.id from ${q(table)} t where t.id between :from and :to and (${differs})`
  const wrong = inRanges(store, table, (range) => store.db.all<{ id: number }>(select, range)).map(({ id }) => id)
  const set = Object.entries(columns)
    .map(([name, sql]) => `${q(name)} = (${sql})`)
    .join(', ')
  if (repair)
    inSteps(store, wrong, (ids) =>
      store.db.run(
        `update ${q(table)} as t set ${set} where t.id in (select value from json_each(?)) and (${differs})`,
        JSON.stringify(ids),
      ),
    )
  return found(
    wrong.map((id) => named(table, id)),
    repair ? wrong.length : 0,
  )
}

/** The same, worked out row by row. */
function compareRows(store: Store, table: string, derive: (row: Row) => Row, repair: boolean): Outcome {
  const changesOf = (row: Row) => Object.entries(derive(row)).filter(([name, value]) => !same(row[name], value))
  const select = `select * from ${q(table)} where id between :from and :to`
  const wrong = inRanges(store, table, (range) => {
    const found: number[] = []
    for (const row of store.db.prepare(select).iterate(range) as IterableIterator<Row>)
      if (changesOf(row).length) found.push(row.id as number)
    return found
  })
  const setRight = (id: number) => {
    const row = store.db.get<Row>(`select * from ${q(table)} where id = ?`, id)
    const changed = row ? changesOf(row) : []
    if (changed.length === 0) return
    const set = changed.map(([name]) => `${q(name)} = ?`).join(', ')
    store.db.run(`update ${q(table)} set ${set} where id = ?`, ...changed.map(([, value]) => value), id)
  }
  if (repair) inSteps(store, wrong, (ids) => ids.forEach(setRight))
  return found(
    wrong.map((id) => named(table, id)),
    repair ? wrong.length : 0,
  )
}
const same = (a: Stored | undefined, b: Stored): boolean =>
  a === b || (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b))

const all = (outcomes: Iterable<Outcome>): Outcome => {
  const [problems, repaired] = [[] as string[], [] as number[]]
  for (const outcome of outcomes) {
    addAll(problems, outcome.problems)
    repaired.push(outcome.repaired)
  }
  return found(
    problems,
    repaired.reduce((sum, n) => sum + n, 0),
  )
}

const ofDevice = (column: string) => `select d.${column} from dcim_device d where d.id = t.device_id`

/** Where an object stands that names a place by type and id. */
function scoped(table: string, as: string, more: Record<string, string> = {}): Derived {
  const when = (type: string) => `case when t.${as}_type = '${type}' then t.${as}_id end`
  const site = `coalesce(${when('dcim.site')}, (select l.site_id from dcim_location l
    where l.id = ${when('dcim.location')}))`
  return {
    table,
    columns: {
      _location_id: when('dcim.location'),
      _site_id: site,
      _region_id: `coalesce(${when('dcim.region')}, (select s.region_id from dcim_site s where s.id = ${site}))`,
      _site_group_id: `coalesce(${when('dcim.sitegroup')}, (select s.group_id from dcim_site s where s.id = ${site}))`,
      ...more,
    },
  }
}

/** A column of whatever a cable termination is at. */
const atTermination = (column: (model: string) => string | undefined): string => {
  const arms = CabledModels.flatMap((model) => {
    const sql = column(model)
    return sql
      ? [`when '${model}' then (select ${sql} from ${q(model.replace('.', '_'))} x where x.id = t.termination_id)`]
      : []
  })
  return `case t.termination_type ${arms.join(' ')} end`
}
const panel = (column: string) => `(select p.${column} from dcim_powerpanel p where p.id = x.power_panel_id)`
const isOfDevice = (model: string): boolean => !['dcim.powerfeed', 'circuits.circuittermination'].includes(model)

/**
 * Cached places: components have that of their device, scoped objects that of their scope, terminations that of their
 * object.
 */
const Places: readonly Derived[] = [
  ...Components.map((table) => ({
    table,
    columns: { _site_id: ofDevice('site_id'), _location_id: ofDevice('location_id'), _rack_id: ofDevice('rack_id') },
  })),
  {
    table: 'dcim_modulebay',
    columns: { parent_id: 'select o.module_bay_id from dcim_module o where o.id = t.module_id' },
  },
  ...['ipam_prefix', 'virtualization_cluster', 'wireless_wirelesslan'].map((table) => scoped(table, 'scope')),
  scoped('circuits_circuittermination', 'termination', {
    _provider_network_id: "case when t.termination_type = 'circuits.providernetwork' then t.termination_id end",
  }),
  {
    table: 'wireless_wirelesslink',
    columns: Object.fromEntries(
      ['a', 'b'].map((end) => [
        `_interface_${end}_device_id`,
        `select i.device_id from dcim_interface i where i.id = t.interface_${end}_id`,
      ]),
    ),
  },
  {
    table: 'dcim_cabletermination',
    columns: {
      _device_id: atTermination((model) => (isOfDevice(model) ? 'x.device_id' : undefined)),
      _rack_id: atTermination((model) =>
        isOfDevice(model) ? 'x._rack_id' : model === 'dcim.powerfeed' ? 'x.rack_id' : undefined,
      ),
      _location_id: atTermination((model) => (model === 'dcim.powerfeed' ? panel('location_id') : 'x._location_id')),
      _site_id: atTermination((model) => (model === 'dcim.powerfeed' ? panel('site_id') : 'x._site_id')),
    },
  },
]

export const places = (store: Store, repair: boolean): Outcome =>
  all(Places.map((each) => compareColumns(store, each, repair)))

const number = (row: Row, name: string) => row[name] as number | null
const unit = (row: Row, name: string) => row[name] as string | null
const weight = (row: Row) => ({ _abs_weight: gramsOf(number(row, 'weight'), unit(row, 'weight_unit')) })
const rackWeight = (row: Row) => ({
  ...weight(row),
  _abs_max_weight: gramsOf(number(row, 'max_weight'), unit(row, 'weight_unit')),
})
const distance = (row: Row) => ({ _abs_distance: metresOf(number(row, 'distance'), unit(row, 'distance_unit')) })

const ports = (row: Row) => ({ _ports_lowest: lowestPort(row) })

const Measures: Readonly<Record<string, (row: Row) => Row>> = {
  dcim_devicetype: weight,
  dcim_moduletype: weight,
  dcim_rack: rackWeight,
  dcim_racktype: rackWeight,
  circuits_circuit: distance,
  wireless_wirelesslink: distance,
  ipam_service: ports,
  ipam_servicetemplate: ports,
  dcim_powerfeed: (row) => ({ available_power: availablePower(row as never) }),
  dcim_cable: (row) => ({ _abs_length: metresOf(number(row, 'length'), unit(row, 'length_unit')) }),
}

/** Weights in grams, lengths in metres, the power of feeds, the lowest of ports. */
export const measures = (store: Store, repair: boolean): Outcome =>
  all(Object.entries(Measures).map(([table, derive]) => compareRows(store, table, derive, repair)))

/** Fields that keep more columns than one, all of them made from their text: sort keys, packed addresses. */
const keyed = (m: AnyModel): [string, Field][] => fieldsOf(m).filter(([, field]) => field.derived)

const keysOf = (fields: readonly [string, Field][], row: Row): Row =>
  Object.assign({}, ...fields.map(([name, field]) => field.derived!(row, name))) as Row

/** Sort keys and packed addresses. */
export const keys = (store: Store, repair: boolean): Outcome =>
  all(
    allModels.flatMap((m) => {
      const fields = keyed(m)
      return fields.length ? [compareRows(store, m.table, (row) => keysOf(fields, row), repair)] : []
    }),
  )

/** Depth and number of children of every prefix. */
export function prefixes(store: Store, repair: boolean): Outcome {
  const wrong = wronglyNested(
    store.db.all<NestedPrefix>(
      `select ${NestingColumns.join(', ')} from ipam_prefix order by vrf_id, prefix_host, prefix_mask`,
    ),
  )
  // Which prefix is inside which may have changed since: each VRF is worked out again as it is written.
  if (repair) inSteps(store, [...new Set(wrong.map(({ vrf_id }) => vrf_id))], (vrfs) => renest(store.rows, vrfs))
  return found(
    wrong.map(({ id }) => `ipam.prefix ${id}: depth or children`),
    repair ? wrong.length : 0,
  )
}

/** Counters of rows that belong to an object. */
export function counters(store: Store, repair: boolean): Outcome {
  return all(
    allModels.flatMap((m) =>
      fieldsOf(m)
        .filter(([, field]) => field.counter)
        .map(([name, field]) => {
          const { model, by } = field.counter!
          const outcome = compareColumns(
            store,
            {
              table: m.table,
              columns: {
                [name]: `select count(*) from ${q(modelNamed(model).table)} c where c.${q(`${by}_id`)} = t.id`,
              },
            },
            repair,
          )
          return found(
            outcome.problems.map((text) => `${text}: ${name}`),
            outcome.repaired,
          )
        }),
    ),
  )
}
