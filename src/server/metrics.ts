import { createHash, timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Context } from 'hono'
import { type Authenticator, noCredentials } from '../http/auth.ts'
import { type Answer, type Env, forbidden, jsonAnswer } from '../http/request.ts'
import { actorBySession } from '../http/session.ts'
import type { Config } from '../config.ts'
import { Version } from '../lib/version.ts'
import type { Worker } from '../services/jobs.ts'
import { filesOf, lastBackup } from '../store/data-folder.ts'
import type { Store } from '../store/open.ts'
import type { Dispatcher } from './dispatch.ts'
import type { Follower } from './follower.ts'
import { Bounds, type Meters, type Times } from './meters.ts'
import type { Source } from './source.ts'

/** What metrics and health checks look at. */
export interface Watched {
  store: Store
  meters: Meters
  /** Undefined while the server starts. */
  worker: Worker | undefined
  /** Undefined where one thread does all. */
  dispatcher: Dispatcher | undefined
  /** Of a server that is copied elsewhere. */
  source: Source | undefined
  /** Of a server that shows another's data. */
  follower: Follower | undefined
}

type Labels = Readonly<Record<string, string>>
type Values = readonly (readonly [labels: Labels, value: number])[]
/** One metric: what it is, and its samples. */
interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: { metricName: string; labels: Labels; value: number }[]
}

const plain = (type: 'counter' | 'gauge', name: string, help: string, values: number | Values): Metric => ({
  name,
  help,
  type,
  values: (typeof values === 'number' ? ([[{}, values]] as const) : values).map(([labels, value]) => ({
    metricName: name,
    labels,
    value,
  })),
})

function histogram(name: string, help: string, all: readonly (readonly [Labels, Times])[]): Metric {
  const values = all.flatMap(([labels, times]) => {
    let below = 0
    const buckets = [...times.buckets].map((count, i) => {
      below += count
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: i < Bounds.length ? String(Bounds[i]) : '+Inf' },
        value: below,
      }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: times.sum },
      { metricName: `${name}_count`, labels, value: times.count },
    ]
  })
  return { name, help, type: 'histogram', values }
}

