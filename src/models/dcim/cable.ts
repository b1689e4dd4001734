import {
  CableLengthUnitChoices,
  CableProfileChoices,
  CableTypeChoices,
  ColorChoices,
  LinkStatusChoices,
} from '../../choices/dcim.ts'
import { cableFilters } from '../../rules/cable-filters.ts'
import { cablePlaces } from '../../rules/cable-places.ts'
import { CabledModels } from '../../rules/cabled-fields.ts'
import { checkCable, freeTerminations, connectCable } from '../../rules/cables.ts'
import { retrace } from '../../rules/paths.ts'
import { metresOf } from '../../rules/units.ts'
import {
  choice,
  color,
  comments,
  decimal,
  description,
  genericList,
  owned,
  primary,
  ref,
  text,
} from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { contentTypeFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { cableColumns } from '../../rules/import-columns.ts'

export const cable = model(
  'dcim.cable',
  {
    type: choice(CableTypeChoices, { nullable: true, blank: true, raw: true }),
    a_terminations: genericList(CabledModels, {
      through: 'dcim.cabletermination',
      by: 'cable',
      generic: 'termination',
      where: { cable_end: 'A' },
      order: 'connector',
    }),
    b_terminations: genericList(CabledModels, {
      through: 'dcim.cabletermination',
      by: 'cable',
      generic: 'termination',
      where: { cable_end: 'B' },
      order: 'connector',
    }),
    status: choice(LinkStatusChoices, { default: 'connected' }),
    profile: choice(CableProfileChoices, { required: false, blank: true, dbNull: true }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'cables', filter: false }),
    bundle: ref('dcim.cablebundle', { apiDefault: null, onDelete: 'set null', related: 'cables' }),
    label: text({ blank: true, max: 100 }),
    color: color({ blank: true }),
    length: decimal({ nullable: true, digits: 8, places: 2, unit: 'length_unit' }),
    length_unit: choice(CableLengthUnitChoices, { nullable: true, blank: true, single: true }),
    description,
    ...owned,
    comments,
    ...primary,
    _abs_length: decimal({ hidden: true, graphed: true, nullable: true, digits: 14, places: 4 }),
  },
  {
    path: 'dcim/cables',
    label: 'cable',
    plural: 'cables',
    objectName: 'Cable',
    graphql: { members: 'profile:String!', filters: 'terminations -profile -bundle -bundle_id' },
    display: (t) => `case when ${t}.label <> '' then ${t}.label else '#' || ${t}.id end`,
    brief: ['id', 'url', 'display', 'label', 'description'],
    key: ['label'],
    order: [],
    large: ['status', 'type'],
    features: primaryFeatures(),
    search: { text: ['label', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...cableFilters,
      termination_a_type: contentTypeFilter('terminations.termination_type'),
      termination_b_type: contentTypeFilter('terminations.termination_type'),
      bundle: relatedFilter('bundle', 'dcim.cablebundle', { by: 'name' }),
      color: choiceFilter('color', ColorChoices),
    },
    pages: {
      named: 'label',
      extra: cablePlaces,
      beside: 'color',
      columns: 'label a_terminations b_terminations status type',
      filters: {
        Location: 'site_id location_id rack_id device_id',
        Attributes: 'type status profile color length length_unit unterminated bundle_id',
      },
      form: {
        Ends: 'a_terminations b_terminations',
        Cable: 'type status profile label color length length_unit bundle description tags',
        Tenancy: 'tenant',
      },
      bulk: 'type status profile tenant bundle label description color length length_unit',
      panels: { Cable: 'type status profile tenant bundle label description color length' },
      labels: { a_terminations: 'Ends at A', b_terminations: 'Ends at B' },
      sticker: ['{a_terminations}', '{b_terminations}', '{type} · {label}'],
      weights: { label: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(cable, {
  prepare: ({ row }) => {
    if (row.length === null) row.length_unit = null
    row._abs_length = metresOf(row.length, row.length_unit)
  },
  validate: (event) => checkCable(event),
  saved: (event) => connectCable(event),
  deleting: ({ row, tools }) => freeTerminations(tools, row.id),
  deleted: ({ row, tools }) => retrace(tools, [{ type: 'dcim.cable', id: row.id }]),
})

behaviour(cable, {
  importColumns: cableColumns,
})
