import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join, sep } from 'node:path'
import type { Config } from '../config.ts'
import { System } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { RowNamed } from '../declare/model.ts'
import type { Authorship } from '../store/changelog.ts'
import { deleteRows } from '../store/cascade.ts'
import type { Store } from '../store/open.ts'
import { isPassing } from '../store/passing.ts'
import { patch, Writing } from '../store/write.ts'
import { inThread } from '../lib/threads.ts'
import type { GitAnswer, GitRequest } from '../lib/workers/git.ts'
import type { BucketAnswer, BucketRequest } from '../lib/workers/s3.ts'
import { now } from '../lib/datetime.ts'
import { filesBelow, type FoundFile, type Limits, TooMuch } from '../lib/files-below.ts'
import { skipping } from '../lib/glob.ts'
import type { Events } from './events.ts'
import type { End, Job, Outcome } from './jobs.ts'
import { queueSync } from '../rules/sync-queue.ts'
import { columnsFrom, SyncedColumns, type SyncedModel, UnfitFile } from '../rules/synced-data.ts'
import { sql } from '../declare/statement.ts'

type Source = RowNamed<'core.datasource'>

/** What one data source may hold. */
const Most: Limits = { files: 20_000, bytes: 268_435_456, eachBytes: 16_777_216 }
const Minute = 60_000
/** How long fetching a repository or a bucket may take, in milliseconds. */
const FetchTimeout = 120_000

/** A source that cannot be read; the message says why. */
class Unreadable extends Error {}

/** Brings the data files of a source up to date, and the objects that follow them. */
export async function syncSource(store: Store, events: Events, job: Job, end: End): Promise<Outcome> {
  const source = store.rows.row('core.datasource', job.object_id ?? 0)
  if (!source) return { status: 'failed', message: 'The data source is gone.' }
  const username = store.rows.row('users.user', job.user_id ?? 0)?.username ?? ''
  const by = (): Authorship => ({ userId: job.user_id, username, requestId: job.job_id, message: '', now: now() })
  const tell = (event: 'job_started' | 'job_completed' | 'job_failed' | 'job_errored', data: object | null) =>
    events.ofJob(event, { type: 'core.datasource', id: source.id, label: source.name, data }, by())
  try {
    await store.commit.run(() => {
      if (!source.enabled) throw new Unreadable('The data source is disabled.')
      store.rows.set('core.datasource', { id: source.id }, { status: 'syncing' })
      tell('job_started', null)
    })
    const files = await filesOf(source, store.config)
    const data = await replaceFiles(store, source, files, () => new Writing(store, System, by()))
    return await store.commit.run(() => {
      demandThere(store, source)
      store.rows.set('core.datasource', { id: source.id }, { status: 'completed', last_synced: now() })
      tell('job_completed', data)
      queueNext(store, job)
      return end({ status: 'completed', message: `Synchronized ${files.length} files.`, data })
    })
  } catch (error) {
    if (isPassing(error)) throw error // it is tried again
    const { message } = error as Error
    const status = isExpected(error) ? 'failed' : 'errored'
    return store.commit.run(() => {
      store.rows.set('core.datasource', { id: source.id }, { status: 'failed' })
      tell(`job_${status}`, { error: message })
      queueNext(store, job)
      return end({ status, message })
    })
  }
}

/** Queues the next synchronization where its source is still there, and has the interval. */
function queueNext(store: Store, job: Job): void {
  const source = store.rows.row('core.datasource', job.object_id ?? 0)
  if (!source?.enabled || job.interval === null || source.sync_interval !== job.interval) return
  queueSync({ ...store.rows, user: { id: job.user_id, name: '', superuser: false } }, source, {
    interval: job.interval,
    delay: job.interval * Minute,
  })
}

const isExpected = (error: unknown): boolean =>
  error instanceof Unreadable || error instanceof TooMuch || typeof (error as NodeJS.ErrnoException).code === 'string'

/** The files of a source, whatever its type. */
async function filesOf(source: Source, config: Config): Promise<FoundFile[]> {
  const rules = source.ignore_rules
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  const skips = skipping(rules)
  if (source.type === 'git') return (await filesOfGit(source, config)).filter(({ path }) => !skips(path))
  if (source.type === 'amazon-s3') return filesOfBucket(source, rules, config)
  if (source.type !== 'local') throw new Unreadable(`This server does not read sources of type ${source.type}.`)
  return filesBelow(await allowedFolder(folderOf(source.source_url), config), skips, Most)
}