/** Every metric with its values of now. */
async function metricsOf(watched: Watched): Promise<Metric[]> {
  const { store, worker, dispatcher, source, follower } = watched
  const { user, system } = process.cpuUsage()
  const openElsewhere = (await dispatcher?.gather()) ?? 0
  return [
    plain('gauge', 'cabinet_info', 'The version that runs; always 1.', [[{ version: Version }, 1]]),
    ...requestMetrics(watched, openElsewhere),
    ...(await storageMetrics(store, follower)),
    ...jobMetrics(worker),
    ...threadMetrics(dispatcher),
    ...backupMetrics(store),
    ...(source ? sourceMetrics(source) : []),
    ...(follower ? followerMetrics(follower) : []),
    plain('counter', 'process_cpu_seconds_total', 'CPU time of all threads.', (user + system) / 1e6),
    plain('gauge', 'process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
    plain('gauge', 'process_start_time_seconds', 'When the server started.', performance.timeOrigin / 1000),
  ]
}

const requestMetrics = ({ store: { commit }, meters }: Watched, openElsewhere: number): Metric[] => [
  plain(
    'counter',
    'cabinet_requests_total',
    'Requests that were answered.',
    [...meters.requests.values()].map(({ count, ...labels }) => [labels, count]),
  ),
  histogram(
    'cabinet_request_seconds',
    'Time from the head of a request until its answer was handed to the system.',
    [...meters.times.values()].map(({ times, ...labels }) => [labels, times]),
  ),
  plain('gauge', 'cabinet_requests_open', 'Requests that are being answered.', meters.open + openElsewhere),
  plain('gauge', 'cabinet_write_queue', 'Writes that wait for their transaction.', commit.waiting),
  plain('counter', 'cabinet_writes_total', 'Writes of the first thread; several share a transaction.', meters.writes),
  histogram('cabinet_commit_seconds', 'Time of a transaction, with its sync to disk.', [
    [{ thread: 'first' }, meters.commits.first],
    [{ thread: 'long' }, meters.commits.long],
  ]),
]

async function storageMetrics(store: Watched['store'], follower: Watched['follower']): Promise<Metric[]> {
  const { config, disk, reader } = store
  const database = follower?.copy?.file ?? filesOf(config.data).database
  const sizeOf = (file: string) =>
    stat(file).then(
      (found) => found.size,
      () => 0,
    )
  const [bytes, wal] = await Promise.all([sizeOf(database), sizeOf(`${database}-wal`)])
  const { rows, parts } = reader.cachedBytes
  return [
    plain('gauge', 'cabinet_kept_bytes', 'Rendered rows that the first thread keeps.', [
      [{ what: 'rows' }, rows],
      [{ what: 'parts' }, parts],
    ]),
    plain('gauge', 'cabinet_database_bytes', 'Size of the database file.', bytes),
    plain('gauge', 'cabinet_wal_bytes', 'Size of the write-ahead log.', wal),
    plain('gauge', 'cabinet_disk_free_bytes', 'Room where the data lie.', disk.free === undefined ? [] : disk.free),
    plain('gauge', 'cabinet_disk_reserve_bytes', 'Room below which nothing is written.', config.diskReserve),
  ]
}

const jobMetrics = (worker: Watched['worker']): Metric[] => [
  plain(
    'gauge',
    'cabinet_jobs',
    'Jobs in the queue by what they do; those of webhooks are deliveries.',
    (worker?.states ?? []).map(({ count, ...labels }) => [labels, count]),
  ),
  plain(
    'counter',
    'cabinet_job_runs_total',
    'Runs of jobs by how they ended; one that ended with later is tried again.',
    (worker?.ended ?? []).map(({ count, ...labels }) => [labels, count]),
  ),
]

function threadMetrics(dispatcher: Watched['dispatcher']): Metric[] {
  const threads = dispatcher?.threads ?? []
  const each = (of: (thread: (typeof threads)[number]) => number): Values =>
    threads.map((thread) => [{ role: thread.role }, of(thread)])
  return [
    plain(
      'gauge',
      'cabinet_threads',
      'Threads beside the first one.',
      each(({ count }) => count),
    ),
    plain(
      'gauge',
      'cabinet_thread_requests',
      'Requests that threads work on.',
      each(({ working }) => working),
    ),
    plain(
      'gauge',
      'cabinet_thread_queue',
      'Requests that wait for a thread.',
      each(({ waiting }) => waiting),
    ),
  ]
}

function backupMetrics({ config }: Watched['store']): Metric[] {
  const backup = lastBackup(config.data)
  return [
    plain(
      'gauge',
      'cabinet_last_backup_timestamp_seconds',
      'When the last backup was made.',
      backup ? Date.parse(backup.made) / 1000 : [],
    ),
    plain('gauge', 'cabinet_last_backup_bytes', 'Size of the last backup.', backup ? backup.bytes : []),
  ]
}

const sourceMetrics = ({ epoch, isRunning, lag, overtaken }: Source): Metric[] => [
  plain('gauge', 'cabinet_replica_epoch', 'How often the source has become another one.', epoch),
  plain('gauge', 'cabinet_replica_running', 'Whether Litestream runs.', Number(isRunning)),
  plain(
    'gauge',
    'cabinet_replica_lag_seconds',
    'For how long something was not at the place of the replica, as it was last looked at.',
    lag ?? [],
  ),
  plain(
    'gauge',
    'cabinet_replica_overtaken',
    'Whether another server has taken over.',
    Number(overtaken !== undefined),
  ),
]

const followerMetrics = ({ age, epoch, copies, took, fault }: Follower): Metric[] => [
  plain('gauge', 'cabinet_follower_age_seconds', 'How old what is shown may be.', age ?? []),
  plain('gauge', 'cabinet_follower_epoch', 'The epoch of the source that is followed.', epoch),
  plain('counter', 'cabinet_follower_copies_total', 'States of the source that were opened.', copies),
  plain('gauge', 'cabinet_follower_copy_seconds', 'How long the last one took to come.', took / 1000),
  plain('gauge', 'cabinet_follower_fault', 'Whether the replica could not be read.', Number(fault !== undefined)),
]

/** A metric in the text format of Prometheus, version 0.0.4. */
function textOf({ name, help, type, values }: Metric): string {
  const lines = values.map(({ metricName, labels, value }) => {
    const named = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    return `${metricName}${named.length ? `{${named.join(',')}}` : ''} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')

/** The answer to `GET /metrics`: for superusers and for who has `metrics_token`. Throws `ApiError` 403 for others. */
export const metricsAnswer =
  (watched: Watched, authenticator: Authenticator) =>
  async (c: Context<Env>): Promise<Answer> => {
    demandWatcher(c, authenticator)
    const body = (await metricsOf(watched)).map(textOf).join('')
    return { status: 200, body, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }
  }

function demandWatcher(c: Context<Env>, authenticator: Authenticator): void {
  const { config, client, request } = c.get('call')
  const header = request.headers.get('authorization')
  if (header && isMetricsToken(header, config)) return
  const actor = header ? authenticator.byHeader(header, client) : actorBySession(c, authenticator)
  if (!actor) throw noCredentials()
  if (!actor.superuser) throw forbidden()
}

function isMetricsToken(header: string, { metricsToken }: Config): boolean {
  const given = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1]
  if (!metricsToken || !given) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(metricsToken))
}

/** Milliseconds that a write may take until the server counts as not ready. */
const Patience = 2000

/**
 * The answer to `GET /readyz`, for everybody: 503 with the reason where writes are not possible; of a follower, where
 * what it shows is older than `follow_max_age`.
 */
export const readyAnswer = ({ store, source, follower }: Watched): (() => Promise<Answer>) => {
  const { commit, disk, config } = store
  let asking: Promise<string | undefined> | undefined
  const fault = async (): Promise<string | undefined> => {
    if (follower) return staleness(follower, config.followMaxAge)
    if (source?.overtaken !== undefined) return 'Another server has taken over.'
    if (disk.isFull) return 'The disk is full but for its reserve.'
    asking ??= writeFault(commit).finally(() => {
      asking = undefined // who asks at once shares a transaction
    })
    return asking
  }
  return async () => {
    const reason = await fault()
    const role = follower ? { role: 'follower', age: follower.age && Math.round(follower.age) } : {}
    const warning = disk.isScarce ? 'The disk is nearly full.' : source?.trouble
    return reason
      ? jsonAnswer(503, { status: 'not ready', detail: reason, ...role })
      : jsonAnswer(200, { status: 'ready', ...role, ...(warning ? { warning } : {}) })
  }
}

function staleness({ age, fault }: Follower, most: number): string | undefined {
  if (age !== undefined && age <= most) return undefined
  const how = age === undefined ? 'It is not known how old' : `${Math.round(age)} seconds old`
  return `${how} what is shown is${fault ? `: ${fault}` : '.'}`.replace(
    /^(\d+ seconds old) what is shown is/,
    'What is shown is $1',
  )
}

/** Why an empty transaction cannot be made; undefined where it can. */
function writeFault(commit: Store['commit']): Promise<string | undefined> {
  return new Promise<string | undefined>((resolve) => {
    const late = setTimeout(resolve, Patience, 'Writes take too long.')
    commit
      .run(() => undefined)
      .then(
        () => resolve(undefined),
        (error: Error) => resolve(error.message),
      )
      .finally(() => clearTimeout(late))
  })
}
