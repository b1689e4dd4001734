import { displayOf } from '../../fields/display.ts'
import { integer, ref } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** As a port mapping, of a device or module type's port templates. */
export const portTemplateMapping = model(
  'dcim.porttemplatemapping',
  {
    device_type: ref('dcim.devicetype', { nullable: true, onDelete: 'cascade', related: 'port_mappings' }),
    module_type: ref('dcim.moduletype', { nullable: true, onDelete: 'cascade', related: 'port_mappings' }),
    front_port: ref('dcim.frontporttemplate', { onDelete: 'cascade', related: 'mappings' }),
    front_port_position: integer({ min: 1, max: 1024, default: 1 }),
    rear_port: ref('dcim.rearporttemplate', { onDelete: 'cascade', related: 'mappings' }),
    rear_port_position: integer({ min: 1, max: 1024, default: 1 }),
  },
  {
    path: 'dcim/port-template-mappings',
    label: 'port template mapping',
    plural: 'port template mappings',
    objectName: 'PortTemplateMapping',
    graphql: {
      type: 'PortMappingTemplateType',
      root: false,
      members: `
        changelog=core.objectchange.changed_object:whole created=none:DateTime
        last_updated=none:DateTime
      `,
      filters: `
        front_port_position:IntFilterLookup rear_port_position:IntFilterLookup -device_type_id
        -module_type_id -front_port_id -rear_port_id
      `,
    },
    display: (t, sql) =>
      `${displayOf(sql, 'dcim.frontporttemplate', `${t}.front_port_id`)} || ':' || ${t}.front_port_position || ' to '
        || ${displayOf(sql, 'dcim.rearporttemplate', `${t}.rear_port_id`)} || ':' || ${t}.rear_port_position`,
    brief: ['id'],
    order: [],
    unique: [{ fields: ['front_port', 'front_port_position'] }, { fields: ['rear_port', 'rear_port_position'] }],
    changeLogged: false,
    displayUrl: false,
    internal: true,
  },
)
