import { boolean, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const rir = model(
  'ipam.rir',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    is_private: boolean({ help: 'Its space is for private use.', label: 'Private', default: false }),
    description,
    ...owned,
    comments,
    ...primary,
    aggregate_count: countOf('ipam.aggregate', 'rir'),
  },
  {
    path: 'ipam/rirs',
    label: 'RIR',
    plural: 'RIRs',
    objectName: 'RIR',
    ...classifier('aggregate_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name is_private aggregate_count description',
      filters: { RIR: 'is_private' },
      form: { RIR: 'name slug is_private description tags' },
      bulk: 'is_private description',
      panels: { RIR: 'name description is_private' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
