import { cabled, connected, connector, occupied, path } from './cabled-fields.ts'
import { integer, owned, primary, ref, text } from '../fields/index.ts'
import { cabledFilters, deviceComponentFilters } from '../filters/dcim.ts'
import { numberFilter } from '../filters/number.ts'
import { primaryFilters } from '../filters/shared.ts'
import { labelled, primaryFeatures } from '../declare/presets.ts'

/** What every component of a device begins with. `related`: the name by which the device and the module know it. */
export const componentOf = (related: string) => ({
  device: ref('dcim.device', { onDelete: 'cascade', related, filter: false }),
  module: ref('dcim.module', {
    nullable: true,
    onDelete: 'cascade',
    related,
    shape: ['id', 'url', 'display', 'device', 'module_bay'],
  }),
  ...named,
})
/** A component's name and what is printed beside it. */
export const named = { name: text({ max: 64, natural: true }), label: text({ blank: true, max: 64 }) }

/** What a power port draws, in watts. */
export const draws = {
  maximum_draw: integer({
    unit: 'W',
    help: 'The most power that is drawn, in watts.',
    nullable: true,
    min: 1,
    max: 2147483647,
  }),
  allocated_draw: integer({
    unit: 'W',
    help: 'The power to plan with, in watts.',
    nullable: true,
    min: 1,
    max: 2147483647,
  }),
}

/** Where the device is, kept with its components for filters and checks. */
export const places = {
  _site: ref('dcim.site', { hidden: true, graphed: true, nullable: true, onDelete: 'set null', related: false }),
  _location: ref('dcim.location', {
    hidden: true,
    graphed: true,
    nullable: true,
    onDelete: 'set null',
    related: false,
  }),
  _rack: ref('dcim.rack', { hidden: true, graphed: true, nullable: true, onDelete: 'set null', related: false }),
}

/** From the cable on: what begins and ends a path, and what passes one through. */
export const pathEnd = { ...cabled, ...connected, ...owned, ...primary, ...occupied, ...places, ...connector, ...path }
export const passThrough = { ...cabled, ...owned, ...primary, ...occupied, ...places, ...connector }

/** Options that the components of a device share. */
export const componentOptions = {
  display: labelled,
  order: ['device', 'name'],
  unique: [{ fields: ['device', 'name'] }],
  features: primaryFeatures(),
  relatedObject: 'device',
  search: { text: ['description', 'name', 'label'] },
}
/** The same for those that a cable can end at. */
export const cabledOptions = {
  ...componentOptions,
  brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
}
export const cabledComponentFilters = {
  ...primaryFilters,
  ...cabledFilters,
  ...deviceComponentFilters,
  cable_connector: numberFilter('cable_connector'),
}

/** Where the components of a list are, and in what: groups of its filter form. */
export const componentPlace = {
  Location: 'region_id site_group_id site_id location_id rack_id',
  Device: 'device_type_id device_role_id device_id device_status virtual_chassis_id',
}

/** What every component template begins with: it belongs to a device type or to a module type. */
export const templateOf = (related: string) => ({
  device_type: ref('dcim.devicetype', { nullable: true, apiDefault: null, onDelete: 'cascade', related }),
  module_type: ref('dcim.moduletype', { nullable: true, apiDefault: null, onDelete: 'cascade', related }),
})
/** Options that component templates share. */
export const templateOptions = {
  display: labelled,
  brief: ['id', 'url', 'display', 'name', 'description'],
  key: ['name', 'device_type', 'module_type'],
  order: ['device_type', 'module_type', 'name'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],
  features: ['change_logging', 'custom_validation', 'event_rules'],
  displayUrl: false as const,
  relatedObject: ['device_type', 'module_type'],
  search: { text: ['name', 'description'] },
}
