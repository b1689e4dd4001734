import { genericDisplay } from '../../fields/generic.ts'
import { generic, ref } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { model } from '../../declare/model.ts'

export const taggedItem = model(
  'extras.taggeditem',
  {
    object: generic('feature:all', { readOnly: true, related: 'tagged_items' }),
    tag: ref('extras.tag', { readOnly: true, onDelete: 'cascade', related: 'extras_taggeditem_items' }),
  },
  {
    path: 'extras/tagged-objects',
    label: 'tagged item',
    plural: 'tagged items',
    objectName: 'TaggedItem',
    graphql: false,
    display: (t, sql) => {
      sql.uses('extras_tag')
      return `${genericDisplay(t, 'object')} || ' tagged with ' || (select g.name from extras_tag g
        where g.id = ${t}.tag_id)`
    },
    brief: ['id', 'url', 'display', 'object_type', 'object_id', 'object', 'tag'],
    order: ['tag'],
    unique: [{ fields: ['object_type', 'object_id', 'tag'] }],
    indexes: [['tag_id', 'object_type', 'object_id']],
    methods: ['GET'],
    changeLogged: false,
    displayUrl: false,
    public: false,
    search: { text: ['tag.description', 'tag.name', 'tag.slug'] },
    filters: {
      object_type_id: typeIdFilter('object_type'),
      tag: relatedFilter('tag', 'extras.tag', { by: 'slug' }),
    },
  },
)
