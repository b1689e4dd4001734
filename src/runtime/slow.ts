import type { SlowAnswer, SlowJob } from '../workers/slow.ts'
import type { Done, Workshop } from './elsewhere.ts'
import { NotDone, ThreadPool } from './pool.ts'
import { startThread } from './threads.ts'

const pool = new ThreadPool<SlowJob, SlowAnswer>(
  () => startThread('slow', { resourceLimits: { maxOldGenerationSizeMb: 512 }, env: {} }),
  { threads: 3, timeout: 15_000, waiting: 200, waitingOfOne: 20 },
)

async function doneIn(job: SlowJob, count: number, asker: string): Promise<Done<string | undefined>[]> {
  try {
    const { outcomes } = await pool.run(job, asker)
    return outcomes.map((each) => ('error' in each ? { error: new Error(each.error) } : each))
  } catch (error) {
    if (!(error instanceof NotDone)) throw error
    return Array.from({ length: count }, () => ({ error }))
  }
}

/** Texts of YAML to JSON, in a thread. */
export const parsingYaml: Workshop<string, string | undefined> = (texts, asker) =>
  doneIn({ kind: 'yaml', texts }, texts.length, asker)

/** Why values (JSON) do not satisfy schemas (JSON), in a thread; undefined for those that do. */
export const checkingSchemas: Workshop<{ schema: string; value: string }, string | undefined> = (pairs, asker) => {
  const schemas = [...new Set(pairs.map((pair) => pair.schema))]
  const indexes = new Map(schemas.map((schema, i) => [schema, i]))
  const checks = pairs.map(({ schema, value }): [number, string] => [indexes.get(schema)!, value])
  return doneIn({ kind: 'schema', schemas, checks }, checks.length, asker)
}
