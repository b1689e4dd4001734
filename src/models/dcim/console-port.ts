import { ConsolePortSpeedChoices, ConsolePortTypeChoices } from '../../choices/dcim.ts'
import { cabled, connected, connector, occupied, path } from '../../domain/cabled-fields.ts'
import { prepareComponent } from '../../domain/places.ts'
import { traceAction } from '../../domain/trace.ts'
import { choice, description, owned, primary, ref, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { cabledFilters, deviceComponentFilters, pathEndpointFilters } from '../../filters/dcim.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { numberFilter } from '../../filters/number.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const consolePort = model('dcim.consoleport', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'consoleports', filter: false }),
  module: ref('dcim.module', { nullable: true, onDelete: 'cascade', related: 'consoleports', shape: ['id', 'url', 'display', 'device', 'module_bay'] }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(ConsolePortTypeChoices, { blank: true, dbNull: true }),
  speed: choice(ConsolePortSpeedChoices, { nullable: true, single: true, filter: false }),
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
  path: 'dcim/console-ports', label: 'console port', plural: 'console ports', objectName: 'ConsolePort',
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
    speed: choiceFilter('speed', ConsolePortSpeedChoices, { single: true, lookups: CharLookupsNoEmpty }),
    cable_connector: numberFilter('cable_connector'),
  },
})

behaviour(consolePort, {
  actions: traceAction('dcim.consoleport'),
  prepare: (event) => prepareComponent(event),
})
