import { PowerPortTypeChoices } from '../../choices/dcim.ts'
import { cabled, connected, connector, occupied, path } from '../../domain/cabled-fields.ts'
import { prepareComponent } from '../../domain/places.ts'
import { traceAction } from '../../domain/trace.ts'
import { choice, description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { cabledFilters, deviceComponentFilters, pathEndpointFilters } from '../../filters/dcim.ts'
import { numberFilter } from '../../filters/number.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const powerPort = model('dcim.powerport', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'powerports', filter: false }),
  module: ref('dcim.module', { nullable: true, onDelete: 'cascade', related: 'powerports', shape: ['id', 'url', 'display', 'device', 'module_bay'] }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PowerPortTypeChoices, { nullable: true, blank: true }),
  maximum_draw: integer({ nullable: true, min: 1, max: 2147483647 }),
  allocated_draw: integer({ nullable: true, min: 1, max: 2147483647 }),
  description,
  ...cabled,
  ...connected,
  ...owned,
  ...primary,
  ...occupied,
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _rack: ref('dcim.rack', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  ...connector,
  ...path,
}, {
  path: 'dcim/power-ports', label: 'power port', plural: 'power ports', objectName: 'PowerPort',
  display: (t) => `case when ${t}.label <> '' then ${t}.name || ' (' || ${t}.label || ')' else ${t}.name end`,
  brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
  order: ['device', 'name'],
  unique: [{ fields: ['device', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  relatedObject: 'device',
  search: { text: ['description', 'name', 'label'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...cabledFilters,
    ...deviceComponentFilters,
    ...pathEndpointFilters,
    cable_connector: numberFilter('cable_connector'),
  },
})

behaviour(powerPort, {
  validate: ({ row, errors }) => {
    if (row.allocated_draw !== null && row.maximum_draw !== null && row.allocated_draw > row.maximum_draw) errors.allocated_draw = [`Allocated draw cannot exceed the maximum draw (${row.maximum_draw} W).`]
  },
  actions: traceAction('dcim.powerport'),
  prepare: (event) => prepareComponent(event),
})
