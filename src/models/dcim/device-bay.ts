import { jsonBoolean } from '../../fields/boolean.ts'
import { prepareComponent } from '../../domain/places.ts'
import { boolean, computed, description, owned, primary, ref, text } from '../../fields/index.ts'
import { deviceComponentFilters } from '../../filters/dcim.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const deviceBay = model('dcim.devicebay', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'devicebays', filter: false }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  enabled: boolean({ default: true }),
  description,
  installed_device: ref('dcim.device', { onDelete: 'set null', related: 'parent_bay', unique: true }),
  ...owned,
  ...primary,
  _occupied: computed((t) => jsonBoolean(`(${t}.enabled = 0 or ${t}.installed_device_id is not null)`), { schema: { type: 'boolean' } }),
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _rack: ref('dcim.rack', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
}, {
  path: 'dcim/device-bays', label: 'device bay', plural: 'device bays', objectName: 'DeviceBay',
  display: (t) => `case when ${t}.label <> '' then ${t}.name || ' (' || ${t}.label || ')' else ${t}.name end`,
  brief: ['id', 'url', 'display', 'device', 'name', 'enabled', 'description', '_occupied'],
  order: ['device', 'name'],
  unique: [{ fields: ['device', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  relatedObject: 'device',
  search: { text: ['description', 'name', 'label'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...deviceComponentFilters,
    installed_device: relatedFilter('installed_device', 'dcim.device', { by: 'name' }),
  },
})

behaviour(deviceBay, {
  validate: ({ row, before, errors, tools }) => {
    const type = tools.get<{ subdevice_role: string | null; model: string }>('select t.subdevice_role, t.model from dcim_devicetype t join dcim_device d on d.device_type_id = t.id where d.id = ?', row.device_id)!
    if (type.subdevice_role !== 'parent') errors.__all__ = [`This type of device (${type.model}) does not support device bays.`]
    if (row.installed_device_id === null) return
    if (row.installed_device_id === row.device_id) errors.__all__ = ['Cannot install a device into itself.']
    if (!row.enabled && row.installed_device_id !== before?.installed_device_id) errors.installed_device = ['Cannot install a device in a disabled device bay.']
  },
  prepare: (event) => prepareComponent(event),
})
