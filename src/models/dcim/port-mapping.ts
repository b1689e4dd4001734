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
    display: (t) => `'Port mapping ' || ${t}.id`,
    brief: ['id'],
    order: [],
    unique: [{ fields: ['front_port', 'front_port_position'] }, { fields: ['rear_port', 'rear_port_position'] }],
    changeLogged: false,
    displayUrl: false,
    internal: true,
  },
)
