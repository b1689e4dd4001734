import { changelogFilters } from '../../filters/shared.ts'
import { dateFilter } from '../../filters/number.ts'
import { JournalEntryKindChoices } from '../../choices/extras.ts'
import { choice, customFields, datetime, generic, ref, tags, text } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { behaviour, model } from '../../declare/model.ts'

export const journalEntry = model(
  'extras.journalentry',
  {
    assigned_object: generic('feature:journaling', {
      listed: true,
      related: 'journal_entries',
      errorKeys: { missing: 'non_field_errors', notAllowed: '__all__' },
    }),
    created: datetime({ nullable: true, readOnly: true, filter: false }),
    created_by: ref('users.user', { raw: true, nullable: true, onDelete: 'set null' }),
    kind: choice(JournalEntryKindChoices, { default: 'info' }),
    comments: text({ filter: false, lines: 'markdown' }),
    tags: tags(),
    custom_fields: customFields(),
    last_updated: datetime({ nullable: true, readOnly: true }),
  },
  {
    path: 'extras/journal-entries',
    label: 'journal entry',
    plural: 'journal entries',
    objectName: 'JournalEntry',
    graphql: {
      members: 'assigned_object_type assigned_object_id:Int!',
      filters: 'assigned_object_type_id:ID -created_by_id',
    },
    display: (t) =>
      `substr(${t}.created, 1, 10) || ' ' || substr(${t}.created, 12, 5)
        || ' (' || upper(substr(${t}.kind, 1, 1)) || substr(${t}.kind, 2) || ')'`,
    brief: ['id', 'url', 'display', 'created'],
    order: ['-created'],
    large: ['kind'],
    features: [
      'change_logging',
      'custom_fields',
      'custom_links',
      'custom_validation',
      'event_rules',
      'export_templates',
      'tags',
    ],
    search: { text: ['comments'] },
    filters: {
      ...changelogFilters,
      created: null,
      created_after: dateFilter('created', 'datetime', { lookups: [], comparison: '>=' }),
      created_before: dateFilter('created', 'datetime', { lookups: [], comparison: '<=' }),
      assigned_object_type_id: typeIdFilter('assigned_object_type'),
      created_by: relatedFilter('created_by', 'users.user', { by: 'username' }),
    },
    pages: {
      labels: { assigned_object: 'Object', assigned_object_type: 'Object type' },
      columns: 'created created_by assigned_object_type assigned_object kind comments',
      filters: { Creation: 'created_before created_after created_by_id', Attributes: 'assigned_object_type_id kind' },
      form: { '': 'assigned_object kind tags' },
      bulk: 'kind',
      panels: { 'Journal entry': 'assigned_object created created_by kind' },
      weights: { comments: 5000 },
    },
  },
)

behaviour(journalEntry, {
  prepare: ({ row, before, given, tools }) => {
    if (before) row.created_by_id = before.created_by_id
    else if (!('created_by' in given)) row.created_by_id = tools.user.id
  },
})
