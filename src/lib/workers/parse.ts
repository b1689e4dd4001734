// Work on text and schemas from outside that may take seconds: nothing in it reaches files, the network or the
// database.
import { parentPort } from 'node:worker_threads'
import { refusalWithin } from '../json-schema.ts'
import { definitionsIn } from '../definitions.ts'
import { type Format, parse } from '../tables.ts'
import { jsonOfYaml } from '../yaml.ts'

/**
 * Pieces of work of one kind: texts of YAML, tables to import, definitions of the device library, or values (JSON) with
 * the index of the schema (JSON) that they must satisfy.
 */
export type ParseJob =
  | { kind: 'yaml'; texts: readonly string[] }
  | { kind: 'table'; texts: readonly string[]; format: Format }
  | { kind: 'definitions'; texts: readonly string[] }
  | { kind: 'schema'; schemas: readonly string[]; checks: readonly (readonly [schema: number, value: string])[] }
/** One outcome for each piece. */
export interface ParseAnswer {
  outcomes: ({ value: string | undefined } | { error: string })[]
}

/** Milliseconds that all pieces of a job may take together. */
const MaxTogether = 5000
/** Milliseconds that one check of a schema may take. */
const MaxOfCheck = 1000

parentPort!.on('message', (job: ParseJob) => {
  const end = performance.now() + MaxTogether
  const attempt = (work: () => string | undefined): ParseAnswer['outcomes'][number] => {
    if (performance.now() > end) return { error: 'it takes too long' }
    try {
      return { value: work() }
    } catch (error) {
      return { error: (error as Error).message.split('\n')[0]! }
    }
  }
  parentPort!.postMessage({ outcomes: outcomesOf(job, attempt) } satisfies ParseAnswer)
})

type Attempt = (work: () => string | undefined) => ParseAnswer['outcomes'][number]

function outcomesOf(job: ParseJob, attempt: Attempt): ParseAnswer['outcomes'] {
  switch (job.kind) {
    case 'yaml':
      return job.texts.map((text) => attempt(() => jsonOfYaml(text)))
    case 'table':
      return job.texts.map((text) => attempt(() => JSON.stringify(parse(text, job.format))))
    case 'definitions':
      return job.texts.map((text) => attempt(() => JSON.stringify(definitionsIn(text))))
    case 'schema':
      return job.checks.map(([schema, value]) =>
        attempt(() => refusalWithin(job.schemas[schema]!, JSON.parse(value), MaxOfCheck)),
      )
  }
}
