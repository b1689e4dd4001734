import { CableEndChoices } from '../../choices/dcim.ts'
import { terminationFilters } from '../../rules/cable-filters.ts'
import { CabledModels } from '../../rules/cabled-fields.ts'
import { forgetTermination } from '../../rules/cables.ts'
import { genericDisplay } from '../../fields/generic.ts'
import { choice, generic, integer, json, listOf, ref, stamps, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const cableTermination = model(
  'dcim.cabletermination',
  {
    cable: ref('dcim.cable', { raw: true, onDelete: 'cascade', related: 'terminations', readOnly: true }),
    cable_end: choice(CableEndChoices, { readOnly: true, raw: true, single: true }),
    termination: generic(CabledModels, { readOnly: true, related: 'cable_terminations' }),
    connector: integer({ nullable: true, readOnly: true, filter: false }),
    positions: listOf((value) => ({ value }), {
      nullable: true,
      readOnly: true,
      items: { type: 'integer' },
      filter: false,
    }),
    ...stamps,
    peer_type: text({ hidden: true, nullable: true, max: 100 }),
    peers: json({ hidden: true, nullable: true }),
    _device: ref('dcim.device', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _rack: ref('dcim.rack', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  },
  {
    path: 'dcim/cable-terminations',
    label: 'cable termination',
    plural: 'cable terminations',
    objectName: 'CableTermination',
    graphql: {
      root: false,
      members: `
        tags=none:[TagType!]! journal_entries=extras.journalentry.assigned_object:whole
        custom_fields=none:JSON! cable:CableType termination:CableTerminationTerminationType
      `,
      filters: 'termination_type:CableTerminationFilter -connector -positions',
    },
    display: (t, sql) => {
      sql.uses('dcim_cable')
      return `'Cable ' || (select case when c.label <> '' then c.label else '#' || c.id end from dcim_cable c
        where c.id = ${t}.cable_id) || ' to ' || ${genericDisplay(t, 'termination')}`
    },
    brief: [
      'id',
      'url',
      'display',
      'cable',
      'cable_end',
      'termination_type',
      'termination_id',
      'connector',
      'positions',
    ],
    order: ['cable', 'cable_end', 'connector'],
    unique: [{ fields: ['termination_type', 'termination_id'] }, { fields: ['cable', 'cable_end', 'connector'] }],
    features: ['change_logging', 'custom_validation', 'event_rules'],
    methods: ['GET'],
    displayUrl: false,
    filters: {
      ...changelogFilters,
      ...terminationFilters,
      cable: relatedFilter('cable', 'dcim.cable', { single: true }),
    },
  },
)

behaviour(cableTermination, {
  deleted: ({ row, tools }) => forgetTermination(tools, row),
})
