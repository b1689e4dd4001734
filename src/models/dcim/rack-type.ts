import {
  FromType,
  measureRack,
  mountingDepth,
  rackGrams,
  rackOutside,
  rackUnits,
  rackWeights,
} from '../../rules/rack-fields.ts'
import { RackWidthChoices } from '../../choices/dcim.ts'
import { comments, counter, description, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const rackType = model(
  'dcim.racktype',
  {
    manufacturer: ref('dcim.manufacturer', { related: 'rack_types' }),
    model: text({ max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...rackUnits,
    ...rackOutside,
    ...rackWeights,
    ...mountingDepth,
    ...owned,
    comments,
    ...primary,
    rack_count: counter('dcim.rack', 'rack_type'),
    ...rackGrams,
  },
  {
    path: 'dcim/rack-types',
    label: 'rack type',
    plural: 'rack types',
    objectName: 'RackType',
    graphql: {
      members: 'form_factor:String! -racks',
      filters: 'weight:FloatFilterLookup racks rack_count:IntComparisonFilterLookup',
    },
    display: 'model',
    brief: ['id', 'url', 'display', 'manufacturer', 'model', 'slug', 'description', 'rack_count'],
    order: ['manufacturer', 'model'],
    unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],
    features: primaryFeatures('image_attachments'),
    search: { text: ['comments', 'model', 'description'] },
    filters: {
      ...primaryFilters,
      manufacturer: relatedFilter('manufacturer', 'dcim.manufacturer', { by: 'slug' }),
      width: choiceFilter('width', RackWidthChoices, { lookups: CharLookupsNoEmpty }),
    },
    pages: {
      named: 'model',
      beside: 'manufacturer',
      labels: { max_weight: 'Maximum weight' },
      columns: 'model manufacturer form_factor u_height description rack_count',
      filters: {
        'Rack type': 'manufacturer_id form_factor width u_height rack_count',
        Numbering: 'starting_unit desc_units',
        Weight: 'weight max_weight weight_unit',
      },
      form: {
        'Rack type': 'manufacturer model slug description form_factor tags',
        Dimensions:
          'width u_height outer_width outer_height outer_depth outer_unit weight max_weight weight_unit mounting_depth',
        Numbering: 'starting_unit desc_units',
      },
      bulk: `
        manufacturer description form_factor width u_height outer_width outer_height outer_depth outer_unit weight
        max_weight weight_unit mounting_depth starting_unit desc_units
      `,
      panels: {
        'Rack type': 'manufacturer model description',
        Dimensions: 'form_factor width u_height outer_width outer_height outer_depth mounting_depth',
        Numbering: 'starting_unit desc_units',
        Weight: 'weight max_weight',
      },
      weights: { model: 100, description: 500, comments: 5000 },
      narrow: { manufacturer_id: 'manufacturer' },
    },
  },
)

behaviour(rackType, {
  prepare: ({ row, errors }) => {
    measureRack({ row, errors }, 'outer dimension')
    if (!row.form_factor) errors.form_factor = ['This field cannot be blank.']
  },
  saved: ({ row, before, tools }) => {
    if (!before) return
    const taken = Object.fromEntries(FromType.map((name) => [name, row[name] ?? null]))
    for (const rack of tools.rows('dcim.rack', { rack_type_id: row.id }, { only: ['id'] }))
      tools.patch('dcim.rack', rack.id, taken)
  },
})
