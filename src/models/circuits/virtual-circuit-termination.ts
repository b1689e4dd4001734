import { Virtual } from '../../rules/interfaces.ts'
import { pathsAction } from '../../rules/trace.ts'
import { labelSql } from '../../fields/choice.ts'
import { displayOf } from '../../fields/display.ts'
import { VirtualCircuitTerminationRoleChoices } from '../../choices/circuits.ts'
import { choice, description, primary, ref } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const virtualCircuitTermination = model(
  'circuits.virtualcircuittermination',
  {
    virtual_circuit: ref('circuits.virtualcircuit', { onDelete: 'cascade', related: 'terminations' }),
    role: choice(VirtualCircuitTerminationRoleChoices, { default: 'peer' }),
    interface: ref('dcim.interface', { onDelete: 'cascade', related: 'virtual_circuit_termination', unique: true }),
    description,
    ...primary,
  },
  {
    path: 'circuits/virtual-circuit-terminations',
    label: 'virtual circuit termination',
    plural: 'virtual circuit terminations',
    objectName: 'VirtualCircuitTermination',
    display: (t, sql) => {
      const circuit = displayOf(sql, 'circuits.virtualcircuit', `${t}.virtual_circuit_id`)
      return `${circuit} || ': ' || ${labelSql(VirtualCircuitTerminationRoleChoices, `${t}.role`)} || ' termination'`
    },
    brief: ['id', 'url', 'display', 'virtual_circuit', 'role', 'interface', 'description'],
    order: ['virtual_circuit', 'role'],
    features: [
      'change_logging',
      'custom_fields',
      'custom_links',
      'custom_validation',
      'event_rules',
      'export_templates',
      'tags',
    ],
    search: { text: ['virtual_circuit.cid', 'description'] },
    filters: {
      ...changelogFilters,
      ...relatedBy('provider', 'circuits.provider', { path: 'virtual_circuit.provider_network.provider' }),
      provider_account_id: relatedFilter('virtual_circuit.provider_account', 'circuits.provideraccount'),
      provider_account: relatedFilter('virtual_circuit.provider_account', 'circuits.provideraccount', {
        by: 'account',
      }),
      provider_network_id: relatedFilter('virtual_circuit.provider_network', 'circuits.providernetwork'),
    },
    pages: {
      offers: { interface: 'kind=virtual&virtual_circuit_termination_id=null' },
      form: { '': 'virtual_circuit role interface description tags' },
      panels: {
        'Virtual circuit termination': `virtual_circuit.provider_network.provider virtual_circuit.provider_network
          virtual_circuit.provider_account virtual_circuit role`,
        Interface: 'interface.device interface interface.type interface.description',
      },
      weights: { description: 500 },
    },
  },
)

behaviour(virtualCircuitTermination, {
  validate: ({ row, errors, tools }) => {
    if (!Virtual.has(tools.row('dcim.interface', row.interface_id)!.type))
      errors.__all__ = ['Virtual circuits may be terminated only at virtual interfaces.']
  },
  actions: pathsAction('circuits.virtualcircuittermination'),
})
