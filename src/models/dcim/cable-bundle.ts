import { comments, countOf, description, owned, primary, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const cableBundle = model(
  'dcim.cablebundle',
  {
    name: text({ unique: true, max: 100 }),
    description,
    ...owned,
    comments,
    ...primary,
    cable_count: countOf('dcim.cable', 'bundle'),
  },
  {
    path: 'dcim/cable-bundles',
    label: 'cable bundle',
    plural: 'cable bundles',
    objectName: 'CableBundle',
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name cable_count description',
      filters: { Attributes: 'name' },
      form: { 'Cable bundle': 'name description tags' },
      bulk: 'description',
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
