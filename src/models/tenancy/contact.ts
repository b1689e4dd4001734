import { countOf, comments, description, email, owned, primary, refs, text, url } from '../../fields/index.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const contact = model(
  'tenancy.contact',
  {
    groups: refs('tenancy.contactgroup', { related: 'contacts', filter: false }),
    name: text({ max: 100, natural: true }),
    title: text({ blank: true, max: 100 }),
    phone: text({ blank: true, max: 50 }),
    email: email({ blank: true, max: 254 }),
    address: text({ blank: true, max: 200, lines: 'plain' }),
    link: url({ blank: true, max: 200 }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'tenancy/contacts',
    label: 'contact',
    plural: 'contacts',
    objectName: 'Contact',
    graphql: { filters: 'assignments' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    key: ['name', 'email?'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'link', 'address', 'email', 'phone', 'name', 'title'] },
    filters: {
      ...primaryFilters,
      ...relatedBy('group', 'tenancy.contactgroup', { path: 'groups', tree: true }),
    },
    pages: {
      beside: 'title phone email address link description groups',
      columns: 'name groups assignment_count title phone email',
      extra: { assignment_count: countOf('tenancy.contactassignment', 'contact', { label: 'Assignments' }) },
      filters: { Contact: 'group_id' },
      form: { Contact: 'groups name title phone email address link description tags' },
      bulk: 'title phone email address link description groups',
      panels: { Contact: 'groups name title phone email address link description' },
      tables: [['tenancy.contactassignment', 'contact_id', 'Assignments']],
      weights: {
        name: 100,
        title: 300,
        phone: 300,
        email: 300,
        address: 300,
        link: 300,
        description: 500,
        comments: 5000,
      },
      narrow: { group_id: 'group' },
    },
  },
)
