import { unmountable } from '../../rules/racks.ts'
import { grams, weightFields } from '../../rules/measured-fields.ts'
import { weigh } from '../../rules/units.ts'
import { DeviceAirflowChoices, SubdeviceRoleChoices } from '../../choices/dcim.ts'
import {
  boolean,
  choice,
  comments,
  counter,
  decimal,
  description,
  file,
  owned,
  primary,
  ref,
  slug,
  text,
} from '../../fields/index.ts'
import { conditionFilter, hasFilter } from '../../filters/boolean.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const deviceType = model(
  'dcim.devicetype',
  {
    manufacturer: ref('dcim.manufacturer', { related: 'device_types' }),
    default_platform: ref('dcim.platform', { onDelete: 'set null', related: false, filter: false }),
    model: text({ max: 100 }),
    slug: slug(),
    part_number: text({
      help: 'The number under which the manufacturer sells it, where it is not the model.',
      blank: true,
      max: 50,
    }),
    u_height: decimal({
      help: 'Height in rack units, in steps of a half; 0 for what takes none.',
      default: 1,
      apiDefault: 1,
      label: 'Position (U)',
      digits: 4,
      places: 1,
      min: 0,
    }),
    exclude_from_utilization: boolean({
      help: 'Devices of this type do not count towards the used space of their rack.',
      default: false,
    }),
    is_full_depth: boolean({ help: 'The device takes both faces of its rack units.', default: true }),
    subdevice_role: choice(SubdeviceRoleChoices, {
      help: 'Parents have bays that children, which take no rack units of their own, are installed in.',
      nullable: true,
      blank: true,
      single: true,
    }),
    airflow: choice(DeviceAirflowChoices, { nullable: true, blank: true, single: true }),
    ...weightFields,
    front_image: file({ image: true, folder: 'devicetype-images' }),
    rear_image: file({ image: true, folder: 'devicetype-images' }),
    description,
    ...owned,
    comments,
    ...primary,
    device_count: counter('dcim.device', 'device_type'),
    console_port_template_count: counter('dcim.consoleporttemplate', 'device_type'),
    console_server_port_template_count: counter('dcim.consoleserverporttemplate', 'device_type'),
    power_port_template_count: counter('dcim.powerporttemplate', 'device_type'),
    power_outlet_template_count: counter('dcim.poweroutlettemplate', 'device_type'),
    interface_template_count: counter('dcim.interfacetemplate', 'device_type'),
    front_port_template_count: counter('dcim.frontporttemplate', 'device_type'),
    rear_port_template_count: counter('dcim.rearporttemplate', 'device_type'),
    device_bay_template_count: counter('dcim.devicebaytemplate', 'device_type'),
    module_bay_template_count: counter('dcim.modulebaytemplate', 'device_type'),
    inventory_item_template_count: counter('dcim.inventoryitemtemplate', 'device_type'),
    _abs_weight: grams,
  },
  {
    path: 'dcim/device-types',
    label: 'device type',
    plural: 'device types',
    objectName: 'DeviceType',
    graphql: {
      members: '-image_attachments -port_mappings',
      filters: `
        weight:FloatFilterLookup front_image:ImageAttachmentFilter rear_image:ImageAttachmentFilter instances
        console_port_templates=consoleporttemplates console_server_port_templates=consoleserverporttemplates
        power_port_templates=powerporttemplates
        power_outlet_templates=poweroutlettemplates interface_templates=interfacetemplates
        front_port_templates=frontporttemplates rear_port_templates=rearporttemplates
        device_bay_templates=devicebaytemplates module_bay_templates=modulebaytemplates
        inventory_item_templates=inventoryitemtemplates device_count:IntComparisonFilterLookup
      `,
    },
    display: 'model',
    brief: ['id', 'url', 'display', 'manufacturer', 'model', 'slug', 'description', 'device_count'],
    order: ['manufacturer', 'model'],
    unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],
    features: primaryFeatures('image_attachments'),
    search: { text: ['comments', 'description', 'part_number', 'manufacturer.name', 'model'] },
    filters: {
      has_front_image: conditionFilter((t) => `${t}.front_image <> ''`),
      has_rear_image: conditionFilter((t) => `${t}.rear_image <> ''`),
      pass_through_ports: hasFilter('frontporttemplates', 'rearporttemplates'),
      ...primaryFilters,
      manufacturer: relatedFilter('manufacturer', 'dcim.manufacturer', { by: 'slug' }),
      ...relatedBy('default_platform', 'dcim.platform', { tree: true }),
      console_ports: hasFilter('consoleporttemplates'),
      console_server_ports: hasFilter('consoleserverporttemplates'),
      power_ports: hasFilter('powerporttemplates'),
      power_outlets: hasFilter('poweroutlettemplates'),
      interfaces: hasFilter('interfacetemplates'),
      module_bays: hasFilter('modulebaytemplates'),
      device_bays: hasFilter('devicebaytemplates'),
      inventory_items: hasFilter('inventoryitemtemplates'),
    },
    pages: {
      named: 'model',
      beside: 'manufacturer u_height',
      labels: { u_height: 'Height (U)', is_full_depth: 'Full depth', subdevice_role: 'Parent/child' },
      columns: 'model manufacturer part_number u_height is_full_depth device_count',
      filters: {
        Hardware: 'manufacturer_id default_platform_id part_number device_count subdevice_role airflow',
        Images: 'has_front_image has_rear_image',
        Components: `
            console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports device_bays
            module_bays inventory_items
          `,
        Weight: 'weight weight_unit',
      },
      form: {
        'Device type': 'manufacturer model slug default_platform description tags',
        Chassis:
          'u_height exclude_from_utilization is_full_depth part_number subdevice_role airflow weight weight_unit',
        Images: 'front_image rear_image',
      },
      bulk: `
        manufacturer default_platform part_number u_height exclude_from_utilization is_full_depth airflow
        description weight weight_unit
      `,
      panels: {
        'Device type': `
            manufacturer model part_number default_platform description u_height exclude_from_utilization
            is_full_depth weight subdevice_role airflow front_image rear_image
          `,
      },
      tabs: {
        devicebays: ['dcim.devicebaytemplate', 'device_type_id'],
        modulebays: ['dcim.modulebaytemplate', 'device_type_id'],
        interfaces: ['dcim.interfacetemplate', 'device_type_id'],
        frontports: ['dcim.frontporttemplate', 'device_type_id'],
        rearports: ['dcim.rearporttemplate', 'device_type_id'],
        consoleports: ['dcim.consoleporttemplate', 'device_type_id'],
        consoleserverports: ['dcim.consoleserverporttemplate', 'device_type_id'],
        powerports: ['dcim.powerporttemplate', 'device_type_id'],
        poweroutlets: ['dcim.poweroutlettemplate', 'device_type_id'],
        inventoryitems: ['dcim.inventoryitemtemplate', 'device_type_id'],
      },
      weights: { model: 100, part_number: 200, description: 500, comments: 5000 },
      offers: { default_platform: 'manufacturer_id=$manufacturer&manufacturer_id=null' },
      narrow: { manufacturer_id: 'manufacturer' },
    },
  },
)

