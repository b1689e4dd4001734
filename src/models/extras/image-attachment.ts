import { description, file, generic, integer, stamps, text } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const imageAttachment = model('extras.imageattachment', {
  parent: generic('feature:image_attachments', { as: 'object', related: 'images' }),
  name: text({ blank: true, max: 50 }),
  image: file({ required: true, image: true }),
  description,
  image_height: integer({ readOnly: true }),
  image_width: integer({ readOnly: true }),
  image_size: integer({ readOnly: true }),
  ...stamps,
}, {
  path: 'extras/image-attachments', label: 'image attachment', plural: 'image attachments', objectName: 'ImageAttachment',
  display: (t) => `case when ${t}.name <> '' then ${t}.name else replace(${t}.image, 'image-attachments/', '') end`,
  brief: ['id', 'url', 'display', 'name', 'image', 'description'],
  order: ['name'],
  features: ['change_logging', 'custom_validation', 'event_rules'],
  displayUrl: false,
  search: { text: ['description', 'name', 'image'] },
  filters: {
    ...changelogFilters,
    object_type_id: typeIdFilter('object_type'),
  },
})
