import { CustomLinkButtonClassChoices } from '../../choices/extras.ts'
import { boolean, choice, contentTypes, integer, owned, stamps, text } from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { stringFilter } from '../../filters/string.ts'
import { model } from '../../declare/model.ts'

export const customLink = model(
  'extras.customlink',
  {
    object_types: contentTypes('custom_links', { filter: false }),
    name: text({ unique: true, max: 100 }),
    enabled: boolean({ default: true }),
    link_text: text({ help: 'Jinja2 template; where it gives nothing, the link is not shown.', lines: 'code' }),
    link_url: text({ help: 'Jinja2 template of the address.', label: 'Link URL', lines: 'code' }),
    weight: integer({ help: 'Links of less weight come first.', min: 0, max: 32767, default: 100 }),
    group_name: text({ help: 'Links of one group share a menu.', blank: true, max: 50 }),
    button_class: choice(CustomLinkButtonClassChoices, { default: 'default', raw: true, single: true }),
    new_window: boolean({ help: 'The link opens in a window of its own.', default: false }),
    ...owned,
    ...stamps,
  },
  {
    path: 'extras/custom-links',
    label: 'custom link',
    plural: 'custom links',
    objectName: 'CustomLink',
    graphql: { members: '-object_types' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name'],
    order: ['group_name', 'weight', 'name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
    search: { text: ['group_name', 'link_url', 'name', 'link_text'] },
    filters: {
      ...primaryFilters,
      link_text: stringFilter('link_text', { single: true, lookups: CharLookupsNoEmpty }),
      link_url: stringFilter('link_url', { single: true, lookups: CharLookupsNoEmpty }),
      object_type_id: typeIdFilter('object_types'),
      object_type: contentTypeFilter('object_types', { char: true }),
    },
    pages: {
      tabs: { preview: true },
      columns: 'name object_types enabled group_name button_class new_window',
      filters: { Attributes: 'object_type_id enabled new_window weight' },
      form: {
        'Custom link': 'name object_types weight group_name button_class enabled new_window',
        Templates: 'link_text link_url',
      },
      bulk: 'enabled new_window weight button_class',
      panels: {
        'Custom link': 'name enabled group_name weight button_class new_window',
        'Object types': 'object_types',
        Templates: 'link_text link_url',
      },
    },
  },
)
