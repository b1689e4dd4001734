import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyModel } from '../../src/declare/model.ts'
import { type Actor, binder } from '../../src/engine/actor.ts'
import { allModels } from '../../src/engine/catalog.ts'
import { conditionsOf, FilterRefusal, type FilterSource, parametersOf } from '../../src/engine/filters.ts'
import { orderOf } from '../../src/engine/order.ts'
import { searchedOf } from '../../src/engine/search.ts'
import { comparisonsOf } from '../../src/graphql/comparisons.ts'
import { filtered, scope } from '../../src/graphql/conditions.ts'
import { countKept } from '../../src/store/kept-counts.ts'
import { serve } from '../support/server.ts'

/**
 * Which filters read all rows of a large table, as SQLite means to when it knows nothing of the rows. A filter that
 * reads a large table whole is mended, or stands below with its reason.
 */
const { running } = await serve()
const { db } = running.store

/** Tables with a row or more for each of many devices. */
const Large = new Set([
  ...allModels.filter((m) => m.large).map((m) => m.table),
  ...['dcim_cabletermination', 'dcim_cablepath', 'dcim_cablepathnode', 'extras_taggeditem'],
  ...[
    'dcim_consoleport',
    'dcim_consoleserverport',
    'dcim_powerport',
    'dcim_poweroutlet',
    'dcim_frontport',
    'dcim_rearport',
  ],
])

/**
 * Complements of filters that are here by themselves, which are counted by these; and patterns, which no index can
 * tell.
 */
const Most = /__(n|nic|niew|nisw|nie)$|regex$/

/** Filters that read a large table, and why they may: by name where it is the list's own, else by model and name. */
const Allowed: Readonly<Record<string, readonly string[]>> = {
  'most rows have it, or half of them': [
    ...[
      'assigned',
      'assigned_to_interface',
      'connected',
      'occupied',
      'family',
      'has_primary_ip',
      'local_context_data',
      'mode',
    ],
  ],
  'few values, each of which many rows have': [
    ...[
      'assigned_object_type',
      'assigned_object_type_id',
      'cable_connector',
      'color',
      'component_type',
      'destination_type',
    ],
    ...['mask_length', 'node_type', 'object_type_id', 'related_object_type', 'scope_type', 'depth', 'children'],
  ],
  'a choice of few, each of which many rows have, or none has: an index would cost each write': [
    ...['airflow', 'device_status', 'cable_end', 'duplex', 'face', 'feed_leg', 'length_unit', 'poe_mode'],
    ...['poe_type', 'profile', 'rf_channel', 'rf_role', 'start_on_boot', 'status', 'type'],
  ],
  'yes or no': [
    ...[
      'discovered',
      'is_active',
      'is_complete',
      'is_pool',
      'is_split',
      'mark_connected',
      'mark_utilized',
      'mgmt_only',
    ],
  ],
  'a number that most rows lack or share, and nobody looks for': [
    ...['allocated_draw', 'disk', 'latitude', 'length', 'longitude', 'maximum_draw', 'memory', 'mtu'],
    ...['node_id', 'position', 'positions', 'rf_channel_frequency', 'rf_channel_width', 'speed', 'tx_power'],
    ...['vc_position', 'vc_priority', 'vcpus'],
  ],
  'the search knows its texts, but not where there is none': [
    ...['asset_tag', 'description', 'dns_name', 'id', 'label', 'name', 'part_id', 'serial'],
  ],
  'an id says nothing without its type, with which it has an index': [
    ...[
      'assigned_object_id',
      'changed_object_id',
      'component_id',
      'object_id',
      'related_object_id',
      'scope_id',
      'termination_id',
    ],
  ],
  'counts of what a device holds, most of them 0': [
    ...['console_port_count', 'console_server_port_count', 'device_bay_count', 'front_port_count', 'interface_count'],
    ...[
      'inventory_item_count',
      'module_bay_count',
      'power_outlet_count',
      'power_port_count',
      'rear_port_count',
      'virtual_disk_count',
    ],
  ],
  'an index would cost each write, and lists by the last change have one where there is most': [
    'created',
    'last_updated',
  ],
  'texts of changes are in no index: each write would pay for it': ['object_repr', 'user_name', 'q'],
  'whether a device has any: told by its counters, as its parts are more than the devices': [
    ...['console_ports', 'console_server_ports', 'interfaces', 'pass_through_ports', 'power_outlets', 'power_ports'],
  ],
  'the status of the devices, which most share': [
    ...['consoleport', 'consoleserverport', 'devicebay', 'frontport', 'interface', 'inventoryitem', 'modulebay'],
    ...['poweroutlet', 'powerport', 'rearport'],
  ].map((name) => `dcim.${name} device_status`),
}

