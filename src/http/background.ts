import { limitOf, neighbours } from './lists.ts'
import { type Answer, ApiError, badMethod, type Call, described, forbidden, jsonAnswer, noSuchPage } from './request.ts'

/** Names that clients know; this service puts all its jobs into the first. */
const Queues = ['default', 'high', 'low'] as const

interface Counts {
  waiting: number
  oldest: string | null
  scheduled: number
  running: number
  finished: number
  failed: number
}

/** `core/background-queues/`: what waits and what has run, counted from the jobs. */
export function queues(call: Call, [name, ...deeper]: readonly string[]): Answer {
  demandSuperuser(call)
  demandRead(call)
  if (name === undefined)
    return page(
      call,
      Queues.map((each, i) => queue(call, each, i)),
    )
  const index = Queues.indexOf(name as (typeof Queues)[number])
  if (index < 0 || deeper.length) throw noSuchPage()
  return jsonAnswer(200, queue(call, Queues[index]!, index))
}

function queue(call: Call, name: string, index: number): object {
  const counts = call.store.db.get<Counts>(
    `select coalesce(sum(status = 'pending'), 0) as waiting,
       min(case when status = 'pending' then created end) as oldest,
       coalesce(sum(status = 'scheduled'), 0) as scheduled,
       coalesce(sum(status = 'running'), 0) as running,
       coalesce(sum(status = 'completed'), 0) as finished,
       coalesce(sum(status in ('failed', 'errored')), 0) as failed
     from core_job where queue_name = +?`,
    name,
  )!
  return {
    name,
    url: `${call.base}/api/core/background-queues/${name}/`,
    jobs: counts.waiting,
    oldest_job_timestamp: counts.oldest ?? '-',
    index,
    scheduler_pid: null,
    workers: 0,
    finished_jobs: counts.finished,
    started_jobs: counts.running,
    deferred_jobs: 0,
    failed_jobs: counts.failed,
    scheduled_jobs: counts.scheduled,
  }
}

/**
 * `core/background-workers/` and `core/background-tasks/`: jobs run inside this server and are seen in core/jobs, so
 * there are none.
 */
export const emptyList =
  (actions: readonly string[] = []) =>
  (call: Call, [name, action, ...deeper]: readonly string[]): Answer => {
    demandSuperuser(call)
    if (action !== undefined) {
      if (!actions.includes(action) || deeper.length) throw noSuchPage()
      if (call.method !== 'POST') throw badMethod(call.method)
      throw noSuchPage()
    }
    demandRead(call)
    if (name !== undefined) throw noSuchPage()
    return page(call, [])
  }

function page(call: Call, all: readonly object[]): Answer {
  if (call.method === 'OPTIONS') return described('Background')
  const offset = /^\d{1,9}$/.test(call.query.get('offset') ?? '') ? Number(call.query.get('offset')) : 0
  const limit = limitOf(call)
  return jsonAnswer(200, {
    count: all.length,
    ...neighbours(call, all.length, limit, offset),
    results: all.slice(offset, offset + (limit ?? all.length)),
  })
}

function demandSuperuser(call: Call): void {
  if (!call.actor.superuser) throw forbidden()
}

function demandRead(call: Call): void {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(call.method)) throw badMethod(call.method)
}

/**
 * `extras/scripts/upload/` and running a script: refused, for scripts are Python. Undefined for what the list of
 * scripts answers.
 */
export async function scripts(
  call: Call,
  [name, ...deeper]: readonly string[],
  body: () => Promise<unknown>,
  may: (permission: string) => boolean,
): Promise<Answer | undefined> {
  const demand = (permission: string) => {
    if (!call.actor.writes || !may(permission)) throw forbidden()
  }
  if (name === undefined || deeper.length > 1) return undefined
  if (name === 'upload') {
    const method = deeper.length ? ['PUT', 'PATCH'] : ['POST']
    if (!method.includes(call.method)) throw badMethod(call.method)
    if (deeper.length) {
      if (!call.actor.writes) throw forbidden()
      throw new ApiError(404, { detail: 'No ScriptModule matches the given query.' })
    }
    demand('add')
    const given = (await body()) as { file?: unknown } | null
    throw new ApiError(400, {
      file: [
        given?.file === undefined
          ? 'No file was submitted.'
          : 'This server does not run scripts, which are written in Python.',
      ],
    })
  }
  if (deeper.length) return undefined
  if (call.method === 'POST') {
    demand('run')
    throw new ApiError(503, { detail: 'This server does not run scripts.' })
  }
  if (!/^\d{1,15}$/.test(name)) throw new ApiError(404, { detail: 'No Script matches the given query.' })
  return undefined
}
