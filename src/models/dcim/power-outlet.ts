import { PowerOutletFeedLegChoices, PowerOutletStatusChoices, PowerOutletTypeChoices } from '../../choices/dcim.ts'
import { cabled, connected, connector, occupied, path } from '../../domain/cabled-fields.ts'
import { prepareComponent } from '../../domain/places.ts'
import { traceAction } from '../../domain/trace.ts'
import { choice, color, description, owned, primary, ref, text } from '../../fields/index.ts'
import { cabledFilters, deviceComponentFilters, pathEndpointFilters } from '../../filters/dcim.ts'
import { numberFilter } from '../../filters/number.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const powerOutlet = model('dcim.poweroutlet', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'poweroutlets', filter: false }),
  module: ref('dcim.module', { nullable: true, onDelete: 'cascade', related: 'poweroutlets', shape: ['id', 'url', 'display', 'device', 'module_bay'] }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PowerOutletTypeChoices, { nullable: true, blank: true }),
  status: choice(PowerOutletStatusChoices, { default: 'enabled' }),
  color: color({ blank: true }),
  power_port: ref('dcim.powerport', { onDelete: 'set null', related: 'poweroutlets' }),
  feed_leg: choice(PowerOutletFeedLegChoices, { nullable: true, blank: true }),
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
  path: 'dcim/power-outlets', label: 'power outlet', plural: 'power outlets', objectName: 'PowerOutlet',
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

behaviour(powerOutlet, {
  validate: ({ row, errors, tools }) => {
    if (row.power_port_id !== null && tools.row('dcim.powerport', row.power_port_id)!.device_id !== row.device_id) errors.__all__ = ['The parent power port must belong to the same device.']
  },
  actions: traceAction('dcim.poweroutlet'),
  prepare: (event) => prepareComponent(event),
})
