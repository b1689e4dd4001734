import { anyAtBoth } from '../../filters/any-at.ts'
import { arrayFilter } from '../../filters/array.ts'
import { ServiceProtocolChoices } from '../../choices/ipam.ts'
import {
  choice,
  comments,
  description,
  generic,
  integer,
  integers,
  owned,
  primary,
  refs,
  text,
} from '../../fields/index.ts'
import { contactFilters, primaryFilters, relatedBy } from '../../filters/shared.ts'
import { lowestPort } from '../../rules/ports.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const applicationService = model(
  'ipam.service',
  {
    parent: generic(['dcim.device', 'ipam.fhrpgroup', 'virtualization.virtualmachine'], {
      as: 'parent_object',
      related: 'services',
    }),
    name: text({ max: 100 }),
    protocol: choice(ServiceProtocolChoices, { single: true, required: false, blank: true, dbNull: true }),
    ports: integers(1, 65535, { label: 'Port numbers', min: 1, filter: false }),
    ipaddresses: refs('ipam.ipaddress', { related: 'services', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
    _ports_lowest: integer({ hidden: true, nullable: true }),
  },
  {
    path: 'ipam/services',
    label: 'application service',
    plural: 'application services',
    objectName: 'Service',
    graphql: {
      root: 'service',
      members: 'protocol:String! parent:ServiceParentType',
      filters: 'ports:IntegerLookup ip_addresses=ipaddresses -ipaddresses',
    },
    display: (t) => `${t}.name || ' (' || upper(${t}.protocol) || '/' || port_list(${t}.ports) || ')'`,
    brief: ['id', 'url', 'display', 'name', 'protocol', 'ports', 'description'],
    order: ['protocol', '_ports_lowest'],
    features: primaryFeatures('contacts'),
    search: { text: ['name', 'description'] },
    filters: {
      port: arrayFilter('ports', { integer: true, lookups: ['n', 'lt', 'lte', 'gt', 'gte', 'empty'] }),
      ...primaryFilters,
      ...contactFilters,
      ...anyAtBoth('device', ['device'], 'name'),
      ...anyAtBoth('virtual_machine', ['virtualmachine'], 'name'),
      ...anyAtBoth('fhrpgroup', ['fhrpgroup'], 'name'),
      ...relatedBy('ip_address', 'ipam.ipaddress', { path: 'ipaddresses', by: 'address' }),
    },
    pages: {
      labels: { ports: 'Ports', ipaddresses: 'IP addresses' },
      columns: 'name parent protocol ports description',
      filters: { Attributes: 'protocol port', Assignment: 'device_id virtual_machine_id fhrpgroup_id' },
      template: 'ipam.servicetemplate',
      form: { 'Application service': 'parent name protocol ports ipaddresses description tags' },
      bulk: 'protocol ports description',
      offers: {
        ipaddresses: 'device_id=$parent:dcim.device&virtual_machine_id=$parent:virtualization.virtualmachine',
      },
      panels: { Service: 'name parent protocol ports ipaddresses description' },
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(applicationService, {
  prepare: ({ row }) => {
    row._ports_lowest = lowestPort(row)
  },
  validate: ({ row, errors }) => {
    if (!row.protocol) errors.protocol = ['This field cannot be blank.']
  },
})
