import { genericDisplay } from '../../fields/generic.ts'
import { ContactPriorityChoices } from '../../choices/tenancy.ts'
import { choice, generic, primary, ref } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const contactAssignment = model(
  'tenancy.contactassignment',
  {
    object: generic('feature:contacts', { errorKeys: { notAllowed: '__all__' }, related: 'contacts' }),
    contact: ref('tenancy.contact', { related: 'assignments' }),
    role: ref('tenancy.contactrole', { nullable: true, related: 'assignments' }),
    priority: choice(ContactPriorityChoices, { blank: true, apiDefault: '', dbNull: true, single: true }),
    ...primary,
  },
  {
    path: 'tenancy/contact-assignments',
    label: 'contact assignment',
    plural: 'contact assignments',
    objectName: 'ContactAssignment',
    graphql: { members: 'object_type contact:ContactType object_id:Int! -changelog' },
    display: (t, sql) => {
      sql.uses('tenancy_contact')
      return `(select c.name from tenancy_contact c where c.id = ${t}.contact_id) || case
        when ${t}.priority <> '' then ' (' || upper(substr(${t}.priority, 1, 1)) || substr(${t}.priority, 2) || ')'
        else '' end || ' -> ' || ${genericDisplay(t, 'object')}`
    },
    brief: ['id', 'url', 'display', 'contact', 'role', 'priority'],
    order: ['contact', 'priority', 'role'],
    unique: [{ fields: ['object_type', 'object_id', 'contact', 'role'] }],
    features: ['change_logging', 'custom_fields', 'custom_validation', 'event_rules', 'export_templates', 'tags'],
    displayUrl: false,
    search: { text: ['contact.name', 'role.name'] },
    filters: {
      ...changelogFilters,
      object_type_id: typeIdFilter('object_type', ['n'], { single: true }),
      ...relatedBy('group', 'tenancy.contactgroup', { path: 'contact.groups', tree: true }),
      role: relatedFilter('role', 'tenancy.contactrole', { by: 'slug' }),
    },
    pages: {
      columns: 'object_type object contact role priority contact.email contact.phone',
      filters: { Assignment: 'object_type_id group_id contact_id role_id priority' },
      form: { '': 'contact role priority tags' },
      bulk: 'contact role priority',
    },
  },
)

behaviour(contactAssignment, {
  validate: ({ row, errors }) => {
    if (row.role_id === null) errors.role = ['This field cannot be null.']
  },
})
