import { CableLengthUnitChoices, CableProfileChoices, CableTypeChoices, ColorChoices, LinkStatusChoices } from '../../choices/dcim.ts'
import { choice, color, comments, computed, decimal, description, owned, primary, ref, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { contentTypeFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const cable = model('dcim.cable', {
  type: choice(CableTypeChoices, { nullable: true, blank: true, raw: true }),
  a_terminations: computed(() => "json('[]')"),
  b_terminations: computed(() => "json('[]')"),
  status: choice(LinkStatusChoices, { default: 'connected' }),
  profile: choice(CableProfileChoices, { required: false, blank: true, dbNull: true }),
  tenant: ref('tenancy.tenant', { nullable: true, related: 'cables', filter: false }),
  bundle: ref('dcim.cablebundle', { apiDefault: null, onDelete: 'set null', related: 'cables' }),
  label: text({ blank: true, max: 100 }),
  color: color({ blank: true }),
  length: decimal({ nullable: true, digits: 8, places: 2 }),
  length_unit: choice(CableLengthUnitChoices, { nullable: true, blank: true, single: true }),
  description,
  ...owned,
  comments,
  ...primary,
  _abs_length: decimal({ hidden: true, nullable: true, digits: 14, places: 4 }),
}, {
  path: 'dcim/cables', label: 'cable', plural: 'cables', objectName: 'Cable',
  display: (t) => `${t}.id`,
  brief: ['id', 'url', 'display', 'label', 'description'],
  order: [],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['label', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...tenancyFilters,
    termination_a_type: contentTypeFilter('terminations.termination_type'),
    termination_b_type: contentTypeFilter('terminations.termination_type'),
    bundle: relatedFilter('bundle', 'dcim.cablebundle', { by: 'name' }),
    color: choiceFilter('color', ColorChoices),
  },
})
