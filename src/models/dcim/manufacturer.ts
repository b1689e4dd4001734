import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const manufacturer = model(
  'dcim.manufacturer',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...owned,
    comments,
    ...primary,
    devicetype_count: countOf('dcim.devicetype', 'manufacturer'),
    moduletype_count: countOf('dcim.moduletype', 'manufacturer'),
    inventoryitem_count: countOf('dcim.inventoryitem', 'manufacturer'),
    platform_count: countOf('dcim.platform', 'manufacturer'),
  },
  {
    path: 'dcim/manufacturers',
    label: 'manufacturer',
    plural: 'manufacturers',
    objectName: 'Manufacturer',
    graphql: { members: '-rack_types' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['name'],
    features: primaryFeatures('contacts'),
    search: { text: ['description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...contactFilters,
    },
    pages: {
      columns:
        'name racktype_count devicetype_count moduletype_count inventoryitem_count platform_count description slug',
      extra: { racktype_count: countOf('dcim.racktype', 'manufacturer') },
      form: { Manufacturer: 'name slug description tags' },
      bulk: 'description',
      panels: { Manufacturer: 'name description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
