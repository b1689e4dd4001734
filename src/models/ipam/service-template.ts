import { arrayFilter } from '../../filters/array.ts'
import { ServiceProtocolChoices } from '../../choices/ipam.ts'
import { choice, comments, description, integer, integers, owned, primary, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { lowestPort } from '../../rules/ports.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const applicationServiceTemplate = model(
  'ipam.servicetemplate',
  {
    name: text({ unique: true, max: 100 }),
    protocol: choice(ServiceProtocolChoices, { single: true, required: false, blank: true, dbNull: true }),
    ports: integers(1, 65535, { label: 'Port numbers', min: 1, filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
    _ports_lowest: integer({ hidden: true, nullable: true }),
  },
  {
    path: 'ipam/service-templates',
    label: 'application service template',
    plural: 'application service templates',
    objectName: 'ServiceTemplate',
    graphql: { root: 'service_template', members: 'protocol:String!', filters: 'ports:IntegerLookup' },
    display: (t) => `${t}.name || ' (' || upper(${t}.protocol) || '/' || port_list(${t}.ports) || ')'`,
    brief: ['id', 'url', 'display', 'name', 'protocol', 'ports', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['name', 'description'] },
    filters: {
      port: arrayFilter('ports', { integer: true, lookups: ['n', 'lt', 'lte', 'gt', 'gte', 'empty'] }),
      ...primaryFilters,
    },
    pages: {
      labels: { ports: 'Ports' },
      columns: 'name protocol ports description',
      filters: { Attributes: 'protocol port' },
      form: { 'Application service template': 'name protocol ports description tags' },
      bulk: 'protocol ports description',
      panels: { 'Service template': 'name protocol ports description' },
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(applicationServiceTemplate, {
  prepare: ({ row }) => {
    row._ports_lowest = lowestPort(row)
  },
  validate: ({ row, errors }) => {
    if (!row.protocol) errors.protocol = ['This field cannot be blank.']
  },
})
