// Every derived table by name; schema.cts hands this map to drizzle-kit.
import { allModels } from './engine/catalog.ts'
import { tables } from './engine/table.ts'

export const all = tables(allModels)