/** The parameters of a source, as texts. */
function parametersOf(source: Source): (name: string) => string {
  const given = (JSON.parse(source.parameters ?? 'null') ?? {}) as Record<string, unknown>
  return (name) => (given[name] === undefined || given[name] === null ? '' : String(given[name]))
}

/** The objects of a bucket, by the protocol of Amazon S3. */
async function filesOfBucket(source: Source, rules: readonly string[], config: Config): Promise<FoundFile[]> {
  if (!/^https?:\/\/[^/]+\/[^/?#]+/i.test(source.source_url))
    throw new Unreadable('The URL of a bucket names it behind its server: https://s3.eu-west-1.amazonaws.com/bucket.')
  const text = parametersOf(source)
  const request: BucketRequest = {
    url: source.source_url,
    keyId: text('aws_access_key_id'),
    secret: text('aws_secret_access_key'),
    rules,
    most: Most,
    denied: config.webhookDeniedNetworks,
  }
  const answer = await inThread<BucketAnswer>('s3', request, FetchTimeout)
  if ('error' in answer) throw new Unreadable(`The bucket cannot be read: ${answer.error}`)
  return answer.files.map(inMemory)
}

/** A file that came from a thread. */
const inMemory = ({ data, ...file }: Omit<FoundFile, 'data'> & { data: Uint8Array<ArrayBuffer> }): FoundFile => ({
  ...file,
  data: Buffer.from(data.buffer),
})

const isBelow = (folder: string, root: string): boolean =>
  `${folder}${sep}`.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

/** The folder, its links resolved, when sources may be read there. Throws `Unreadable`. */
async function allowedFolder(given: string, { data, dataSourcePaths }: Config): Promise<string> {
  const real = (path: string) => realpath(path).catch(() => undefined)
  const own = await realpath(data)
  const sources = (await real(join(own, 'sources'))) ?? join(own, 'sources')
  const roots = dataSourcePaths.length ? await Promise.all(dataSourcePaths.map(real)) : [sources]
  const folder = await real(given)
  if (!folder || !roots.some((root) => root !== undefined && isBelow(folder, root)))
    throw new Unreadable(
      'A local data source reads folders that there are below those of data_source_paths in the configuration only; ' +
        'by default that is sources/ in the data folder.',
    )
  // The server's own secrets must not turn into data files.
  if (!isBelow(folder, sources) && (isBelow(folder, own) || isBelow(own, folder)))
    throw new Unreadable("A data source cannot hold the server's own data folder.")
  return folder
}

/** Files of a branch's last commit, fetched over HTTP. */
async function filesOfGit(source: Source, config: Config): Promise<FoundFile[]> {
  if (!/^https?:\/\//i.test(source.source_url))
    throw new Unreadable('This server reads git repositories at http and https URLs only.')
  const text = parametersOf(source)
  const temporary = temporaryFolder(config.data)
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(temporary, 'git-'))
  const request: GitRequest = {
    url: source.source_url,
    branch: text('branch'),
    username: text('username'),
    password: text('password'),
    folder,
    maxBytes: Most.bytes,
    maxFiles: Most.files,
    maxBytesOfFile: Most.eachBytes,
    denied: config.webhookDeniedNetworks,
  }
  try {
    const answer = await inThread<GitAnswer>('git', request, FetchTimeout)
    if ('error' in answer) throw new Unreadable(`The repository cannot be read: ${answer.error}`)
    return answer.files.map(inMemory)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Where repositories are unpacked, in a data folder. */
const temporaryFolder = (data: string): string => join(data, 'tmp')

/** Removes what a server that was killed left of repositories. */
export const clearTemporary = (data: string): void => rmSync(temporaryFolder(data), { recursive: true, force: true })

/**
 * A synchronization that was given up because servers died over it: its source has failed, and is tried again at its
 * interval.
 */
export function abandonSync(store: Store, job: Job): void {
  if (job.object_id === null) return
  store.rows.set('core.datasource', { id: job.object_id, status: { not: 'completed' } }, { status: 'failed' })
  queueNext(store, job)
}

/** The folder that a local source names: `file:///a/b` or a plain path. */
const folderOf = (url: string): string => (/^file:\/\//i.test(url) ? fileURLToPath(url) : url)

const AddFile = sql`
  insert into core_datafile (source_id, path, created, last_updated, size, hash, data) values (?, ?, ?, ?, ?, ?, ?)`

const ChangeFile = sql`
  update core_datafile set last_updated = ?, size = ?, hash = ?, data = ? where id = ?`

/** What one transaction takes of a synchronization: reads and other writes come in between. */
const Step = { files: 100, bytes: 1_048_576 }

/** What a synchronization did. */
interface Synced {
  created: number
  updated: number
  deleted: number
  synced: number
  skipped: string[]
}

/**
 * Makes the data files those that were found, in steps: of each file, all that follows it changes with it. What was cut
 * off goes on with the next synchronization.
 */
async function replaceFiles(
  store: Store,
  source: Source,
  files: readonly FoundFile[],
  writing: () => Writing,
): Promise<Synced> {
  const known = new Map(
    store.rows
      .rows('core.datafile', { source_id: source.id }, { only: ['id', 'path', 'hash'] })
      .map((row) => [row.path, row]),
  )
  const done: Synced = { created: 0, updated: 0, deleted: 0, synced: 0, skipped: [] }
  for (const some of stepsOf(files.filter(({ path, hash }) => known.get(path)?.hash !== hash))) {
    const { created, updated, synced, skipped } = await store.commit.run(() => {
      demandThere(store, source)
      return put(writing(), source, some)
    })
    done.created += created
    done.updated += updated
    done.synced += synced
    done.skipped.push(...skipped)
  }
  for (const { path } of files) known.delete(path)
  const gone = [...known.values()].map(({ id }) => id)
  for (let from = 0; from < gone.length; from += Step.files)
    await store.commit.run(() => {
      demandThere(store, source)
      deleteRows(writing(), modelNamed('core.datafile'), gone.slice(from, from + Step.files))
    })
  return { ...done, deleted: gone.length }
}

/** Others may delete a source while it is synchronized. Throws `Unreadable`. */
function demandThere({ rows }: Store, { id }: Source): void {
  if (!rows.has('core.datasource', { id })) throw new Unreadable('The data source is gone.')
}

function* stepsOf(files: readonly FoundFile[]): Generator<FoundFile[]> {
  let [some, bytes]: [FoundFile[], number] = [[], 0]
  for (const file of files) {
    if (some.length === Step.files || (some.length > 0 && bytes + file.size > Step.bytes)) {
      yield some
      ;[some, bytes] = [[], 0]
    }
    some.push(file)
    bytes += file.size
  }
  if (some.length > 0) yield some
}

/** Adds files that are new, and changes those that are there, with what follows them. */
function put(w: Writing, source: Source, files: readonly FoundFile[]): Omit<Synced, 'deleted'> {
  const { rows } = w.store
  const paths = files.map(({ path }) => path)
  const ids = new Map(
    rows
      .rows('core.datafile', { source_id: source.id, path: { in: paths } }, { only: ['id', 'path'] })
      .map(({ path, id }) => [path, id]),
  )
  for (const { path, size, hash, data } of files) {
    const id = ids.get(path)
    if (id === undefined) rows.run(AddFile, source.id, path, w.by.now, w.by.now, size, hash, data)
    else rows.run(ChangeFile, w.by.now, size, hash, data, id)
  }
  return { created: files.length - ids.size, updated: ids.size, ...follow(w, [...ids.values()]) }
}

/** Copies changed files into the objects that follow them. */
function follow(w: Writing, files: readonly number[]): { synced: number; skipped: string[] } {
  let synced = 0
  const skipped: string[] = []
  for (const name of files.length ? (Object.keys(SyncedColumns) as SyncedModel[]) : []) {
    const m = modelNamed(name)
    const followers = w.store.rows.rows(name, { auto_sync_enabled: 1, data_file_id: { in: files } })
    for (const row of followers) {
      try {
        patch(w, m, row.id, columnsFrom(w.tools, name, row.data_file_id!))
        synced++
      } catch (error) {
        if (!(error instanceof UnfitFile)) throw error
        skipped.push(`${m.label} ${row.id}: ${error.message}`)
      }
    }
  }
  return { synced, skipped }
}
