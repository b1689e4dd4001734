import { allModels } from '../engine/catalog.ts'
import type { Input } from './command.ts'
import { printJson, printTable } from './table.ts'

/** `cabinet models`: names of the models with an endpoint, its path, and whether it can be written. */
export function printModels(input: Input): number {
  const rows = allModels
    .filter((m) => !m.internal)
    .map((m) => ({ name: m.name, path: m.path, writes: !m.methods || m.methods.includes('POST') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  if (input.flag('json')) return printJson(rows)
  printTable(
    ['MODEL', 'PATH', 'MAY'],
    rows.map(({ name, path, writes }) => [name, path, writes ? 'write' : 'read']),
  )
  return 0
}
