import { labelSql } from '../../fields/choice.ts'
import { displayOf } from '../../fields/display.ts'
import { anyAtBoth } from '../../filters/any-at.ts'
import { CircuitPriorityChoices } from '../../choices/circuits.ts'
import type { SqlContext } from '../../fields/context.ts'
import { choice, generic, ref, stamps, tags, computed } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'

/** The provider of the circuit or virtual circuit that is a member. */
function providerOf(t: string, sql: SqlContext): string {
  const provider = sql.model('circuits.provider')
  const a = sql.alias()
  for (const table of ['provider', 'providernetwork', 'circuit', 'virtualcircuit']) sql.uses(`circuits_${table}`)
  return `json((select ${sql.nested(provider, a, ['id', 'url', 'display'])} from circuits_provider ${a} where ${a}.id =
    case ${t}.member_type
      when 'circuits.circuit' then (select provider_id from circuits_circuit where id = ${t}.member_id)
      else (select n.provider_id from circuits_virtualcircuit v
        join circuits_providernetwork n on n.id = v.provider_network_id
        where v.id = ${t}.member_id) end))`
}

export const circuitGroupAssignment = model(
  'circuits.circuitgroupassignment',
  {
    group: ref('circuits.circuitgroup', { onDelete: 'cascade', related: 'assignments' }),
    member: generic(['circuits.circuit', 'circuits.virtualcircuit'], {
      related: 'group_assignments',
      idLabel: 'Member ID',
    }),
    priority: choice(CircuitPriorityChoices, { blank: true, dbNull: true, single: true }),
    tags: tags(),
    ...stamps,
  },
  {
    path: 'circuits/circuit-group-assignments',
    label: 'Circuit group assignment',
    plural: 'Circuit group assignments',
    objectName: 'CircuitGroupAssignment',
    graphql: {
      members: 'custom_field_data=none:JSON! member:CircuitGroupAssignmentMemberType -changelog',
      filters: 'custom_field_data=none:JSONFilter',
    },
    display: (t, sql) =>
      `${displayOf(sql, 'circuits.circuitgroup', `${t}.group_id`)} || case
        when ${t}.priority <> '' then ' (' || ${labelSql(CircuitPriorityChoices, `${t}.priority`)} || ')'
        else '' end`,
    brief: ['id', 'url', 'display', 'group', 'member_type', 'member_id', 'member', 'priority'],
    order: ['group', 'member_type', 'member_id', 'priority'],
    unique: [{ fields: ['member_type', 'member_id', 'group'] }],
    features: ['change_logging', 'custom_fields', 'custom_validation', 'event_rules', 'export_templates', 'tags'],
    search: { text: ['circuit.cid', 'virtualcircuit.cid', 'group.name'] },
    filters: {
      ...changelogFilters,
      ...anyAtBoth('circuit', ['circuit'], 'cid'),
      ...anyAtBoth('virtual_circuit', ['virtualcircuit'], 'cid'),
      ...anyAtBoth('provider', ['circuit.provider', 'virtualcircuit.provider_network.provider'], 'slug'),
      member_type_id: typeIdFilter('member_type'),
      group: relatedFilter('group', 'circuits.circuitgroup', { by: 'slug' }),
    },
    pages: {
      extra: {
        provider: computed(providerOf),
      },
      columns: 'group provider member_type member priority',
      filters: { Assignment: 'provider_id member_id group_id priority' },
      form: { 'Group assignment': 'group member priority tags' },
      bulk: 'member priority',
      panels: { 'Circuit group assignment': 'group member priority' },
    },
  },
)