function plan(sql: string, values: object): string[] {
  return (db.raw.prepare(`explain query plan ${sql}`).all(values) as { detail: string }[]).map(({ detail }) => detail)
}

/** Large tables that a statement reads whole. */
function scanned(sql: string, values: object): string[] {
  const tables = new Map<string, string>()
  for (const [, table, alias] of sql.matchAll(/(?:from|join)\s+"?(\w+)"?(?:\s+(?!where\b|on\b|join\b|order\b)(\w+))?/g))
    tables.set(alias ?? table!, table!)
  return plan(sql, values).flatMap((detail) => {
    const table = tables.get(/^SCAN (\w+)/.exec(detail)?.[1] ?? '')
    return table && Large.has(table) ? [table] : []
  })
}

function exampleOf(schema: Record<string, any>): string {
  const { type, format, enum: listed } = schema.items ?? schema
  if (listed) return String(listed[0])
  if (type === 'integer' || type === 'number') return '1'
  if (type === 'boolean') return 'true'
  if (format === 'date-time') return '2025-01-02T03:04:05Z'
  if (format === 'date') return '2025-01-02'
  return format === 'uuid' ? '12345678-1234-1234-1234-123456789012' : '10.0.0.0/8'
}

/** A store whose search finds every text in one row. */
const knowing: Omit<FilterSource, 'bind' | 'alias' | 'uses'> = {
  userId: 1,
  idsOf: () => [1],
  holding: ({ model, column }) => (searchedOf(model).some((field) => field.name === column) ? [1] : undefined),
  valuesHolding: () => undefined,
  custom: () => undefined,
}
const superuser: Actor = {
  userId: 1,
  username: 'admin',
  superuser: true,
  grants: new Map(),
  exempt: () => false,
  writes: true,
}

/** The condition of one parameter, with values that name something; undefined where it takes none of these. */
function conditionOf(m: AnyModel, name: string): { where: string[]; values: Record<string, any> } | undefined {
  const { filter } = parametersOf(m).get(name)!
  const c = binder('f')
  try {
    const where = conditionsOf(
      m,
      new URLSearchParams({ [name]: name.endsWith('__empty') ? 'true' : exampleOf(filter.schema) }),
      { ...c, ...knowing },
    )
    return where.length ? { where, values: c.values } : undefined
  } catch (error) {
    if (error instanceof FilterRefusal) return undefined
    throw error
  }
}

test('no filter reads all rows of a large table without a reason', () => {
  const found = new Set<string>()
  for (const m of allModels)
    for (const name of parametersOf(m).keys()) {
      if (Most.test(name)) continue
      const bare = name.replace(/__\w+$/, '')
      const condition = conditionOf(m, name)
      if (!condition) continue
      const { where, values } = condition
      if (countKept(db, m, where, values) !== undefined) continue
      const sql = `select count(*) from "${m.table}" t where ${where.join(' and ')}`
      for (const table of scanned(sql, values)) found.add(table === m.table ? bare : `${m.name} ${bare}`)
    }
  assert.deepEqual([...found].toSorted(), Object.values(Allowed).flat().toSorted())
})

test('no text of a large table is looked for in all its rows by GraphQL, where the search knows it', () => {
  for (const m of allModels.filter(({ table }) => Large.has(table)))
    for (const { name } of searchedOf(m)) {
      const comparison = comparisonsOf(m).get(name)
      if (comparison?.as !== 'value' || comparison.input !== 'StrFilterLookup') continue
      for (const lookup of ['exact', 'contains', 'starts_with', 'i_ends_with', 'in_list']) {
        const c = binder('g')
        const where = filtered(m, 't', { [name]: { [lookup]: lookup === 'in_list' ? ['text'] : 'text' } }, scope(), {
          ...c,
          ...knowing,
          actor: superuser,
          fan: () => 1,
          size: () => 1,
          spend: () => {},
        })
        const sql = `select count(*) from "${m.table}" t where ${where}`
        assert.deepEqual(scanned(sql, c.values), [], `${m.name} ${name} ${lookup}`)
      }
    }
})

test('lists of large tables are read off an index in their own order, and by the last change', () => {
  for (const m of allModels.filter((each) => each.large)) {
    for (const ordering of [undefined, ...(m.fields.last_updated ? ['last_updated', '-last_updated'] : [])]) {
      const order = orderOf(m, ordering)
      const { terms } = order.filled ?? order
      const details = plan(`select t.id from "${m.table}" t ${order.joins} order by ${terms} limit 50 offset 500`, {})
      const sorts = details.filter((detail) => /^USE TEMP B-TREE FOR ORDER BY/.test(detail))
      assert.deepEqual(sorts, [], `${m.name} ${ordering}: ${details.join('; ')}`)
    }
  }
})
