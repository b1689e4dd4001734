import { description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const virtualDisk = model('virtualization.virtualdisk', {
  virtual_machine: ref('virtualization.virtualmachine', { onDelete: 'cascade', related: 'virtualdisks' }),
  name: text({ max: 64, natural: true }),
  description,
  size: integer({ min: 0, max: 2147483647 }),
  ...owned,
  ...primary,
}, {
  path: 'virtualization/virtual-disks', label: 'virtual disk', plural: 'virtual disks', objectName: 'VirtualDisk',
  display: 'name',
  brief: ['id', 'url', 'display', 'virtual_machine', 'name', 'description', 'size'],
  order: ['virtual_machine', 'name'],
  unique: [{ fields: ['virtual_machine', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    virtual_machine: relatedFilter('virtual_machine', 'virtualization.virtualmachine', { by: 'name' }),
  },
})

behaviour(virtualDisk, {
  saved: ({ row, tools }) => tools.patch('virtualization.virtualmachine', row.virtual_machine_id, { disk: tools.get<{ sum: number }>('select sum(size) as sum from virtualization_virtualdisk where virtual_machine_id = ?', row.virtual_machine_id)!.sum }),
  deleted: ({ row, tools }) => tools.patch('virtualization.virtualmachine', row.virtual_machine_id, { disk: tools.get<{ sum: number | null }>('select sum(size) as sum from virtualization_virtualdisk where virtual_machine_id = ?', row.virtual_machine_id)!.sum }),
})
