import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const virtualCircuitType = model(
  'circuits.virtualcircuittype',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    color: color({ blank: true }),
    description,
    ...owned,
    comments,
    ...primary,
    virtual_circuit_count: countOf('circuits.virtualcircuit', 'type'),
  },
  {
    path: 'circuits/virtual-circuit-types',
    label: 'virtual circuit type',
    plural: 'virtual circuit types',
    objectName: 'VirtualCircuitType',
    ...classifier('virtual_circuit_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name virtual_circuit_count color description',
      filters: { Attributes: 'color' },
      form: { '': 'name slug color description tags' },
      bulk: 'color description',
      panels: { 'Virtual circuit type': 'name description color' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
