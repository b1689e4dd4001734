import { isObject } from '../../lib/json.ts'
import { DataSourceStatusChoices, DataSourceTypeChoices, JobIntervalChoices } from '../../choices/core.ts'
import { SecretParameters } from '../../rules/source-parameters.ts'
import { cancelSync, queueSync } from '../../rules/sync-queue.ts'
import {
  boolean,
  choice,
  comments,
  countOf,
  customFields,
  datetime,
  description,
  json,
  owned,
  stamps,
  text,
} from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { primaryFilters, tagFilters } from '../../filters/shared.ts'
import { Refused } from '../../declare/behaviour.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

const Covered = '********'
const CoveredAndChanged = '***CHANGED***'

/** The parameters with cover over their secrets. */
const covered = (parameters: unknown, cover: (key: string, value: unknown) => string): unknown =>
  isObject(parameters)
    ? Object.fromEntries(
        Object.entries(parameters).map(([key, value]) => [
          key,
          SecretParameters.has(key) && value ? cover(key, value) : value,
        ]),
      )
    : parameters

/** The same field with its secrets covered in change records, which tell that one has changed. */
const censored = <F extends ReturnType<typeof json>>(field: F): F => ({
  ...field,
  conceal: (before, after) => [
    covered(before, () => Covered),
    covered(after, (key, value) => (isObject(before) && before[key] === value ? Covered : CoveredAndChanged)),
  ],
})

export const dataSource = model(
  'core.datasource',
  {
    name: text({ unique: true, max: 100 }),
    type: choice(DataSourceTypeChoices, { emptyChoice: true }),
    source_url: text({ label: 'URL', max: 200 }),
    enabled: boolean({ default: true }),
    status: choice(DataSourceStatusChoices, { readOnly: true, default: 'new' }),
    description,
    sync_interval: choice(JobIntervalChoices, {
      help: 'How often the source is synchronized by itself; never where none is given.',
      nullable: true,
      raw: true,
      filter: false,
    }),
    parameters: censored(json({ nullable: true, secret: true })),
    ignore_rules: text({
      lines: 'plain',
      help: 'Patterns of files to leave out, such as *.md, one a line.',
      blank: true,
      filter: false,
    }),
    ...owned,
    comments,
    custom_fields: customFields(),
    ...stamps,
    last_synced: datetime({ nullable: true, readOnly: true }),
    file_count: countOf('core.datafile', 'source'),
  },
  {
    path: 'core/data-sources',
    label: 'data source',
    plural: 'data sources',
    objectName: 'DataSource',
    graphql: {
      members: 'tags=none:[TagType!]!',
      filters: 'tags=none:TagFilter type:StrFilterLookup datafiles -sync_interval',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures('jobs'),
    permissions: ['sync'],
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...tagFilters,
      sync_interval: choiceFilter('sync_interval', JobIntervalChoices, { lookups: CharLookupsNoEmpty }),
    },
    pages: {
      help: {
        source_url:
          'A folder of this machine, the address of a Git repository or of a bucket (https://server/bucket/prefix).',
      },
      columns: 'name type status enabled description sync_interval file_count',
      filters: { 'Data source': 'type status enabled sync_interval' },
      form: { '': 'name type source_url enabled description sync_interval ignore_rules tags' },
      bulk: 'type enabled description sync_interval parameters ignore_rules',
      panels: {
        'Data source': 'name type enabled status sync_interval last_synced description source_url ignore_rules',
      },
      tables: [['core.datafile', 'source_id']],
      tabs: { jobs: ['core.job', 'object_type=core.datasource&object_id'] },
      weights: { name: 100, source_url: 300, description: 500, comments: 5000 },
    },
  },
)

behaviour(dataSource, {
  validate: ({ row, errors }) => {
    const scheme = /^([a-z][\w+.-]*):/i.exec(row.source_url)?.[1]?.toLowerCase()
    if (row.type === 'local' && scheme !== undefined && scheme !== 'file')
      errors.source_url = ['The URL of a local source begins with file:// or is a path.']
  },
  saved: ({ row, before, tools }) => {
    const isDue = Boolean(row.enabled) && row.sync_interval !== null
    const wasDue = before !== undefined && Boolean(before.enabled) && before.sync_interval === row.sync_interval
    if (isDue && !wasDue) queueSync(tools, row, { interval: row.sync_interval })
    else if (!isDue && before) cancelSync(tools, row.id)
  },
  actions: {
    sync: {
      post: {
        permission: 'sync',
        schema: { '~object': 'core.datasource' },
        run: ({ id, tools }) => {
          if (!tools.mayOn('sync', 'core.datasource', id))
            throw new Refused(403, { detail: 'You do not have permission to perform this action.' })
          queueSync(tools, tools.row('core.datasource', id) as never)
          return { status: 200, text: tools.render('core.datasource', [id])[0]! }
        },
      },
    },
  },
})
