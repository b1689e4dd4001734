import type { Found } from './definitions.ts'
import { type Format, parse, type Table } from './tables.ts'
import type { ParseAnswer, ParseJob } from './workers/parse.ts'
import type { Done, BatchWorker } from './deferred.ts'
import { NotDone, ThreadPool } from './thread-pool.ts'
import { startThread } from './threads.ts'

const pool = new ThreadPool<ParseJob, ParseAnswer>(
  () => startThread('parse', { resourceLimits: { maxOldGenerationSizeMb: 512 }, env: {} }),
  { threads: 3, timeout: 15_000, waiting: 200, waitingOfOne: 20 },
)

async function doneIn(job: ParseJob, count: number, asker: string): Promise<Done<string | undefined>[]> {
  try {
    const { outcomes } = await pool.run(job, asker)
    return outcomes.map((each) => ('error' in each ? { error: new Error(each.error) } : each))
  } catch (error) {
    if (!(error instanceof NotDone)) throw error
    return Array.from({ length: count }, () => ({ error }))
  }
}

/** Texts of YAML to JSON, in a thread. */
export const parsingYaml: BatchWorker<string, string | undefined> = (texts, asker) =>
  doneIn({ kind: 'yaml', texts }, texts.length, asker)

/** Why values (JSON) do not satisfy schemas (JSON), in a thread; undefined for those that do. */
export const checkingSchemas: BatchWorker<{ schema: string; value: string }, string | undefined> = (pairs, asker) => {
  const schemas = [...new Set(pairs.map((pair) => pair.schema))]
  const indexes = new Map(schemas.map((schema, i) => [schema, i]))
  const checks = pairs.map(({ schema, value }): [number, string] => [indexes.get(schema)!, value])
  return doneIn({ kind: 'schema', schemas, checks }, checks.length, asker)
}

/** Texts of fewer characters are read as CSV without a thread. */
const SmallTable = 65_536

/** Reads a table to import, in a thread where that may take a while. Rejects with `NotDone`, or with what is wrong. */
export async function tableIn(text: string, format: Format, asker: string): Promise<Table> {
  if (format === 'csv' && text.length < SmallTable) return parse(text, format)
  return JSON.parse(await read({ kind: 'table', texts: [text], format }, asker)) as Table
}

/** Reads definitions of the device library, in a thread. Rejects with `NotDone`, or with what is wrong. */
export const definitionsOf = async (text: string, asker: string): Promise<Found[]> =>
  JSON.parse(await read({ kind: 'definitions', texts: [text] }, asker)) as Found[]

async function read(job: ParseJob, asker: string): Promise<string> {
  const [done] = await doneIn(job, 1, asker)
  if ('error' in done!) throw done.error
  return done!.value!
}
