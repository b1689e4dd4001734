import { installedModule, placeBay } from '../../domain/modules.ts'
import { placeComponent } from '../../domain/places.ts'
import { jsonBoolean } from '../../fields/boolean.ts'
import { boolean, computed, description, owned, primary, ref, text } from '../../fields/index.ts'
import { deviceComponentFilters } from '../../filters/dcim.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const moduleBay = model('dcim.modulebay', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'modulebays', filter: false }),
  module: ref('dcim.module', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'modulebays', shape: ['id', 'url', 'display'] }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  position: text({ blank: true, max: 30 }),
  enabled: boolean({ default: true }),
  description,
  installed_module: computed(installedModule, { schema: { type: ['object', 'null'] } }),
  ...owned,
  ...primary,
  _occupied: computed((t, sql) => {
    sql.uses('dcim_module')
    return jsonBoolean(`(${t}.enabled = 0 or exists (select 1 from dcim_module o where o.module_bay_id = ${t}.id))`)
  }, { schema: { type: 'boolean' } }),
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _rack: ref('dcim.rack', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  parent: ref('dcim.modulebay', { hidden: true, nullable: true, onDelete: 'cascade', related: 'children' }),
}, {
  path: 'dcim/module-bays', label: 'module bay', plural: 'module bays', objectName: 'ModuleBay',
  display: (t) => `case when ${t}.label <> '' then ${t}.name || ' (' || ${t}.label || ')' else ${t}.name end`,
  brief: ['id', 'url', 'display', 'name', 'enabled', 'description', 'installed_module', '_occupied'],
  order: ['name'],
  tree: { parent: 'parent', by: 'name' },
  unique: [{ fields: ['device', 'module', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  relatedObject: 'device',
  search: { text: ['description', 'name', 'label'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...deviceComponentFilters,
    parent_id: relatedFilter('parent', 'dcim.modulebay'),
    installed_module_id: relatedFilter('installed_module', 'dcim.module'),
  },
})

behaviour(moduleBay, {
  prepare: (event) => {
    placeComponent(event)
    placeBay(event)
    if (event.before && event.before.device_id !== event.row.device_id) event.errors.device = ['Components cannot be moved to a different device.']
  },
})
