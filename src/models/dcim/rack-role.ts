import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const rackRole = model(
  'dcim.rackrole',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    color: color({ default: '9e9e9e' }),
    description,
    ...owned,
    comments,
    ...primary,
    rack_count: countOf('dcim.rack', 'role'),
  },
  {
    path: 'dcim/rack-roles',
    label: 'rack role',
    plural: 'rack roles',
    objectName: 'RackRole',
    ...classifier('rack_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name rack_count color description',
      form: { 'Rack role': 'name slug color description tags' },
      bulk: 'color description',
      panels: { 'Rack role': 'name description color' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
