import { checkPrimary } from '../../rules/addresses.ts'
import { configContext } from '../../rules/config-contexts.ts'
import { primaryAddresses } from '../../rules/primary-ip.ts'
import { renderConfigAction } from '../../rules/templates.ts'
import { VirtualMachineStartOnBootChoices, VirtualMachineStatusChoices } from '../../choices/virtualization.ts'
import {
  choice,
  comments,
  counter,
  customFields,
  decimal,
  description,
  integer,
  json,
  owned,
  ref,
  stamps,
  tags,
  text,
} from '../../fields/index.ts'
import { hasFilter } from '../../filters/boolean.ts'
import { localContextFilters, primaryIpFilters } from '../../filters/dcim.ts'
import { macFilter } from '../../filters/mac.ts'
import { relatedFilter } from '../../filters/related.ts'
import { hostSearch } from '../../filters/network.ts'
import { contactFilters, primaryFilters, relatedBy, siteFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { parseMac } from '../../lib/mac.ts'
import { DisksOf } from './virtual-disk.ts'

export const virtualMachine = model(
  'virtualization.virtualmachine',
  {
    name: text({ max: 64, natural: true, iexact: true }),
    virtual_machine_type: ref('virtualization.virtualmachinetype', {
      nullable: true,
      apiDefault: null,
      related: 'instances',
    }),
    role: ref('dcim.devicerole', { nullable: true, related: 'virtual_machines', filter: false }),
    status: choice(VirtualMachineStatusChoices, { default: 'active' }),
    start_on_boot: choice(VirtualMachineStartOnBootChoices, { default: 'off' }),
    site: ref('dcim.site', { nullable: true, apiDefault: null, related: 'virtual_machines' }),
    cluster: ref('virtualization.cluster', { nullable: true, apiDefault: null, related: 'virtual_machines' }),
    device: ref('dcim.device', { nullable: true, apiDefault: null, related: 'virtual_machines' }),
    platform: ref('dcim.platform', { onDelete: 'set null', related: 'virtual_machines', filter: false }),
    ...primaryAddresses,
    vcpus: decimal({ nullable: true, label: 'VCPUs', digits: 6, places: 2, min: 0.01 }),
    memory: integer({ unit: 'MiB', help: 'In megabytes.', nullable: true, min: 0, max: 2147483647 }),
    disk: integer({
      unit: 'MB',
      help: 'In megabytes; the sum of its virtual disks where it has any.',
      nullable: true,
      min: 0,
      max: 2147483647,
      sum: { model: 'virtualization.virtualdisk', by: 'virtual_machine', of: 'size' },
    }),
    description,
    serial: text({ blank: true, label: 'Serial number', max: 50 }),
    tenant: ref('tenancy.tenant', { nullable: true, apiDefault: null, related: 'virtual_machines', filter: false }),
    ...owned,
    comments,
    tags: tags(),
    local_context_data: json({
      help: 'Data for this virtual machine alone; they win over those of config contexts.',
      nullable: true,
      object: true,
    }),
    config_template: ref('extras.configtemplate', { nullable: true, apiDefault: null, related: 'virtualmachines' }),
    custom_fields: customFields(),
    ...stamps,
    interface_count: counter('virtualization.vminterface', 'virtual_machine'),
    virtual_disk_count: counter('virtualization.virtualdisk', 'virtual_machine'),
    config_context: configContext('machine', 'virtualization.virtualmachine'),
  },
  {
    path: 'virtualization/virtual-machines',
    label: 'virtual machine',
    plural: 'virtual machines',
    objectName: 'VirtualMachine',
    graphql: {
      members: 'config_context services -image_attachments',
      filters: 'interfaces services virtual_disks=virtualdisks -virtual_machine_type_id',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    key: ['name', 'cluster', 'device', 'tenant?'],
    order: ['name'],
    large: ['status'],
    unique: [
      { fields: [{ lower: 'name' }, 'cluster', 'tenant'] },
      { fields: [{ lower: 'name' }, 'cluster'], when: { isNull: ['tenant'] } },
      { fields: [{ lower: 'name' }, 'device', 'tenant'], when: { isNull: ['cluster'], isSet: ['device'] } },
      {
        fields: [{ lower: 'name' }, 'device'],
        when: { isNull: ['cluster', 'tenant'], isSet: ['device'] },
      },
    ],
    features: primaryFeatures('contacts', 'image_attachments'),
    permissions: ['render_config'],
    search: {
      text: ['name', 'description', 'comments', 'serial'],
      also: hostSearch('primary_ip4.address', 'primary_ip6.address'),
    },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...localContextFilters,
      ...primaryIpFilters,
      cluster: relatedFilter('cluster', 'virtualization.cluster', { by: 'name' }),
      virtual_machine_type: relatedFilter('virtual_machine_type', 'virtualization.virtualmachinetype', { by: 'slug' }),
      ...relatedBy('cluster_group', 'virtualization.clustergroup', { path: 'cluster.group' }),
      ...relatedBy('cluster_type', 'virtualization.clustertype', { path: 'cluster.type' }),
      device: relatedFilter('device', 'dcim.device', { by: 'name' }),
      ...siteFilters(),
      ...relatedBy('role', 'dcim.devicerole', { tree: true }),
      ...relatedBy('platform', 'dcim.platform', { tree: true }),
      mac_address: macFilter('interfaces.mac_addresses.mac_address', parseMac),
      has_primary_ip: hasFilter('primary_ip4', 'primary_ip6'),
    },
    pages: {
      labels: { virtual_machine_type: 'Type', 'cluster.type': 'Cluster type' },
      columns: 'name virtual_machine_type role status site cluster tenant vcpus memory disk primary_ip',
      filters: {
        Cluster: 'cluster_group_id cluster_type_id cluster_id device_id',
        Location: 'region_id site_group_id site_id',
        Attributes: `
            virtual_machine_type_id status start_on_boot role_id platform_id mac_address has_primary_ip
            config_template_id local_context_data serial
          `,
      },
      form: {
        'Virtual machine': 'name virtual_machine_type role status start_on_boot description serial tags',
        Placement: 'site cluster device',
        Tenancy: 'tenant',
        Management: 'platform primary_ip4 primary_ip6 config_template',
        Resources: 'vcpus memory disk',
        'Config context': 'local_context_data',
      },
      bulk: `
        virtual_machine_type status start_on_boot role tenant platform description site cluster device vcpus
        memory disk config_template
      `,
      panels: {
        'Virtual machine': `
            name virtual_machine_type status start_on_boot role platform description serial tenant config_template
            primary_ip4 primary_ip6
          `,
        Placement: 'site cluster cluster.type device',
        Resources: 'vcpus memory disk',
      },
      tables: [
        ['ipam.service', 'virtual_machine_id'],
        ['virtualization.virtualdisk', 'virtual_machine_id', undefined, 'always'],
      ],
      tabs: {
        interfaces: ['virtualization.vminterface', 'virtual_machine_id', undefined, 'always'],
        disks: ['virtualization.virtualdisk', 'virtual_machine_id', undefined, 'always'],
        configcontext: true,
        'render-config': true,
      },
      weights: { serial: 60, name: 100, description: 500, comments: 5000 },
      offers: {
        role: 'vm_role=true',
        cluster: 'site_id=$site&site_id=null',
        primary_ip4: 'virtual_machine_id=$id&family=4',
        primary_ip6: 'virtual_machine_id=$id&family=6',
      },
      narrow: { cluster_id: 'cluster' },
    },
  },
)

behaviour(virtualMachine, {
  actions: { 'render-config': renderConfigAction('virtualization.virtualmachine', 'virtualmachine') },
  prepare: ({ row, before, tools }) => {
    const type =
      before || row.virtual_machine_type_id === null
        ? undefined
        : tools.row('virtualization.virtualmachinetype', row.virtual_machine_type_id)
    if (type) {
      row.platform_id ??= type.default_platform_id
      row.vcpus ??= type.default_vcpus
      row.memory ??= type.default_memory
    }
    const cluster = row.cluster_id === null ? undefined : tools.row('virtualization.cluster', row.cluster_id)
    const device = row.device_id === null ? undefined : tools.row('dcim.device', row.device_id)
    if (row.site_id === null) row.site_id = cluster?._site_id ?? device?.site_id ?? null
    const disks = tools.get(DisksOf, row.id ?? 0)!
    if (disks.n > 0) row.disk ??= disks.sum
  },
  validate: (event) => {
    const { row, errors, tools } = event
    const cluster = row.cluster_id === null ? undefined : tools.row('virtualization.cluster', row.cluster_id)
    const device = row.device_id === null ? undefined : tools.row('dcim.device', row.device_id)
    if (row.site_id === null && !cluster && !device)
      errors.__all__ = ['A virtual machine must be assigned to a site, cluster or device.']
    if (cluster?._site_id != null && cluster._site_id !== row.site_id)
      errors.cluster = ['The selected cluster is not assigned to this site.']
    if (device && device.site_id !== row.site_id) errors.site = ['The selected device is not assigned to this site.']
    if (device?.cluster_id != null && !cluster)
      errors.cluster = ['A cluster must be given for a device that is in one.']
    if (device && cluster && device.cluster_id !== cluster.id)
      errors.device = ['The selected device is not assigned to this cluster.']
    const disks = tools.get(DisksOf, row.id ?? 0)!
    if (disks.n > 0 && row.disk !== disks.sum)
      errors.disk = [
        `The specified disk size (${row.disk}) must match the aggregate size of assigned virtual disks (${disks.sum}).`,
      ]
    const holds = (id: number) => tools.has('virtualization.vminterface', { id, virtual_machine_id: row.id ?? 0 })
    checkPrimary(event as never, ['primary_ip4', 'primary_ip6'], 'virtualization.vminterface', holds)
  },
})
