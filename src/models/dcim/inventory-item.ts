import { componentPlace, named, places } from '../../rules/component-fields.ts'
import { placeComponent } from '../../rules/places.ts'
import { InventoryItemStatusChoices } from '../../choices/dcim.ts'
import { boolean, choice, description, generic, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { deviceComponentFilters } from '../../filters/dcim.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { labelled, primaryFeatures } from '../../declare/presets.ts'

export const inventoryItem = model(
  'dcim.inventoryitem',
  {
    device: ref('dcim.device', { onDelete: 'cascade', related: 'inventoryitems', filter: false }),
    parent: ref('dcim.inventoryitem', {
      raw: true,
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'child_items',
    }),
    ...named,
    status: choice(InventoryItemStatusChoices, { default: 'active' }),
    role: ref('dcim.inventoryitemrole', { nullable: true, related: 'inventory_items' }),
    manufacturer: ref('dcim.manufacturer', { nullable: true, apiDefault: null, related: 'inventory_items' }),
    part_id: text({ blank: true, label: 'Part ID', max: 50 }),
    serial: text({ blank: true, label: 'Serial number', max: 50, iexact: true }),
    asset_tag: text({ nullable: true, blank: true, unique: true, max: 50 }),
    discovered: boolean({ default: false }),
    description,
    component: generic(
      [
        'dcim.consoleport',
        'dcim.consoleserverport',
        'dcim.frontport',
        'dcim.interface',
        'dcim.poweroutlet',
        'dcim.powerport',
        'dcim.rearport',
      ],
      { nullable: true, related: 'inventory_items' },
    ),
    ...owned,
    ...primary,
    _depth: integer({ readOnly: true, filter: false }),
    ...places,
  },
  {
    path: 'dcim/inventory-items',
    label: 'inventory item',
    plural: 'inventory items',
    objectName: 'InventoryItem',
    display: labelled,
    brief: ['id', 'url', 'display', 'device', 'name', 'description', '_depth'],
    order: ['name'],
    large: ['status'],
    tree: { parent: 'parent' },
    unique: [{ fields: ['device', 'parent', 'name'] }],
    features: primaryFeatures(),
    relatedObject: 'device',
    search: { text: ['description', 'asset_tag', 'serial', 'name', 'part_id'] },
    filters: {
      ...primaryFilters,
      ...deviceComponentFilters,
      manufacturer: relatedFilter('manufacturer', 'dcim.manufacturer', { by: 'slug' }),
      role: relatedFilter('role', 'dcim.inventoryitemrole', { by: 'slug' }),
    },
    pages: {
      labels: { parent: 'Parent item' },
      columns: 'name device label status role manufacturer part_id serial asset_tag',
      filters: {
        Attributes: 'name label status role_id manufacturer_id serial asset_tag discovered',
        ...componentPlace,
      },
      form: {
        'Inventory item': 'device parent name label status role description tags',
        Component: 'component',
        Hardware: 'manufacturer part_id serial asset_tag',
      },
      within: 'name label status role manufacturer part_id serial asset_tag component',
      series: 'name label',
      bulk: 'device label role manufacturer part_id status description',
      panels: {
        'Inventory item':
          'device parent name label status role component manufacturer part_id serial asset_tag description',
      },
      tabs: { children: ['dcim.inventoryitem', 'parent_id', 'Child items'] },
      sticker: ['{device}', '{part_id}', '{asset_tag} · {serial}'],
      weights: { asset_tag: 50, serial: 60, name: 100, label: 200, description: 500, part_id: 2000 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(inventoryItem, {
  prepare: (event) => {
    placeComponent(event)
    const { row, before, tools } = event
    const component = row.component_id === null ? undefined : tools.row(row.component_type!, row.component_id)
    if (before && component && component.device_id !== row.device_id)
      Object.assign(row, { component_type: null, component_id: null })
  },
  validate: ({ row, before, errors, tools }) => {
    const parent = row.parent_id === null ? undefined : tools.row('dcim.inventoryitem', row.parent_id)
    if (before && parent && parent.device_id !== row.device_id)
      errors.parent = ['The parent inventory item does not belong to the same device.']
    const left = { parent_id: row.id, device_id: { not: row.device_id } } // some may have come with it
    if (before && before.device_id !== row.device_id && tools.has('dcim.inventoryitem', left))
      errors.__all__ = ['An inventory item with children cannot be moved to another device.']
    if (before || row.component_id === null) return
    if (tools.row(row.component_type!, row.component_id)?.device_id !== row.device_id)
      errors.device = ['The component does not belong to the same device.']
  },
})
