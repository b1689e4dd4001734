import { description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import type { WriteTools } from '../../declare/behaviour.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { sql } from '../../declare/statement.ts'

export const virtualDisk = model(
  'virtualization.virtualdisk',
  {
    virtual_machine: ref('virtualization.virtualmachine', { onDelete: 'cascade', related: 'virtualdisks' }),
    name: text({ max: 64, natural: true }),
    description,
    size: integer({ unit: 'MB', min: 0, max: 2147483647 }),
    ...owned,
    ...primary,
  },
  {
    path: 'virtualization/virtual-disks',
    label: 'virtual disk',
    plural: 'virtual disks',
    objectName: 'VirtualDisk',
    display: 'name',
    brief: ['id', 'url', 'display', 'virtual_machine', 'name', 'description', 'size'],
    order: ['virtual_machine', 'name'],
    unique: [{ fields: ['virtual_machine', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['name', 'description'] },
    filters: {
      ...primaryFilters,
      virtual_machine: relatedFilter('virtual_machine', 'virtualization.virtualmachine', { by: 'name' }),
    },
    pages: {
      columns: 'name virtual_machine size description',
      filters: { 'Virtual machine': 'virtual_machine_id', Attributes: 'size' },
      form: { Disk: 'virtual_machine name size description tags' },
      within: 'name size description',
      series: 'name',
      bulk: 'size description',
      panels: { 'Virtual disk': 'virtual_machine name size description' },
      weights: { name: 100, description: 500 },
    },
  },
)

/** How many virtual disks a machine has, and their sizes together. */
export const DisksOf = sql<{ n: number; sum: number | null }>`
  select count(*) as n, sum(size) as sum from virtualization_virtualdisk where virtual_machine_id = ?`

/** The size of a virtual machine's disk is that of all its virtual disks. */
const sumUp = (tools: WriteTools, machine: number) =>
  tools.patch('virtualization.virtualmachine', machine, {
    disk: tools.get(DisksOf, machine)!.sum,
  })

behaviour(virtualDisk, {
  saved: ({ row, before, tools }) => {
    if (before && before.virtual_machine_id !== row.virtual_machine_id) sumUp(tools, before.virtual_machine_id)
    if (!before || before.size !== row.size || before.virtual_machine_id !== row.virtual_machine_id)
      sumUp(tools, row.virtual_machine_id)
  },
  deleted: ({ row, tools }) => sumUp(tools, row.virtual_machine_id),
})
