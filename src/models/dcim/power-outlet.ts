import { PowerOutletFeedLegChoices, PowerOutletStatusChoices, PowerOutletTypeChoices } from '../../choices/dcim.ts'
import { cabledComponentFilters, cabledOptions, componentOf, pathEnd } from '../../domain/component-fields.ts'
import { prepareComponent } from '../../domain/places.ts'
import { traceAction } from '../../domain/trace.ts'
import { choice, color, description, ref } from '../../fields/index.ts'
import { pathEndpointFilters } from '../../filters/dcim.ts'
import { behaviour, model } from '../../registry/model.ts'

export const powerOutlet = model(
  'dcim.poweroutlet',
  {
    ...componentOf('poweroutlets'),
    type: choice(PowerOutletTypeChoices, { nullable: true, blank: true }),
    status: choice(PowerOutletStatusChoices, { default: 'enabled' }),
    color: color({ blank: true }),
    power_port: ref('dcim.powerport', { onDelete: 'set null', related: 'poweroutlets' }),
    feed_leg: choice(PowerOutletFeedLegChoices, { nullable: true, blank: true }),
    description,
    ...pathEnd,
  },
  {
    path: 'dcim/power-outlets',
    label: 'power outlet',
    plural: 'power outlets',
    objectName: 'PowerOutlet',
    ...cabledOptions,
    filters: {
      ...cabledComponentFilters,
      ...pathEndpointFilters,
    },
  },
)

behaviour(powerOutlet, {
  validate: ({ row, errors, tools }) => {
    if (row.power_port_id !== null && tools.row('dcim.powerport', row.power_port_id)!.device_id !== row.device_id)
      errors.__all__ = ['The parent power port must belong to the same device.']
  },
  actions: traceAction('dcim.poweroutlet'),
  prepare: (event) => prepareComponent(event),
})
