import { boolean, computed, text } from '../../fields/index.ts'
import { model } from '../../registry/model.ts'

export const script = model('extras.script', {
  module: text({ readOnly: true, filter: false }),
  name: text({ readOnly: true }),
  description: computed(() => 'null'),
  vars: computed(() => "json('{}')"),
  result: computed(() => 'null'),
  is_executable: boolean({ readOnly: true }),
}, {
  path: 'extras/scripts', label: 'script', plural: 'scripts', objectName: 'Script',
  display: 'name',
  brief: ['id', 'url', 'name', 'description', 'display'],
  order: ['module', 'name'],
  unique: [{ fields: ['name', 'module'] }],
  features: ['event_rules', 'jobs'],
  methods: ['GET'],
  changeLogged: false,
  search: { text: ['name'] },
})
