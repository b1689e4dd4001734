import { comments, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const contactRole = model(
  'tenancy.contactrole',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'tenancy/contact-roles',
    label: 'contact role',
    plural: 'contact roles',
    objectName: 'ContactRole',
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name description',
      form: { 'Contact role': 'name slug description tags' },
      bulk: 'description',
      panels: { 'Contact role': 'name description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
