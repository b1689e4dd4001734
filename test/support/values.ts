import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Field, Row } from '../../src/fields/field.ts'
import { allModels, fieldsOf, genericPrefix, modelNamed, models } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { parseExact } from '../../src/lib/exact-json.ts'
import { journaled } from '../../src/store/journal.ts'
import type { Store } from '../../src/store/open.ts'
import { fileFields } from '../../src/store/uploads.ts'
import { writable } from './maker.ts'

/**
 * What clients wrote on a server, by object (`dcim.site:5`) and field. `*` says that the object is there; members of
 * many-to-many fields, sets, tags, ends of cables and positions of ports are fields of their own (`tags#7`), as are
 * custom fields; a file is its content.
 */
export type Values = ReadonlyMap<string, ReadonlyMap<string, unknown>>
/** A value that one state has and another has not; undefined where there is none. */
export interface Change {
  object: string
  field: string
  was: unknown
  is: unknown
}
/** Members that an object has, in tables of their own: which object, and how a member is called. */
const Parts: Record<string, (row: Row) => [object: string, member: string]> = {
  dcim_cabletermination: (row) => [
    `dcim.cable:${row.cable_id}`,
    `${String(row.cable_end).toLowerCase()}_terminations#${row.termination_type}:${row.termination_id}`,
  ],
  dcim_portmapping: (row) => [
    `dcim.frontport:${row.front_port_id}`,
    `rear_ports#${row.front_port_position}>${row.rear_port_id}.${row.rear_port_position}`,
  ],
  dcim_porttemplatemapping: (row) => [
    `dcim.frontporttemplate:${row.front_port_id}`,
    `rear_ports#${row.front_port_position}>${row.rear_port_id}.${row.rear_port_position}`,
  ],
  extras_taggeditem: (row) => [`${row.object_type}:${row.object_id}`, `tags#${row.tag_id}`],
}

/** Models whose objects go from one side to the other. */
const Own = allModels.filter(
  (m) => m.changeLogged !== false && !(m.table in Parts) && (m.app !== 'users' || /^users\.owner/.test(m.name)),
)

export function valuesOf(store: Store): Values {
  const found = new Map<string, Map<string, unknown>>()
  const { db, uploads } = store
  for (const m of Own) {
    const columns = writable(m).flatMap(([name, field]) => Object.keys(field.columns(name)))
    const files = new Set(fileFields(m))
    for (const row of db.all<Row>(`select * from "${m.table}"`)) {
      const values = new Map<string, unknown>([['*', true]])
      for (const name of columns) {
        const value = row[name]
        if (
          name === 'custom_field_data' ||
          name.endsWith('_sort') ||
          value === undefined ||
          value === null ||
          value === ''
        )
          continue
        values.set(name, files.has(name) ? contentOf(join(uploads, String(value))) : plain(value))
      }
      for (const [name, { isSet }] of fieldsOf(m))
        if (isSet && values.delete(name))
          for (const each of JSON.parse(row[name] as string) as string[]) values.set(`${name}#${each}`, true)
      for (const [name, value] of Object.entries(parseExact((row.custom_field_data as string) ?? '{}') as object))
        if (value !== null) values.set(`custom_fields.${name}`, JSON.stringify(value))
      found.set(`${m.name}:${row.id}`, values)
    }
  }
  const member = (object: string, field: string) => found.get(object)?.set(field, true)
  for (const [table, part] of Object.entries(Parts))
    for (const row of db.all<Row>(`select * from "${table}"`)) member(...part(row))
  for (const { table, m, links } of journaled().values())
    if (links)
      for (const row of db.all<Row>(`select * from "${table}"`))
        member(`${m.name}:${row.from_id}`, `${links.name}#${row.to_id}`)
  return found
}

const plain = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString('hex') : value)
const contentOf = (path: string): string =>
  existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'missing'

