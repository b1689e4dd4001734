import { componentOptions, componentPlace, named, places } from '../../rules/component-fields.ts'
import { jsonBoolean } from '../../fields/boolean.ts'
import { prepareComponent } from '../../rules/places.ts'
import { boolean, computed, description, owned, primary, ref } from '../../fields/index.ts'
import { deviceComponentFilters } from '../../filters/dcim.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const deviceBay = model(
  'dcim.devicebay',
  {
    device: ref('dcim.device', { onDelete: 'cascade', related: 'devicebays', filter: false }),
    ...named,
    enabled: boolean({ default: true }),
    description,
    installed_device: ref('dcim.device', { onDelete: 'set null', related: 'parent_bay', unique: true }),
    ...owned,
    ...primary,
    _occupied: computed((t) => jsonBoolean(`(${t}.enabled = 0 or ${t}.installed_device_id is not null)`), {
      schema: { type: 'boolean' },
      type: 'boolean',
    }),
    ...places,
  },
  {
    path: 'dcim/device-bays',
    label: 'device bay',
    plural: 'device bays',
    objectName: 'DeviceBay',
    ...componentOptions,
    brief: ['id', 'url', 'display', 'device', 'name', 'enabled', 'description', '_occupied'],
    filters: {
      ...primaryFilters,
      ...deviceComponentFilters,
      installed_device: relatedFilter('installed_device', 'dcim.device', { by: 'name' }),
    },
    pages: {
      columns: 'name device label enabled installed_device.status installed_device description',
      filters: {
        Attributes: 'name label enabled',
        ...componentPlace,
      },
      form: { '': 'device name label enabled installed_device description tags' },
      offers: { installed_device: 'parent_bay_id=null' },
      within: 'name label enabled installed_device.status installed_device description',
      series: 'name label',
      bulk: 'label enabled description',
      panels: {
        'Device bay': 'device name label description',
        'Installed device': 'installed_device installed_device.device_type',
      },
      weights: { name: 100, label: 200, description: 500 },
    },
  },
)

behaviour(deviceBay, {
  validate: ({ row, before, errors, tools }) => {
    const type = tools.row('dcim.devicetype', tools.row('dcim.device', row.device_id)!.device_type_id)!
    if (type.subdevice_role !== 'parent')
      errors.__all__ = [`This type of device (${type.model}) does not support device bays.`]
    if (row.installed_device_id === null) return
    if (row.installed_device_id === row.device_id) errors.__all__ = ['Cannot install a device into itself.']
    if (!row.enabled && row.installed_device_id !== before?.installed_device_id)
      errors.installed_device = ['Cannot install a device in a disabled device bay.']
  },
  prepare: (event) => prepareComponent(event),
})
