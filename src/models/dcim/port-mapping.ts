import { displayOf } from '../../fields/display.ts'
import { integer, ref } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** One position of a front port lies behind one position of a rear port. */
export const portMapping = model(
  'dcim.portmapping',
  {
    device: ref('dcim.device', { onDelete: 'cascade', related: 'port_mappings' }),
    front_port: ref('dcim.frontport', { onDelete: 'cascade', related: 'mappings' }),
    front_port_position: integer({ min: 1, max: 1024, default: 1 }),
    rear_port: ref('dcim.rearport', { onDelete: 'cascade', related: 'mappings' }),
    rear_port_position: integer({ min: 1, max: 1024, default: 1 }),
  },
  {
    path: 'dcim/port-mappings',
    label: 'port mapping',
    plural: 'port mappings',
    objectName: 'PortMapping',
    graphql: {
      root: false,
      members: `
        changelog=core.objectchange.changed_object:whole device_type=none:DeviceTypeType
        module_type=none:ModuleTypeType created=none:DateTime last_updated=none:DateTime
        device:DjangoModelType!
      `,
      filters: `
        front_port_position:IntFilterLookup rear_port_position:IntFilterLookup -device_id -front_port_id
        -rear_port_id
      `,
    },
    display: (t, sql) =>
      `${displayOf(sql, 'dcim.frontport', `${t}.front_port_id`)} || ':' || ${t}.front_port_position || ' to '
        || ${displayOf(sql, 'dcim.rearport', `${t}.rear_port_id`)} || ':' || ${t}.rear_port_position`,
    brief: ['id'],
    order: [],
    unique: [{ fields: ['front_port', 'front_port_position'] }, { fields: ['rear_port', 'rear_port_position'] }],
    changeLogged: false,
    displayUrl: false,
    internal: true,
  },
)