/** What one state has otherwise than another. Fields of an object that came or went are not told one by one. */
export function changesBetween(before: Values, after: Values): Change[] {
  const found: Change[] = []
  for (const object of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(object), after.get(object)]
    const fields = is && new Set([...(was?.keys() ?? []), ...is.keys()])
    for (const field of fields ?? ['*'])
      if (was?.get(field) !== is?.get(field)) found.push({ object, field, was: was?.get(field), is: is?.get(field) })
  }
  return found
}

/** Models that values of custom fields of a state refer to, by the names of the fields. */
function customTargets(state: Values): ReadonlyMap<string, unknown> {
  const known = targetsOf.get(state)
  if (known) return known
  const fields = [...state].flatMap(([object, of]) => (object.startsWith('extras.customfield:') ? [of] : []))
  const found = new Map(fields.map((of) => [`custom_fields.${of.get('name')}`, of.get('related_object_type')]))
  targetsOf.set(state, found)
  return found
}
const targetsOf = new WeakMap<Values, ReadonlyMap<string, unknown>>()

/** Objects that an object of a state refers to by what was written: `dcim.site:5`. */
export function* referred(
  object: string,
  values: ReadonlyMap<string, unknown>,
  state: Values,
  isPartOnly = false,
): Generator<string> {
  const m = modelNamed(object.split(':')[0]!)
  for (const [name, field] of fieldsOf(m) as [string, Field][]) {
    if (field.target && values.has(`${name}_id`) && !(isPartOnly && !goesWith(m, name, field)))
      yield `${field.target.model}:${values.get(`${name}_id`)}`
    if (!field.generic || (isPartOnly && field.generic.onDelete !== 'cascade')) continue
    const as = genericPrefix(field, name)
    if (values.has(`${as}_id`)) yield `${values.get(`${as}_type`)}:${values.get(`${as}_id`)}`
  }
  for (const [field, value] of values) {
    if (field.includes('_terminations#')) yield field.split('#')[1]!
    const to = !isPartOnly && field.startsWith('custom_fields.') && customTargets(state).get(field)
    if (to) for (const id of [JSON.parse(value as string)].flat()) yield `${to}:${id}`
  }
}

/** Whether an object goes with what a field refers to, or with what that stands in: a radio link with either device. */
const goesWith = (m: AnyModel, name: string, { target }: Field): boolean =>
  target!.onDelete === 'cascade' ||
  fieldsOf(m).some(([other, { target }]) => other.startsWith(`_${name}_`) && target?.onDelete === 'cascade')

/** The object that a member is, or that a field refers to; undefined where it is a plain value. */
export function targetOf({ object, field }: Change, values: Values): string | undefined {
  const m = modelNamed(object.split(':')[0]!) as AnyModel
  const [name, to] = field.split('#')
  if (to !== undefined) {
    if (name === 'tags') return `extras.tag:${to}`
    if (name === 'rear_ports') {
      const kind = object.startsWith('dcim.frontporttemplate') ? 'dcim.rearporttemplate' : 'dcim.rearport'
      return `${kind}:${to.split('>')[1]!.split('.')[0]}`
    }
    if (name!.endsWith('_terminations')) return to
    const { links } = m.fields[name!] as Field
    return links && `${links.model}:${to}`
  }
  const one = /^(.*)_id$/.exec(field)?.[1]
  if (one === undefined) return undefined
  const target = (m.fields[one] as Field | undefined)?.target
  const id = values.get(object)?.get(field)
  if (id === undefined) return undefined
  if (target) return `${target.model}:${id}`
  const type = values.get(object)?.get(`${one}_type`)
  return typeof type === 'string' && models[type] ? `${type}:${id}` : undefined
}

/** What goes with some objects (`down`), or what they refer to, through any number of references; and they. */
export function reach(first: Iterable<string>, states: readonly Values[], way: 'up' | 'down'): Set<string> {
  const next = new Map<string, string[]>()
  for (const values of states)
    for (const [object, fields] of values)
      for (const to of referred(object, fields, values, way === 'down')) {
        const [a, b] = way === 'up' ? [object, to] : [to, object]
        next.set(a, [...(next.get(a) ?? []), b])
      }
  const found = new Set(first)
  for (const object of found) for (const each of next.get(object) ?? []) found.add(each)
  return found
}
