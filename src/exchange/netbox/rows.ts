import type { Field, Row } from '../../fields/field.ts'
import { q } from '../../lib/sql.ts'
import { linkOf } from '../../fields/refs.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Definition } from '../../store/custom-fields.ts'
import { defaultsOf } from '../../store/insert.ts'
import { bareMac, modern } from './older.ts'
import { carryNumbers, stringifyExact } from '../../lib/exact-json.ts'
import type { Json } from './source.ts'

/** Here's id of a source's object, which is named by its id, or by its slug where the API shows no more. */
export type Translate = (model: string, name: number | string) => number

/** What an object of the source becomes here: its row, and the rows that hang on it. */
interface Copy {
  columns: Row
  /** Rows of other tables, as columns; one that is there already is left. */
  more: { table: string; columns: Row }[]
  /** Uploaded files by column: the links that the source shows. */
  files: Record<string, string>
}

/** Reads an object as the API shows it into rows, whatever field wrote it there. */
export function copyOf(
  m: AnyModel,
  id: number,
  shown: Json,
  translate: Translate,
  definitions: readonly Definition[],
): Copy {
  const json = modern(m, shown)
  const copy: Copy = { columns: { ...defaultsOf(m) }, more: [], files: {} }
  for (const [name, field] of fieldsOf(m)) {
    if (field.options.hidden) continue
    if (field.upload) {
      if (typeof json[name] === 'string' && json[name] !== '') copy.files[name] = json[name]
    } else if (field.sharedLinks) {
      const { model, table, type, from, to } = field.sharedLinks
      copy.more.push(
        ...idsIn(json[name]).map((target) => ({
          table,
          columns: { [type]: m.name, [from]: id, [to]: translate(model, target) },
        })),
      )
    } else if (field.userDefined)
      copy.columns[field.userDefined] = stringifyExact(customValues((json[name] ?? {}) as Json, translate, definitions))
    else if (field.links) copy.more.push(...linksOf(m, id, name, field, json[name], translate))
    else Object.assign(copy.columns, columnsOf(field, name, json, translate))
  }
  copy.more.push(...mappings(m, id, json, translate))
  const mac = bareMac(m, json)
  if (mac)
    copy.more.push({
      table: 'dcim_macaddress',
      columns: {
        ...defaultsOf(modelNamed('dcim.macaddress')),
        mac_address: mac,
        assigned_object_type: m.name,
        assigned_object_id: id,
      },
    })
  if (m.name === 'users.user') copy.columns.password = '!' // no password fits
  if (m.name === 'extras.notification') copy.columns.object_repr = String(json.display ?? '')
  return copy
}

const idOf = (value: unknown): number | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  return typeof id === 'number' ? id : undefined
}
const idsIn = (list: unknown): number[] => (Array.isArray(list) ? list.map(idOf).filter((id) => id !== undefined) : [])

function columnsOf(field: Field, name: string, json: Json, translate: Translate): Row {
  if (field.generic) {
    const as = genericPrefix(field, name)
    const [type, id] = [json[`${as}_type`], json[`${as}_id`]]
    return typeof type === 'string' && typeof id === 'number'
      ? { [`${as}_type`]: type, [`${as}_id`]: translate(type, id) }
      : {}
  }
  if (!(name in json) || !Object.keys(field.columns(name)).length) return {}
  const value = json[name]
  if (field.target) {
    const id = idOf(value)
    return { [`${name}_id`]: id === undefined ? null : translate(field.target.model, id) }
  }
  const plain = plainValue(field, value)
  if (plain === undefined) return {}
  return field.write ? field.write(plain, name) : { [name]: plain as Row[string] }
}

/** A member's value as its field stores it; undefined to leave the default. */
const plainValue = (field: Field, shown: unknown): unknown =>
  field.fromShown ? field.fromShown(shown) : (shown ?? (field.options.nullable ? null : undefined))

function linksOf(
  m: AnyModel,
  id: number,
  name: string,
  field: Field,
  list: unknown,
  translate: Translate,
): Copy['more'] {
  if (field.links!.via) return [] // its other side has them
  const { table, from, to } = linkOf(m, name)
  const targets = Array.isArray(list)
    ? list.map((each) => (typeof each === 'string' ? each : idOf(each))).filter((each) => each !== undefined)
    : []
  return targets.map((target) => ({ table, columns: { [from]: id, [to]: translate(field.links!.model, target) } }))
}

/** Values of custom fields: objects become their ids. */
function customValues(values: Json, translate: Translate, definitions: readonly Definition[]): Json {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  const copied = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { type, related_object_type: model } = byName.get(name) ?? {}
      if (type === 'object' && model) return [name, idOf(value) === undefined ? null : translate(model, idOf(value)!)]
      if (type === 'multiobject' && model)
        return [name, Array.isArray(value) ? idsIn(value).map((id) => translate(model, id)) : null]
      return [name, value]
    }),
  )
  return carryNumbers(values, copied)
}

/** Models of ports whose positions are mapped to others', with the columns that the mappings share with them. */
const Mapped: Readonly<Record<string, { table: string; rear: string; shared: readonly string[] }>> = {
  'dcim.frontport': { table: 'dcim_portmapping', rear: 'dcim.rearport', shared: ['device'] },
  'dcim.frontporttemplate': {
    table: 'dcim_porttemplatemapping',
    rear: 'dcim.rearporttemplate',
    shared: ['device_type', 'module_type'],
  },
}

/** Mappings of a front port to positions of rear ports. */
function mappings(m: AnyModel, id: number, json: Json, translate: Translate): Copy['more'] {
  const mapped = Mapped[m.name]
  if (!mapped) return []
  const list = (json.rear_ports ?? []) as Json[]
  const shared = Object.fromEntries(
    mapped.shared.map((name) => {
      const owner = idOf(json[name])
      return [`${name}_id`, owner === undefined ? null : translate(m.fields[name].target.model, owner)]
    }),
  )
  return list.map((each) => ({
    table: mapped.table,
    columns: {
      ...shared,
      front_port_id: id,
      front_port_position: Number(each.position ?? 1),
      rear_port_id: translate(mapped.rear, idOf(each.rear_port)!),
      rear_port_position: Number(each.rear_port_position ?? 1),
    },
  }))
}

/** SQL that stores columns as a new row; one that `onConflict` names stays as it is. */
export function insertion(table: string, columns: Row, onConflict: string): { sql: string; values: Row[string][] } {
  const names = Object.keys(columns)
  return {
    sql: `insert into ${q(table)} (${names.map(q).join(', ')}) values (${names.map(() => '?').join(', ')})
      on conflict ${onConflict} do nothing`,
    values: Object.values(columns),
  }
}
