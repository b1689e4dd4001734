import {
  boolean,
  color,
  comments,
  countOf,
  description,
  integer,
  owned,
  primary,
  ref,
  slug,
  text,
} from '../../fields/index.ts'
import { primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures, uniqueWithin } from '../../declare/presets.ts'

export const deviceRole = model(
  'dcim.devicerole',
  {
    name: text({ max: 100 }),
    slug: slug(),
    color: color({ default: '9e9e9e' }),
    vm_role: boolean({ label: 'VM role', default: true }),
    config_template: ref('extras.configtemplate', { nullable: true, apiDefault: null, related: 'device_roles' }),
    parent: ref('dcim.devicerole', {
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'children',
      shape: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    description,
    ...primary,
    device_count: countOf('dcim.device', 'role', { cumulative: true, nested: 0 }),
    virtualmachine_count: countOf('virtualization.virtualmachine', 'role', { cumulative: true, nested: 0 }),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'dcim/device-roles',
    label: 'device role',
    plural: 'device roles',
    objectName: 'DeviceRole',
    graphql: { filters: '-parent -parent_id' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'device_count', 'virtualmachine_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: uniqueWithin('parent', 'name', 'slug'),
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...treeFilters('dcim.devicerole'),
    },
    pages: {
      columns: 'name device_count virtualmachine_count color vm_role description',
      filters: { 'Device role': 'parent_id config_template_id' },
      form: { 'Device role': 'name slug parent color vm_role config_template description tags' },
      bulk: 'parent color vm_role config_template description',
      panels: { 'Device role': 'parent name description color vm_role config_template' },
      tables: [['dcim.devicerole', 'parent_id', 'Child device roles']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
