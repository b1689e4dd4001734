import { DataSourceStatusChoices, JobIntervalChoices } from '../../choices/core.ts'
import { boolean, choice, comments, countOf, customFields, datetime, description, json, owned, stamps, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const dataSource = model('core.datasource', {
  name: text({ unique: true, max: 100 }),
  type: text({ filter: false }),
  source_url: text({ label: 'URL', max: 200 }),
  enabled: boolean({ default: true }),
  status: choice(DataSourceStatusChoices, { readOnly: true }),
  description,
  sync_interval: choice(JobIntervalChoices, { nullable: true, raw: true, filter: false }),
  parameters: json({ nullable: true }),
  ignore_rules: text({ blank: true, filter: false }),
  ...owned,
  comments,
  custom_fields: customFields(),
  ...stamps,
  last_synced: datetime({ nullable: true, readOnly: true }),
  file_count: countOf('core.datafile', 'source'),
}, {
  path: 'core/data-sources', label: 'data source', plural: 'data sources', objectName: 'DataSource',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'jobs', 'journaling', 'notifications', 'tags'],
  permissions: ['sync'],
  search: { text: ['comments', 'name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    sync_interval: choiceFilter('sync_interval', JobIntervalChoices, { lookups: CharLookupsNoEmpty }),
  },
})
