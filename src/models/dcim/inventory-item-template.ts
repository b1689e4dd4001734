import { named } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { description, generic, integer, ref, stamps, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { labelled } from '../../declare/presets.ts'

export const inventoryItemTemplate = model(
  'dcim.inventoryitemtemplate',
  {
    device_type: ref('dcim.devicetype', { onDelete: 'cascade', related: 'inventoryitemtemplates' }),
    parent: ref('dcim.inventoryitemtemplate', {
      raw: true,
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'child_items',
    }),
    ...named,
    role: ref('dcim.inventoryitemrole', { nullable: true, related: 'inventory_item_templates' }),
    manufacturer: ref('dcim.manufacturer', { nullable: true, apiDefault: null, related: 'inventory_item_templates' }),
    part_id: text({ blank: true, label: 'Part ID', max: 50 }),
    description,
    component: generic(
      [
        'dcim.consoleporttemplate',
        'dcim.consoleserverporttemplate',
        'dcim.frontporttemplate',
        'dcim.interfacetemplate',
        'dcim.poweroutlettemplate',
        'dcim.powerporttemplate',
        'dcim.rearporttemplate',
      ],
      { nullable: true },
    ),
    ...stamps,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'dcim/inventory-item-templates',
    label: 'inventory item template',
    plural: 'inventory item templates',
    objectName: 'InventoryItemTemplate',
    graphql: { members: 'manufacturer:ManufacturerType!', filters: '-parent_id' },
    display: labelled,
    brief: ['id', 'url', 'display', 'name', 'description', '_depth'],
    order: ['name'],
    tree: { parent: 'parent' },
    unique: [{ fields: ['device_type', 'parent', 'name'] }],
    features: ['change_logging', 'custom_validation', 'event_rules'],
    displayUrl: false,
    relatedObject: 'device_type',
    search: { text: ['description', 'name', 'part_id'] },
    filters: {
      ...changelogFilters,
      manufacturer: relatedFilter('manufacturer', 'dcim.manufacturer', { by: 'slug' }),
      role: relatedFilter('role', 'dcim.inventoryitemrole', { by: 'slug' }),
    },
    pages: {
      form: { '': 'device_type parent name label role component manufacturer part_id description' },
      within: 'name label parent role manufacturer part_id description component',
      series: 'name label',
      bulk: 'label description role manufacturer',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(inventoryItemTemplate, {
  validate: (event) => checkTemplate(event as never),
})
