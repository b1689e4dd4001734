import { boolean, computed, ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

export const script = model(
  'extras.script',
  {
    module: ref('extras.scriptmodule', { readOnly: true, raw: true, onDelete: 'cascade', related: 'scripts' }),
    name: text({ readOnly: true }),
    description: computed(() => 'null'),
    vars: computed(() => "json('{}')"),
    result: computed(() => 'null'),
    is_executable: boolean({ readOnly: true }),
  },
  {
    path: 'extras/scripts',
    label: 'script',
    plural: 'scripts',
    objectName: 'Script',
    graphql: false,
    display: 'name',
    leading: ['id', 'url', 'display_url', 'module', 'name', 'description', 'vars', 'result', 'display'],
    brief: ['id', 'url', 'name', 'description', 'display'],
    order: ['module', 'name'],
    unique: [{ fields: ['name', 'module'] }],
    features: ['event_rules', 'jobs'],
    methods: ['GET'],
    open: true,
    permissions: ['run'],
    changeLogged: false,
    search: { text: ['name'] },
    pages: {
      tabs: { jobs: ['core.job', 'object_type=extras.script&object_id'] },
    },
  },
)
