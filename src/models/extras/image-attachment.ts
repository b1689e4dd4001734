import { Upload } from '../../lib/upload.ts'
import { measure, plainName } from '../../lib/image.ts'
import { description, file, generic, integer, stamps, text, computed } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

/** SQL of what follows the first underscore of a text: stored names begin with `<model>_<id>_`. */
const afterMark = (sql: string): string => `substr(${sql}, instr(${sql}, '_') + 1)`

export const imageAttachment = model(
  'extras.imageattachment',
  {
    parent: generic('feature:image_attachments', {
      listed: true,
      as: 'object',
      related: 'images',
      errorKeys: { missing: 'non_field_errors', notAllowed: '__all__' },
    }),
    name: text({ blank: true, max: 50 }),
    image: file({ required: true, image: true, folder: 'image-attachments', max: 100 }),
    description,
    image_height: integer({ unit: 'pixels', readOnly: true, of: 'image' }),
    image_width: integer({ unit: 'pixels', readOnly: true, of: 'image' }),
    image_size: integer({ unit: 'bytes', readOnly: true, of: 'image' }),
    ...stamps,
  },
  {
    path: 'extras/image-attachments',
    label: 'image attachment',
    plural: 'image attachments',
    objectName: 'ImageAttachment',
    graphql: {
      members: 'object_type object_id:Int! image_size:Int -changelog',
      filters: 'image_size:BigIntegerLookup -description',
    },
    display: (t) =>
      `case when ${t}.name <> '' then ${t}.name
        else ${afterMark(afterMark(`replace(${t}.image, 'image-attachments/', '')`))} end`,
    brief: ['id', 'url', 'display', 'name', 'image', 'description'],
    order: ['name'],
    features: ['change_logging', 'custom_validation', 'event_rules'],
    displayUrl: false,
    search: { text: ['description', 'name', 'image'] },
    filters: {
      ...changelogFilters,
      object_type_id: typeIdFilter('object_type', ['n'], { single: true }),
    },
    pages: {
      extra: {
        dimensions: computed((t) => `${t}.image_width || ' × ' || ${t}.image_height`),
        filename: computed((t) => afterMark(afterMark(`replace(${t}.image, 'image-attachments/', '')`)), {
          label: 'File',
        }),
      },
      labels: { parent: 'Belongs to' },
      columns: 'image parent description dimensions image_size',
      filters: { Attributes: 'object_type_id name' },
      form: { '': 'image name description' },
      bulk: 'description',
      panels: { 'Image attachment': 'parent name description' },
      weights: { name: 100, filename: 110, description: 500 },
    },
  },
)

behaviour(imageAttachment, {
  accept: (body, { before }) => {
    if (!(body.image instanceof Upload)) return body
    const given =
      typeof body.name === 'string' && body.name !== ''
        ? body.name + (/\.\w+$/.exec(body.image.name)?.[0] ?? '')
        : body.image.name
    const own = plainName(given)
    const { object_type: type, object_id: id } = { ...(before as object | undefined), ...body } as Record<
      string,
      unknown
    >
    return { ...body, image: new Upload(`${String(type).split('.').at(-1)}_${String(id)}_${own}`, body.image.bytes) }
  },
  prepare: ({ row, body }) => {
    if (!(body.image instanceof Upload)) return
    const size = measure(body.image.bytes)
    Object.assign(row, {
      image_width: size?.width ?? 0,
      image_height: size?.height ?? 0,
      image_size: body.image.bytes.length,
    })
  },
})
