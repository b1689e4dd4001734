import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const inventoryItemRole = model(
  'dcim.inventoryitemrole',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    color: color({ default: '9e9e9e' }),
    description,
    ...owned,
    comments,
    ...primary,
    inventoryitem_count: countOf('dcim.inventoryitem', 'role'),
  },
  {
    path: 'dcim/inventory-item-roles',
    label: 'inventory item role',
    plural: 'inventory item roles',
    objectName: 'InventoryItemRole',
    ...classifier('inventoryitem_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name inventoryitem_count color description',
      form: { 'Inventory item role': 'name slug color description tags' },
      bulk: 'color description',
      panels: { 'Inventory item role': 'name description color' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
