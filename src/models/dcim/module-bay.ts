import { componentPlace, named, places } from '../../rules/component-fields.ts'
import { InstalledShape, installedId, installedModule, placeBay } from '../../rules/modules.ts'
import { placeComponent } from '../../rules/places.ts'
import { jsonBoolean } from '../../fields/boolean.ts'
import { boolean, computed, description, owned, primary, ref, text } from '../../fields/index.ts'
import { deviceComponentFilters } from '../../filters/dcim.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { labelled, primaryFeatures } from '../../declare/presets.ts'

export const moduleBay = model(
  'dcim.modulebay',
  {
    device: ref('dcim.device', { onDelete: 'cascade', related: 'modulebays', filter: false }),
    module: ref('dcim.module', {
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'modulebays',
      shape: ['id', 'url', 'display'],
    }),
    ...named,
    position: text({ blank: true, max: 30 }),
    enabled: boolean({ default: true }),
    description,
    installed_module: computed(installedModule, {
      object: { model: 'dcim.module', shape: InstalledShape, id: installedId },
      facts: { read_only: false },
    }),
    ...owned,
    ...primary,
    _occupied: computed(
      (t, sql) => {
        sql.uses('dcim_module', { t, column: 'module_bay_id' })
        return jsonBoolean(`(${t}.enabled = 0 or exists (select 1 from dcim_module o where o.module_bay_id = ${t}.id))`)
      },
      { schema: { type: 'boolean' }, type: 'boolean' },
    ),
    ...places,
    parent: ref('dcim.modulebay', { hidden: true, nullable: true, onDelete: 'cascade', related: 'children' }),
  },
  {
    path: 'dcim/module-bays',
    label: 'module bay',
    plural: 'module bays',
    objectName: 'ModuleBay',
    graphql: {
      members: 'installed_module=dcim.module.module_bay parent',
      filters: 'inventory_items=none:InventoryItemFilter parent parent_id:ID',
    },
    display: labelled,
    brief: ['id', 'url', 'display', 'name', 'enabled', 'description', 'installed_module', '_occupied'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: [{ fields: ['device', 'module', 'name'] }],
    features: primaryFeatures(),
    relatedObject: 'device',
    search: { text: ['description', 'name', 'label'] },
    filters: {
      ...primaryFilters,
      ...deviceComponentFilters,
      parent_id: relatedFilter('parent', 'dcim.modulebay'),
      installed_module_id: relatedFilter('installed_module', 'dcim.module'),
    },
    pages: {
      columns: 'name device enabled module.module_bay label installed_module installed_module.status description',
      labels: {
        'module.module_bay': 'Parent',
        'module.module_type': 'Parent module type',
        'module.status': 'Parent module status',
        'module.serial': 'Parent module serial number',
        'module.asset_tag': 'Parent module asset tag',
        'installed_module.module_type': 'Module type',
        'installed_module.status': 'Module status',
      },
      filters: {
        Attributes: 'name label position enabled',
        ...componentPlace,
      },
      form: { '': 'device module name label position enabled description tags' },
      within: 'name label position enabled installed_module installed_module.status description',
      series: 'name label position',
      bulk: 'label position enabled description',
      panels: {
        'Module bay': 'device module name label position description',
        'Installed module': `
          installed_module installed_module.module_type.manufacturer installed_module.module_type
          installed_module.serial installed_module.asset_tag
        `,
      },
      weights: { name: 100, label: 200, description: 500 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(moduleBay, {
  prepare: (event) => {
    placeComponent(event)
    placeBay(event)
    if (event.before && event.before.device_id !== event.row.device_id)
      event.errors.device = ['Components cannot be moved to a different device.']
  },
})
