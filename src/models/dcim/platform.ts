import { methodFilter } from '../../filters/method.ts'
import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { amongRows } from '../../filters/filter.ts'
import { named, relatedFilter } from '../../filters/related.ts'
import { primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures, uniqueWithin } from '../../declare/presets.ts'

export const platform = model(
  'dcim.platform',
  {
    parent: ref('dcim.platform', {
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'children',
      shape: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    name: text({ max: 100 }),
    slug: slug(),
    manufacturer: ref('dcim.manufacturer', { nullable: true, related: 'platforms' }),
    config_template: ref('extras.configtemplate', { nullable: true, apiDefault: null, related: 'platforms' }),
    description,
    ...owned,
    comments,
    ...primary,
    device_count: countOf('dcim.device', 'platform', { cumulative: true, nested: 0 }),
    virtualmachine_count: countOf('virtualization.virtualmachine', 'platform', { cumulative: true, nested: 0 }),
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'dcim/platforms',
    label: 'platform',
    plural: 'platforms',
    objectName: 'Platform',
    graphql: { filters: '-parent -parent_id' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'device_count', 'virtualmachine_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: uniqueWithin('manufacturer', 'name', 'slug'),
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      available_for_device_type: methodFilter(
        ([value], c) => {
          c.uses('dcim_devicetype')
          return `(${c.t}.manufacturer_id is null or ${c.t}.manufacturer_id = (select manufacturer_id
            from dcim_devicetype where ${amongRows('id', [named('dcim.devicetype', 'id', value!, c)], c.bind)}))`
        },
        { single: true, type: 'integer' },
      ),
      ...primaryFilters,
      ...treeFilters('dcim.platform'),
      manufacturer: relatedFilter('manufacturer', 'dcim.manufacturer', { by: 'slug' }),
    },
    pages: {
      columns: 'name manufacturer device_count virtualmachine_count description',
      filters: { Platform: 'manufacturer_id parent_id config_template_id' },
      form: { Platform: 'name slug parent manufacturer config_template description tags' },
      bulk: 'parent manufacturer config_template description',
      panels: { Platform: 'parent name description manufacturer config_template' },
      tables: [['dcim.platform', 'parent_id', 'Child platforms']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
