import type { SqlContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'
import type { WriteEvent, WriteTools } from '../declare/behaviour.ts'
import { instantiate } from './components.ts'
import type { RowNamed } from '../declare/model.ts'

interface Module {
  id: number
  device_id: number
  module_bay_id: number
  module_type_id: number
}

type Bay = RowNamed<'dcim.modulebay'>

/** Bays from the outermost to the one given. */
function bays(tools: WriteTools, bayId: number): Bay[] {
  const found: Bay[] = []
  let id: number | null = bayId
  while (id !== null && !found.some((bay) => bay.id === id)) {
    const bay: Bay | undefined = tools.row('dcim.modulebay', id)
    if (!bay) break
    found.unshift(bay)
    id = bay.module_id === null ? null : (tools.row('dcim.module', bay.module_id)?.module_bay_id ?? null)
  }
  return found
}

/** Rules of where a module may be. */
export function checkModule({ row, before, errors, tools }: WriteEvent<Module>): void {
  const bay = tools.row('dcim.modulebay', row.module_bay_id)!
  if (bay.device_id !== row.device_id) errors.__all__ = ['The module must be installed in a module bay of its device.']
  if (!bay.enabled && before?.module_bay_id !== row.module_bay_id) errors.module_bay = ['The module bay is disabled.']
  const taken = tools.has('dcim.module', { module_bay_id: row.module_bay_id, id: { not: before?.id ?? 0 } })
  if (taken) errors.module_bay ??= ['A module is installed in this module bay already.']
  if (before && bays(tools, row.module_bay_id).some((each) => each.module_id === before.id))
    errors.__all__ ??= ['A module cannot be installed in a bay of its own.']
}

/** A new module brings the components of its type; one that is put elsewhere takes its bays along. */
export function fillModule({ row, before, given, tools }: WriteEvent<Module>): void {
  if (before && before.module_bay_id !== row.module_bay_id)
    for (const bay of tools.rows('dcim.modulebay', { module_id: row.id }, { only: ['id'] }))
      tools.update('dcim.modulebay', bay.id, {})
  const [adopt, replicate] = [given.adopt_components === true, given.replicate_components !== false]
  if (before || !(adopt || replicate)) return
  const positions = bays(tools, row.module_bay_id).map((bay) => bay.position || null)
  instantiate(tools, {
    device: tools.row('dcim.device', row.device_id)!,
    by: 'module_type_id',
    type: tools.row('dcim.moduletype', row.module_type_id)!,
    module: { id: row.id, positions, adopt, replicate },
  })
}

/** A bay belongs below the bay of the module that brought it. */
export function placeBay({
  row,
  before,
  errors,
  tools,
}: WriteEvent<{ id: number; module_id: number | null; parent_id: number | null }>): void {
  row.parent_id = row.module_id === null ? null : tools.row('dcim.module', row.module_id)!.module_bay_id
  if (before && row.parent_id !== null && bays(tools, row.parent_id).some((bay) => bay.id === before.id))
    errors.__all__ = ['A module bay cannot belong to a module installed within it.']
}

/** Members of the module in a bay. */
export const InstalledShape = ['id', 'url', 'display', 'serial', 'description'] as const

/** SQL of the id of the module in a bay. */
export function installedId(t: string, sql: SqlContext): string {
  sql.uses('dcim_module', { t, column: 'module_bay_id' })
  return `(select o.id from dcim_module o where o.module_bay_id = ${t}.id)`
}

/** The module in a bay as the bay shows it, or null. */
export function installedModule(t: string, sql: SqlContext): string {
  const target = sql.model('dcim.module')
  const a = sql.alias()
  sql.uses(target.table, { t, column: 'module_bay_id' })
  return `json((select ${sql.nested(target, a, InstalledShape)} from ${q(target.table)} ${a}
    where ${a}.module_bay_id = ${t}.id))`
}
