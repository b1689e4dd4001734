import { datetime, integer, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'

export const dataFile = model(
  'core.datafile',
  {
    source: ref('core.datasource', { readOnly: true, onDelete: 'cascade', related: 'datafiles' }),
    path: text({ readOnly: true }),
    last_updated: datetime({ readOnly: true, filter: false }),
    size: integer({ unit: 'bytes', readOnly: true }),
    hash: text({ readOnly: true }),
    created: datetime({ hidden: true, nullable: true }),
    data: text({ hidden: true, blank: true }),
  },
  {
    path: 'core/data-files',
    label: 'data file',
    plural: 'data files',
    objectName: 'DataFile',
    graphql: { members: 'created:DateTime! last_updated', filters: 'created' },
    display: 'path',
    brief: ['id', 'url', 'display', 'path'],
    order: ['source', 'path'],
    unique: [{ fields: ['source', 'path'] }],
    methods: ['GET'],
    changeLogged: false,
    past: false,
    search: { text: ['path'] },
    filters: {
      ...changelogFilters,
      source: relatedFilter('source', 'core.datasource', { by: 'name' }),
    },
    pages: {
      labels: { hash: 'SHA-256' },
      columns: 'path source size last_updated',
      filters: { File: 'source_id' },
      panels: { 'Data file': 'source path last_updated size hash' },
      weights: { path: 200 },
      narrow: { source_id: 'data_source' },
    },
  },
)
