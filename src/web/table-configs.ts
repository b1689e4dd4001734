import { conditionOf } from '../http/lists.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { listHref } from './links.ts'
import type { Visit } from './visit.ts'

/** Columns and an order of a list that somebody gave a name. */
interface TableConfig {
  id: number
  name: string
  description: string
  columns: readonly string[]
  ordering: readonly string[] | null
}

/** The configurations of a model's list that the user may use, in their order. */
export function tableConfigs(call: Visit, m: AnyModel, more: Record<string, string> = {}): TableConfig[] {
  const config = modelNamed('extras.tableconfig')
  if (!may(call.actor, 'view', config)) return []
  const usable = new URLSearchParams({ object_type: m.name, usable: 'true', ...more })
  const { ids } = call.store.reader.page(config, conditionOf(call, config, usable), undefined, 100, 0)
  const members = ['id', 'name', 'description', 'columns', 'ordering']
  return call.store.reader
    .rows(config, ids, { members }, '')
    .map((bytes) => JSON.parse(bytes.toString()) as TableConfig)
}

/** The configuration that a list's address asks for (`?tableconfig_id=3`). */
export function tableConfig(call: Visit, m: AnyModel): TableConfig | undefined {
  const id = call.query.get('tableconfig_id')
  return id && /^\d{1,15}$/.test(id) ? tableConfigs(call, m, { id })[0] : undefined
}

/** The form of a new configuration with these columns; undefined for whoever may not add one. */
export function configHref(call: Visit, m: AnyModel, table: string, columns: readonly string[]): string | undefined {
  const config = modelNamed('extras.tableconfig')
  if (!call.actor.writes || !may(call.actor, 'add', config)) return undefined
  const preset = new URLSearchParams({ object_type: m.name, table, columns: columns.join(', ') })
  return `${listHref(call, config)}add/?${preset}`
}