behaviour(deviceType, {
  prepare: weigh,
  validate: ({ row, before, errors, tools }) => {
    if (row.u_height < 0 || row.u_height % 0.5 !== 0)
      errors.u_height = ['U height must be in increments of 0.5 rack units.']
    if (row.subdevice_role === 'child' && row.u_height !== 0) errors.u_height = ['Child device types must be 0U.']
    if (!before) return
    if (
      before.subdevice_role === 'parent' &&
      row.subdevice_role !== 'parent' &&
      tools.has('dcim.devicebaytemplate', { device_type_id: row.id })
    ) {
      errors.subdevice_role = [
        'Must delete all device bay templates associated with this device before declassifying it as a parent device.',
      ]
    }
    const racked =
      row.u_height === before.u_height
        ? []
        : tools.rows(
            'dcim.device',
            { device_type_id: row.id, position: { not: null } },
            { only: ['id', 'rack_id', 'position', 'face'] },
          )
    if (racked.length && row.u_height === 0)
      errors.u_height = [`Unable to set 0U height: found ${racked.length} instances already mounted within racks.`]
    for (const device of row.u_height > before.u_height ? racked : []) {
      const why = unmountable(tools, tools.row('dcim.rack', device.rack_id!)!, {
        id: device.id,
        position: device.position!,
        face: device.face!,
        u_height: row.u_height,
        is_full_depth: row.is_full_depth,
      })
      if (why)
        errors.u_height ??= [
          'A racked device of this type does not have sufficient space to accommodate the new height.',
        ]
    }
  },
})
