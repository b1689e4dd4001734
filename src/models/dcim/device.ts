import { moveInstalled } from '../../rules/device-bays.ts'
import { DeviceAirflowChoices, DeviceFaceChoices, DeviceStatusChoices } from '../../choices/dcim.ts'
import { checkPrimary } from '../../rules/addresses.ts'
import { instantiate } from '../../rules/components.ts'
import { deviceHolds, parentDevice } from '../../rules/devices.ts'
import { configContext } from '../../rules/config-contexts.ts'
import { refreshComponents } from '../../rules/places.ts'
import { primaryAddresses, soleAddress } from '../../rules/primary-ip.ts'
import { renderConfigAction } from '../../rules/templates.ts'
import { deviceUse } from '../../rules/rack-use.ts'
import { unmountable } from '../../rules/racks.ts'
import {
  choice,
  comments,
  computed,
  counter,
  decimal,
  description,
  integer,
  json,
  owned,
  primary,
  ref,
  reverseOf,
  text,
} from '../../fields/index.ts'
import { booleanFilter, countedFilter, hasFilter } from '../../filters/boolean.ts'
import { localContextFilters, primaryIpFilters } from '../../filters/dcim.ts'
import { macFilter } from '../../filters/mac.ts'
import { relatedFilter } from '../../filters/related.ts'
import { hostSearch } from '../../filters/network.ts'
import { contactFilters, primaryFilters, relatedBy, siteFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { parseMac } from '../../lib/mac.ts'
import { Refused } from '../../declare/behaviour.ts'
import { cases } from '../../lib/sql.ts'

export const device = model(
  'dcim.device',
  {
    name: text({ nullable: true, blank: true, max: 64, natural: true, iexact: true }),
    device_type: ref('dcim.devicetype', { related: 'instances' }),
    role: ref('dcim.devicerole', { related: 'devices', filter: false }),
    tenant: ref('tenancy.tenant', { nullable: true, apiDefault: null, related: 'devices', filter: false }),
    platform: ref('dcim.platform', { onDelete: 'set null', related: 'devices', filter: false }),
    serial: text({ blank: true, label: 'Serial number', max: 50, iexact: true }),
    asset_tag: text({ nullable: true, blank: true, unique: true, max: 50 }),
    site: ref('dcim.site', { related: 'devices' }),
    location: ref('dcim.location', { nullable: true, apiDefault: null, related: 'devices', filter: false }),
    rack: ref('dcim.rack', { nullable: true, apiDefault: null, related: 'devices', beside: ['position', 'face'] }),
    position: decimal({
      help: 'The lowest rack unit that the device takes.',
      nullable: true,
      apiDefault: null,
      label: 'Position (U)',
      digits: 4,
      places: 1,
      min: 0.5,
    }),
    face: choice(DeviceFaceChoices, { blank: true, apiDefault: '', dbNull: true, single: true }),
    latitude: decimal({ nullable: true, digits: 8, places: 6, min: -90, max: 90 }),
    longitude: decimal({ nullable: true, digits: 9, places: 6, min: -180, max: 180 }),
    parent_device: computed(parentDevice, { schema: { type: ['object', 'null'] } }),
    status: choice(DeviceStatusChoices, { default: 'active' }),
    airflow: choice(DeviceAirflowChoices, { blank: true, dbNull: true, single: true }),
    ...primaryAddresses,
    oob_ip: soleAddress(),
    cluster: ref('virtualization.cluster', { onDelete: 'set null', related: 'devices' }),
    virtual_chassis: ref('dcim.virtualchassis', {
      apiDefault: null,
      onDelete: 'set null',
      related: 'members',
      beside: ['vc_position', 'vc_priority'],
    }),
    vc_position: integer({
      help: 'Number of the member within its virtual chassis.',
      nullable: true,
      apiDefault: null,
      min: 0,
      max: 255,
    }),
    vc_priority: integer({
      help: 'Priority of the member when a master is chosen.',
      nullable: true,
      label: 'VC priority',
      min: 0,
      max: 255,
    }),
    description,
    ...owned,
    comments,
    config_template: ref('extras.configtemplate', { nullable: true, apiDefault: null, related: 'devices' }),
    config_context: configContext('device', 'dcim.device'),
    local_context_data: json({
      help: 'Data for this device alone; they win over those of config contexts.',
      nullable: true,
      object: true,
    }),
    ...primary,
    console_port_count: counter('dcim.consoleport', 'device'),
    console_server_port_count: counter('dcim.consoleserverport', 'device'),
    power_port_count: counter('dcim.powerport', 'device'),
    power_outlet_count: counter('dcim.poweroutlet', 'device'),
    interface_count: counter('dcim.interface', 'device'),
    front_port_count: counter('dcim.frontport', 'device'),
    rear_port_count: counter('dcim.rearport', 'device'),
    device_bay_count: counter('dcim.devicebay', 'device'),
    module_bay_count: counter('dcim.modulebay', 'device'),
    inventory_item_count: counter('dcim.inventoryitem', 'device'),
  },
  {
    path: 'dcim/devices',
    label: 'device',
    plural: 'devices',
    objectName: 'Device',
    graphql: {
      members: 'config_context cabletermination_set=dcim.cabletermination._device services -port_mappings',
      filters: `
        location_id:TreeNodeFilter console_ports=consoleports console_server_ports=consoleserverports
        power_outlets=poweroutlets power_ports=powerports interfaces front_ports=frontports
        rear_ports=rearports device_bays=devicebays module_bays=modulebays modules -platform_id
      `,
    },
    display: (t, sql) => {
      for (const table of ['dcim_virtualchassis', 'dcim_devicetype', 'dcim_manufacturer']) sql.uses(table)
      const chassis = `(select v.name from dcim_virtualchassis v where v.id = ${t}.virtual_chassis_id)`
      const type = `(select m.name || ' ' || d.model from dcim_devicetype d
        join dcim_manufacturer m on m.id = d.manufacturer_id where d.id = ${t}.device_type_id)`
      return cases(
        [
          [`${t}.name <> '' and ${t}.asset_tag is not null`, `${t}.name || ' (' || ${t}.asset_tag || ')'`],
          [`${t}.name <> ''`, `${t}.name`],
          [`${t}.virtual_chassis_id is not null`, `${chassis} || ':' || ${t}.vc_position`],
        ],
        `${type} || ' (' || coalesce(${t}.asset_tag, ${t}.id) || ')'`,
      )
    },
    brief: ['id', 'url', 'display', 'name', 'description'],
    key: ['name', 'site', 'tenant?'],
    order: ['name'],
    large: ['status'],
    // What most people ask of a site: found in the index alone.
    indexes: [['site_id', 'status']],
    unique: [
      { fields: [{ lower: 'name' }, 'site', 'tenant'] },
      { fields: [{ lower: 'name' }, 'site'], when: { isNull: ['tenant'] } },
      { fields: ['rack', 'position', 'face'] },
      { fields: ['virtual_chassis', 'vc_position'] },
    ],
    features: primaryFeatures('contacts', 'image_attachments'),
    sequential: true,
    permissions: ['render_config'],
    search: {
      text: ['name', 'virtual_chassis.name', 'serial', 'asset_tag', 'description', 'comments'],
      also: hostSearch('primary_ip4.address', 'primary_ip6.address'),
    },
    filters: {
      pass_through_ports: countedFilter('front_port_count', 'rear_port_count'),
      has_virtual_device_context: hasFilter('vdcs'),
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...localContextFilters,
      ...primaryIpFilters,
      ...relatedBy('manufacturer', 'dcim.manufacturer', { path: 'device_type.manufacturer' }),
      device_type: relatedFilter('device_type', 'dcim.devicetype', { by: 'slug' }),
      ...relatedBy('role', 'dcim.devicerole', { tree: true }),
      parent_device_id: relatedFilter('parent_bay.device', 'dcim.device'),
      ...relatedBy('platform', 'dcim.platform', { tree: true }),
      ...siteFilters(),
      ...relatedBy('location', 'dcim.location', { tree: true }),
      parent_bay_id: relatedFilter('parent_bay', 'dcim.devicebay'),
      ...relatedBy('cluster_group', 'virtualization.clustergroup', { path: 'cluster.group' }),
      model: relatedFilter('device_type', 'dcim.devicetype', { by: 'slug' }),
      is_full_depth: booleanFilter('device_type.is_full_depth'),
      mac_address: macFilter('interfaces.mac_addresses.mac_address', parseMac),
      has_primary_ip: hasFilter('primary_ip4', 'primary_ip6'),
      has_oob_ip: hasFilter('oob_ip'),
      virtual_chassis_member: hasFilter('virtual_chassis'),
      console_ports: countedFilter('console_port_count'),
      console_server_ports: countedFilter('console_server_port_count'),
      power_ports: countedFilter('power_port_count'),
      power_outlets: countedFilter('power_outlet_count'),
      interfaces: countedFilter('interface_count'),
      module_bays: hasFilter('modulebays'),
      device_bays: hasFilter('devicebays'),
    },
    pages: {
      beside: 'site location status role device_type serial asset_tag description',
      extra: { ...deviceUse, parent_bay: reverseOf('dcim.devicebay', 'installed_device', { label: 'Device bay' }) },
      labels: { oob_ip: 'Out-of-band IP' },
      numbered: { virtual_chassis: 'vc_position vc_priority' },
      columns: 'name status tenant site location rack role device_type.manufacturer device_type primary_ip',
      filters: {
        Location: 'region_id site_group_id site_id location_id rack_id',
        Operation: 'status role_id airflow serial asset_tag mac_address',
        Hardware: 'manufacturer_id device_type_id platform_id',
        Components: 'console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports',
        Cluster: 'cluster_group_id cluster_id',
        Miscellaneous: `
            has_primary_ip has_oob_ip virtual_chassis_member config_template_id local_context_data
            has_virtual_device_context
          `,
      },
      form: {
        Device: 'name role description tags',
        Hardware: 'device_type airflow serial asset_tag',
        Location: 'site location rack face position latitude longitude',
        Management: 'status platform config_template primary_ip4 primary_ip6 oob_ip',
        Virtualization: 'cluster',
        Tenancy: 'tenant',
        'Virtual chassis': 'virtual_chassis vc_position vc_priority',
        'Local config context data': 'local_context_data',
      },
      bulk: 'role status tenant platform description site location device_type airflow serial config_template cluster',
      panels: {
        Device: `
            site.region site location rack position face virtual_chassis parent_device latitude longitude tenant
            description airflow serial asset_tag config_template
          `,
        Management: 'status role platform primary_ip4 primary_ip6 oob_ip cluster',
        'Device type':
          'device_type.manufacturer device_type device_type.u_height device_type.front_image device_type.rear_image',
        Dimensions: 'total_weight',
      },
      tables: [
        ['dcim.device', 'virtual_chassis_id=$virtual_chassis!', 'Virtual chassis members'],
        ['dcim.virtualdevicecontext', 'device_id'],
        ['ipam.service', 'device_id'],
      ],
      tabs: {
        devicebays: ['dcim.devicebay', 'device_id'],
        modulebays: ['dcim.modulebay', 'device_id'],
        interfaces: ['dcim.interface', 'device_id'],
        frontports: ['dcim.frontport', 'device_id'],
        rearports: ['dcim.rearport', 'device_id'],
        consoleports: ['dcim.consoleport', 'device_id'],
        consoleserverports: ['dcim.consoleserverport', 'device_id'],
        powerports: ['dcim.powerport', 'device_id'],
        poweroutlets: ['dcim.poweroutlet', 'device_id'],
        inventory: ['dcim.inventoryitem', 'device_id'],
        configcontext: true,
        'render-config': true,
        'virtual-machines': ['virtualization.virtualmachine', 'device_id'],
      },
      sticker: ['{site} · {rack} · U{position}', '{asset_tag} · {serial}'],
      weights: { asset_tag: 50, serial: 60, name: 100, virtual_chassis: 200, description: 500, comments: 5000 },
      offers: {
        platform: 'available_for_device_type=$device_type',
        cluster: 'site_id=$site&site_id=null',
        primary_ip4: 'device_id=$id&family=4',
        primary_ip6: 'device_id=$id&family=6',
        oob_ip: 'device_id=$id',
      },
      narrow: { site_id: 'site', location_id: 'location', cluster_id: 'cluster' },
    },
  },
)

behaviour(device, {
  actions: { 'render-config': renderConfigAction('dcim.device', 'device') },
  prepare: ({ row, before, tools }) => {
    const type = tools.row('dcim.devicetype', row.device_type_id)!
    if (!before && !row.airflow) row.airflow = type.airflow
    if (!before && row.platform_id === null) row.platform_id = type.default_platform_id
    const rack = row.rack_id === null ? undefined : tools.row('dcim.rack', row.rack_id)
    if (rack?.location_id != null && row.location_id === null) row.location_id = rack.location_id
  },
  validate: (event) => {
    const { row, before, errors, tools } = event
    const rack = row.rack_id === null ? undefined : tools.row('dcim.rack', row.rack_id)
    const type = tools.row('dcim.devicetype', row.device_type_id)!
    if (rack && rack.site_id !== row.site_id) errors.rack = ['The rack does not belong to the site of the device.']
    if (row.location_id !== null && tools.row('dcim.location', row.location_id)?.site_id !== row.site_id)
      errors.location = ['The location does not belong to the site of the device.']
    if (rack && row.location_id !== null && rack.location_id !== row.location_id)
      errors.rack ??= ['The rack does not belong to the location of the device.']
    if (!rack && row.face) errors.face = ['Cannot select a rack face without assigning a rack.']
    if (!rack && row.position !== null) errors.position = ['Cannot select a rack position without assigning a rack.']
    if (row.position !== null && row.position % 0.5 !== 0)
      errors.position = ['Position must be in increments of 0.5 rack units.']
    if (row.position !== null && !row.face) errors.face ??= ['Must specify rack face when defining rack position.']
    if (row.position !== null && type.u_height === 0)
      errors.position = ['A 0U device type cannot be assigned to a rack position.']
    if (rack && type.subdevice_role === 'child') {
      if (row.face) errors.face = ['Child device types cannot be assigned to a rack face.']
      if (row.position !== null) errors.position = ['Child device types cannot be assigned to a rack position.']
    }
    if (rack && row.position !== null && row.face && !errors.position && !errors.rack) {
      const why = unmountable(tools, rack, {
        id: row.id ?? null,
        position: row.position,
        face: row.face,
        u_height: type.u_height,
        is_full_depth: type.is_full_depth,
      })
      if (why) errors.position = [why]
    }
    checkPrimary(event as never, ['primary_ip4', 'primary_ip6', 'oob_ip'], 'dcim.interface', (interfaceId) =>
      deviceHolds(tools, row, interfaceId),
    )
    const platform = row.platform_id === null ? undefined : tools.row('dcim.platform', row.platform_id)
    if (platform?.manufacturer_id != null && platform.manufacturer_id !== type.manufacturer_id)
      errors.platform = ['The platform is limited to another manufacturer.']
    const cluster = row.cluster_id === null ? undefined : tools.row('virtualization.cluster', row.cluster_id)
    if (cluster?._site_id != null && cluster._site_id !== row.site_id)
      errors.cluster = ['The cluster belongs to a different site.']
    if (cluster?._location_id != null && cluster._location_id !== row.location_id)
      errors.cluster ??= ['The cluster belongs to a different location.']
    if (row.virtual_chassis_id !== null && row.vc_position === null)
      errors.vc_position = ['A device assigned to a virtual chassis must have its position defined.']
    if (
      before?.virtual_chassis_id &&
      row.virtual_chassis_id !== before.virtual_chassis_id &&
      tools.row('dcim.virtualchassis', before.virtual_chassis_id)?.master_id === row.id
    ) {
      errors.virtual_chassis = ['The device is the master of its virtual chassis and cannot leave it.']
    }
  },
  saved: ({ row, before, tools }) => {
    if (!before)
      instantiate(tools, { device: row, by: 'device_type_id', type: tools.row('dcim.devicetype', row.device_type_id)! })
    if (
      before &&
      (before.site_id !== row.site_id || before.location_id !== row.location_id || before.rack_id !== row.rack_id)
    )
      refreshComponents(tools, 'device', row.id)
    if (before) moveInstalled(tools, row)
  },
  returned: ({ row, tools }) => refreshComponents(tools, 'device', row.id),
})

behaviour(device, {
  importColumns: {
    columns: { manufacturer: 'dcim.manufacturer', parent: 'dcim.device', device_bay: 'text' },
    narrows: { manufacturer: [['device_type', 'manufacturer']] },
    read: () => ({}),
    written: (id, { parent, device_bay: name }, tools) => {
      if (parent === undefined || name === undefined) return
      const [bay] = tools.rows('dcim.devicebay', { device_id: parent as number, name: name as string })
      if (!bay) throw new Refused(400, { device_bay: [`the parent has no device bay ${name}`] })
      tools.update('dcim.devicebay', bay.id, { installed_device: id })
    },
  },
})
