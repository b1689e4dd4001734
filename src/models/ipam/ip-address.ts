import { checkAddress, releaseAddress } from '../../rules/addresses.ts'
import { isOutOfBandAddress, isPrimaryAddress, parentOfAssigned } from '../../rules/assigned-objects.ts'
import { assignedFilters } from '../../rules/devices.ts'
import { addressFilter, insideFilter, presentInVrf } from '../../filters/network.ts'
import { IPAddressRoleChoices, IPAddressStatusChoices } from '../../choices/ipam.ts'
import {
  address,
  choice,
  comments,
  description,
  familyOf,
  generic,
  owned,
  primary,
  ref,
  reverseOf,
  text,
} from '../../fields/index.ts'
import { conditionFilter, hasFilter } from '../../filters/boolean.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { interfaceColumns } from '../../rules/import-columns.ts'

const assigned = interfaceColumns('assigned_object', 'interface')

export const ipAddress = model(
  'ipam.ipaddress',
  {
    family: familyOf('address'),
    address: address(),
    vrf: ref('ipam.vrf', { nullable: true, related: 'ip_addresses' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'ip_addresses', filter: false }),
    status: choice(IPAddressStatusChoices, { default: 'active' }),
    role: choice(IPAddressRoleChoices, { blank: true, dbNull: true }),
    assigned_object: generic(['dcim.interface', 'ipam.fhrpgroup', 'virtualization.vminterface'], {
      nullable: true,
      related: 'ip_addresses',
    }),
    nat_inside: ref('ipam.ipaddress', {
      onDelete: 'set null',
      related: 'nat_outside',
      shape: ['id', 'url', 'display_url', 'display', { family: ['value'] }, 'address'],
    }),
    nat_outside: reverseOf('ipam.ipaddress', 'nat_inside', {
      shape: ['id', 'url', 'display_url', 'display', { family: ['value'] }, 'address'],
    }),
    dns_name: text({
      help: 'Host name, with its domain or without; stored in lower case.',
      blank: true,
      label: 'DNS name',
      max: 255,
      lower: true,
      pattern: { regex: /^([0-9A-Za-z_-]+|\*)(\.[0-9A-Za-z_-]+)*\.?$/, message: 'Enter a valid value.' },
    }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'ipam/ip-addresses',
    label: 'IP address',
    plural: 'IP addresses',
    objectName: 'IPAddress',
    graphql: {
      members: 'assigned_object:IPAddressAssignmentType',
      filters: 'nat_outside_id=nat_outside:ID assigned:Boolean parent:[String!]',
    },
    display: 'address',
    brief: ['id', 'url', 'display', 'family', 'address', 'description'],
    key: ['address', 'vrf'],
    order: ['address'],
    large: ['status', 'role'],
    relatedObject: 'assigned_object',
    features: primaryFeatures('contacts'),
    search: { text: ['dns_name', 'description'], starts: ['address'] },
    filters: {
      parent: insideFilter('address_host'),
      address: addressFilter('address'),
      present_in_vrf_id: presentInVrf('id'),
      present_in_vrf: presentInVrf('rd'),
      ...assignedFilters('assigned_object'),
      assigned_to_interface: conditionFilter(
        (t) => `${t}.assigned_object_type in ('dcim.interface', 'virtualization.vminterface')`,
      ),
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      family: numberFilter('address_host', {
        lookups: [],
        single: true,
        expression: (e) => `unicode(substr(${e}, 1, 1))`,
      }),
      mask_length: numberFilter('address_mask', { lookups: ['gte', 'lte'] }),
      vrf: relatedFilter('vrf', 'ipam.vrf', { by: 'rd' }),
      ...relatedBy('interface', 'dcim.interface', { by: 'name' }),
      ...relatedBy('vminterface', 'virtualization.vminterface', { by: 'name' }),
      fhrpgroup_id: relatedFilter('fhrpgroup', 'ipam.fhrpgroup'),
      assigned: hasFilter('assigned_object_id'),
      service_id: relatedFilter('services', 'ipam.service'),
    },
    pages: {
      labels: { assigned_object: 'Assigned to' },
      extra: {
        assigned_object_parent: parentOfAssigned('assigned_object', 'Parent'),
        is_primary_ip: isPrimaryAddress,
        is_oob_ip: isOutOfBandAddress,
      },
      columns: 'address vrf status role tenant assigned_object_parent assigned_object dns_name description',
      filters: {
        Attributes: 'parent family status role mask_length assigned_to_interface dns_name',
        VRF: 'vrf_id present_in_vrf_id',
        'Device/VM': 'device_id virtual_machine_id',
        NAT: 'nat_inside_id',
      },
      series: 'address dns_name',
      pattern: '10.1.1.[5-9]/24',
      form: {
        'IP address': 'address status role vrf dns_name description tags',
        Assignment: 'assigned_object',
        Tenancy: 'tenant',
        'NAT IP (Inside)': 'nat_inside',
      },
      lengths: { mask_length: 'address' },
      bulk: 'status role tenant description vrf dns_name',
      panels: {
        'IP address': `
          family vrf tenant status role dns_name description assigned_object assigned_object_parent
          nat_inside nat_outside is_primary_ip is_oob_ip
        `,
      },
      tables: [
        ['ipam.prefix', 'contains=$address&vrf_id=$vrf', 'Parent prefixes', 'around'],
        ['ipam.ipaddress', 'address=$address&vrf_id=$vrf&id__n', 'Duplicates', 'if any'],
        ['ipam.service', 'ip_address_id'],
      ],
      tabs: { related_ips: ['ipam.ipaddress', 'parent=$address&vrf_id=$vrf&id__n', 'Related IPs'] },
      weights: { address: 100, dns_name: 300, description: 500, comments: 5000 },
    },
  },
)

behaviour(ipAddress, {
  validate: (event) => checkAddress(event as never),
  deleting: ({ row, tools }) => releaseAddress(tools, row.id),
})

behaviour(ipAddress, {
  importColumns: {
    columns: { ...assigned.columns, fhrp_group: 'ipam.fhrpgroup', is_primary: 'boolean', is_oob: 'boolean' },
    read: (given, find, body) =>
      given.fhrp_group === undefined
        ? assigned.read(given, find, body)
        : { assigned_object_type: 'ipam.fhrpgroup', assigned_object_id: given.fhrp_group },
    written: (id, given, tools) => {
      const row = tools.row('ipam.ipaddress', id)!
      const family = `primary_ip${(row.address as string).includes(':') ? 6 : 4}`
      const body = {
        ...(given.is_primary === true ? { [family]: id } : {}),
        ...(given.is_oob === true ? { oob_ip: id } : {}),
      }
      if (!Object.keys(body).length) return
      if (given.device !== undefined) tools.update('dcim.device', given.device as number, body)
      else if (given.virtual_machine !== undefined)
        tools.update('virtualization.virtualmachine', given.virtual_machine as number, body)
    },
  },
})
