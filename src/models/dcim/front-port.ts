import { jsonBoolean } from '../../fields/boolean.ts'
import { placeComponent } from '../../domain/places.ts'
import { CableEndChoices, PortTypeChoices } from '../../choices/dcim.ts'
import { boolean, choice, color, computed, description, integer, json, owned, primary, ref, text } from '../../fields/index.ts'
import { cabledFilters, deviceComponentFilters } from '../../filters/dcim.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const frontPort = model('dcim.frontport', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'frontports', filter: false }),
  module: ref('dcim.module', { nullable: true, onDelete: 'cascade', related: 'frontports', shape: ['id', 'url', 'display', 'device', 'module_bay'] }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PortTypeChoices),
  color: color({ blank: true }),
  positions: integer({ min: 1, max: 1024, default: 1 }),
  rear_ports: computed(() => "json('[]')"),
  description,
  mark_connected: boolean({ default: false }),
  cable: ref('dcim.cable', { readOnly: true, onDelete: 'set null', related: false, filter: false }),
  cable_end: choice(CableEndChoices, { nullable: true, readOnly: true, raw: true, single: true }),
  link_peers: computed(() => "json('[]')"),
  link_peers_type: computed(() => 'null'),
  ...owned,
  ...primary,
  _occupied: computed((t) => jsonBoolean(`(${t}.cable_id is not null or ${t}.mark_connected = 1)`), { schema: { type: 'boolean' } }),
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _rack: ref('dcim.rack', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  cable_connector: integer({ hidden: true, nullable: true }),
  cable_positions: json({ hidden: true, nullable: true }),
}, {
  path: 'dcim/front-ports', label: 'front port', plural: 'front ports', objectName: 'FrontPort',
  display: 'name',
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
    cable_connector: numberFilter('cable_connector'),
  },
})

behaviour(frontPort, {
  prepare: (event) => {
    placeComponent(event)
    if (event.before && event.before.device_id !== event.row.device_id) event.errors.device = ['Components cannot be moved to a different device.']
  },
})
