import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const circuitType = model(
  'circuits.circuittype',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    color: color({ blank: true }),
    description,
    ...owned,
    comments,
    ...primary,
    circuit_count: countOf('circuits.circuit', 'type'),
  },
  {
    path: 'circuits/circuit-types',
    label: 'circuit type',
    plural: 'circuit types',
    objectName: 'CircuitType',
    ...classifier('circuit_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name circuit_count color description',
      filters: { Attributes: 'color' },
      form: { '': 'name slug color description tags' },
      bulk: 'color description',
      panels: { 'Circuit type': 'name description color' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
