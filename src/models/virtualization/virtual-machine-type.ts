import {
  comments,
  counter,
  decimal,
  description,
  integer,
  owned,
  primary,
  ref,
  slug,
  text,
} from '../../fields/index.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const virtualMachineType = model(
  'virtualization.virtualmachinetype',
  {
    name: text({ max: 100 }),
    slug: slug({ unique: true }),
    default_platform: ref('dcim.platform', { onDelete: 'set null', related: false, filter: false }),
    default_vcpus: decimal({ nullable: true, label: 'Default vCPUs', digits: 6, places: 2, min: 0.01 }),
    default_memory: integer({ unit: 'MiB', nullable: true, min: 0, max: 2147483647 }),
    description,
    ...owned,
    comments,
    ...primary,
    virtual_machine_count: counter('virtualization.virtualmachine', 'virtual_machine_type'),
  },
  {
    path: 'virtualization/virtual-machine-types',
    label: 'virtual machine type',
    plural: 'virtual machine types',
    objectName: 'VirtualMachineType',
    graphql: {
      members: '-image_attachments',
      filters: 'instances virtual_machine_count:IntComparisonFilterLookup -name -slug',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['name'],
    unique: [{ fields: [{ lower: 'name' }] }],
    features: primaryFeatures('image_attachments'),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...relatedBy('default_platform', 'dcim.platform', { tree: true }),
    },
    pages: {
      columns: 'name default_platform default_vcpus default_memory virtual_machine_count description',
      filters: { Attributes: 'default_platform_id default_vcpus default_memory virtual_machine_count' },
      form: {
        'Virtual machine type': 'name slug description tags',
        Defaults: 'default_platform default_vcpus default_memory',
      },
      bulk: 'description default_platform default_vcpus default_memory',
      panels: { 'Virtual machine type': 'name default_platform default_vcpus default_memory description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
