import { FromType } from '../../rules/racks.ts'
import { gramsOf, weigh } from '../../rules/units.ts'
import {
  RackDimensionUnitChoices,
  RackFormFactorChoices,
  RackWidthChoices,
  WeightUnitChoices,
} from '../../choices/dcim.ts'
import {
  boolean,
  choice,
  comments,
  counter,
  decimal,
  description,
  integer,
  owned,
  primary,
  ref,
  slug,
  text,
} from '../../fields/index.ts'
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
    form_factor: choice(RackFormFactorChoices, { nullable: true, blank: true }),
    width: choice(RackWidthChoices, { default: 19, filter: false }),
    u_height: integer({ label: 'Height (U)', min: 1, max: 100, default: 42 }),
    starting_unit: integer({
      help: 'The lowest number that a unit has.',
      min: 1,
      max: 32767,
      default: 1,
    }),
    desc_units: boolean({ help: 'Units are numbered from the top down.', label: 'Descending units', default: false }),
    outer_width: integer({ nullable: true, min: 0, max: 32767, unit: 'outer_unit' }),
    outer_height: integer({ nullable: true, min: 0, max: 32767, unit: 'outer_unit' }),
    outer_depth: integer({ nullable: true, min: 0, max: 32767, unit: 'outer_unit' }),
    outer_unit: choice(RackDimensionUnitChoices, {
      help: 'Unit of the outer width, height and depth.',
      nullable: true,
      blank: true,
      single: true,
    }),
    weight: decimal({ nullable: true, digits: 8, places: 2, unit: 'weight_unit' }),
    max_weight: integer({
      help: 'The heaviest load that it may carry, in the unit of its weight.',
      unit: 'weight_unit',
      nullable: true,
      min: 0,
      max: 2147483647,
    }),
    weight_unit: choice(WeightUnitChoices, { nullable: true, blank: true, single: true }),
    mounting_depth: integer({
      help: 'Millimetres between the front and the rear rails.',
      unit: 'mm',
      nullable: true,
      min: 0,
      max: 32767,
    }),
    ...owned,
    comments,
    ...primary,
    rack_count: counter('dcim.rack', 'rack_type'),
    _abs_weight: integer({ hidden: true, graphed: true, nullable: true }),
    _abs_max_weight: integer({ hidden: true, graphed: true, nullable: true }),
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
    weigh({ row, errors })
    row._abs_max_weight = gramsOf(row.max_weight, row.weight_unit)
    if (row.max_weight && !row.weight_unit) errors.__all__ = ['Must specify a unit when setting a maximum weight']
    const hasOuter = row.outer_width !== null || row.outer_height !== null || row.outer_depth !== null
    if (hasOuter && !row.outer_unit) errors.__all__ = ['Must specify a unit when setting an outer dimension']
    if (!hasOuter) row.outer_unit = null
    if (!row.form_factor) errors.form_factor = ['This field cannot be blank.']
  },
  saved: ({ row, before, tools }) => {
    if (!before) return
    const taken = Object.fromEntries(FromType.map((name) => [name, row[name] ?? null]))
    for (const rack of tools.rows('dcim.rack', { rack_type_id: row.id }, { only: ['id'] }))
      tools.patch('dcim.rack', rack.id, taken)
  },
})
