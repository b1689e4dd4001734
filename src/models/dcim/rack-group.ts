import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const rackGroup = model(
  'dcim.rackgroup',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...owned,
    comments,
    ...primary,
    rack_count: countOf('dcim.rack', 'group'),
  },
  {
    path: 'dcim/rack-groups',
    label: 'rack group',
    plural: 'rack groups',
    objectName: 'RackGroup',
    ...classifier('rack_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name rack_count description',
      form: { 'Rack group': 'name slug description tags' },
      bulk: 'description',
      panels: { 'Rack group': 'name description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
