import type { WriteTools } from '../declare/behaviour.ts'
import type { RowNamed } from '../declare/model.ts'
import { enqueue } from './job-queue.ts'
import { sql } from '../declare/statement.ts'

/** Queues a synchronisation; those that repeat replace the one that waits. */
export function queueSync(
  tools: Pick<WriteTools, 'run' | 'set' | 'user'>,
  source: RowNamed<'core.datasource'>,
  options: { interval?: number | null; delay?: number } = {},
): void {
  if (options.interval) cancelSync(tools, source.id)
  enqueue(tools, {
    lane: `sync:${source.id}`,
    name: `Synchronize ${source.name}`,
    object: { type: 'core.datasource', id: source.id },
    userId: tools.user.id,
    ...options,
  })
  if (!options.delay) tools.set('core.datasource', { id: source.id }, { status: 'queued' })
}

const Cancel = sql`
  delete from core_job where lane = ? and "interval" is not null and status in ('pending', 'scheduled')`

/** Takes back the repeated synchronisation that waits. */
export const cancelSync = (tools: Pick<WriteTools, 'run'>, id: number): void => void tools.run(Cancel, `sync:${id}`)
