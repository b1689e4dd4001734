// Every derived table by name; schema.cts hands this map to drizzle-kit.
import { allModels } from './registry/catalog.ts'
import { tables } from './registry/table.ts'

export const all = tables(allModels)
