import type { RequestListener, Server } from 'node:http'
import { Authenticator, type Use } from '../http/auth.ts'
import { watchingOf } from '../http/watching.ts'
import { Acceptors } from './acceptors.ts'
import { createApp } from './app.ts'
import { balanced } from './balanced.ts'
import { Board } from './board.ts'
import { type Config, ConfigError } from '../config.ts'
import { takeSecrets } from '../config/secrets.ts'
import { compressing } from './compress.ts'
import { boundConnections } from './connections.ts'
import type { Shares } from './dispatch.ts'
import { startFollower } from './follow.ts'
import { gated } from './gate.ts'
import { finish, listen, readSecrets, serverOf, stopListening } from './listening.ts'
import { metered, Meters } from './meters.ts'
import type { Watched } from './metrics.ts'
import { Past } from './past.ts'
import { rated } from './rates.ts'
import { listenerOf } from './listener.ts'
import { acceptorsOf, sharing } from './sharing.ts'
import { Source } from './source.ts'
import { logWarning } from '../lib/log.ts'
import { openData, type Opening, placeOf } from '../store/data-folder.ts'
import { administratorOf, type FirstPassword, firstPassword } from '../services/accounts.ts'
import { abandonSync, clearTemporary, syncSource } from '../services/data-sources.ts'
import { idlePermissions, ruleFaults } from '../services/config-faults.ts'
import { Events } from '../services/events.ts'
import { endReports } from '../services/reports.ts'
import { keepHouse } from '../services/housekeeping.ts'
import { keepEstimates } from '../services/index-estimates.ts'
import { keepSearchMerged } from '../services/search-merging.ts'
import { Worker } from '../services/jobs.ts'
import { deliver } from '../services/webhooks.ts'
import { Checkpoints } from '../store/checkpoints.ts'
import { CommitNumber } from '../store/commit-number.ts'
import { headOf } from '../store/journal.ts'
import { selfOf } from '../store/kit.ts'
import type { Store } from '../store/open.ts'
import { type Role, roleOf } from '../store/replication.ts'

export interface Running {
  port: number
  address: string
  store: Store
  /** Whether it shows the copy of another server's data, and writes nothing. */
  follows: boolean
  close: () => Promise<void>
}

/** What tests ask of a server. */
interface Testing extends Shares {
  /** So many threads take connections from the beginning, and the first one none where they do so `alone`. */
  acceptors?: { count: number; alone: boolean }
  /** Milliseconds between two looks at the place of a replica. */
  looksEach?: number
}

/**
 * Opens the data folder, serves it, and in an empty one makes the administrator. Throws `DataError` when another server
 * has it.
 */
export async function startServer(config: Config, opening: Opening & Testing = {}): Promise<Running> {
  const faults = ruleFaults(config)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  const given = takeSecrets(process.env)
  const role = roleOf(config.data)
  if (role?.role === 'follower') return startFollower(config, role, opening)
  const secrets = readSecrets(config)
  let first: FirstPassword | undefined
  const begun = () => {
    first = firstPassword(given)
  }
  const { store, release } = openData(config, { ...opening, begun })
  const begin = (of: Role) => Source.begin(store, of, opening.looksEach)
  const source = role && (await begin(role).catch((error: unknown) => giveUp(store, release, error)))
  const administrator = administratorOf(store, given, first) // its password is hashed while the rest is made
  administrator.catch(() => undefined) // told below
  const authenticator = new Authenticator(store, config)
  const past = config.pastCopies > 0 ? new Past(config) : undefined
  const meters = new Meters(config.basePath)
  const watched: Watched = { store, meters, worker: undefined, dispatcher: undefined, source, follower: undefined }
  const listener = listenerOf(createApp(store, config, authenticator, past, watched))
  const board = Board.of(1 + acceptorsOf(config, opening.acceptors?.count))
  const dispatcher = config.workers > 0 ? sharing(store, listener, authenticator, meters, board, opening) : undefined
  watched.dispatcher = dispatcher
  store.commit.took = (works, ms) => {
    meters.writes += works
    meters.commits.first.note(ms / 1000)
  }
  store.disk.say = (message, facts) => logWarning(config, message, facts)
  warnOfClock(store)
  for (const reason of idlePermissions(config))
    logWarning(config, 'a permission of the configuration allows nothing', { reason })
  const answering = compressing(rated(config, dispatcher?.take ?? listener))
  const fence = fenced(config, () => source?.overtaken ?? store.commit.logSync?.failure?.message, answering)
  const server = serverOf(config, metered(meters, balanced(board, fence)), secrets)
  boundConnections(server, config, board)
  let checkpoints: Checkpoints | undefined
  let commits: CommitNumber | undefined
  const shut = async () => {
    watchingOf(store).close()
    await endReports(store)
    await Promise.all([server.listening ? finish(server) : undefined, dispatcher?.closeConnections()])
    await dispatcher?.close()
    await checkpoints?.end()
    await past?.close()
    await source?.stop()
    store.close()
    checkpoints?.close()
    commits?.close()
    release()
  }
  try {
    const makeAdministrator = await administrator
    const { port, address, host, isShared } = await listen(server, config, board.data.threads > 1)
    board.accepts = true
    // Only now, since what it prints is printed once; no request is answered before it is done.
    for (const line of makeAdministrator()) process.stderr.write(`${line}\n`)
    const { worker, stop } = startWork(store)
    watched.worker = worker
    await store.disk.watch()
    source?.start()
    store.serveRequests()
    commits = commitsOf(store)
    store.db.commits = commits
    checkpoints = new Checkpoints(store.db.raw, store.commit)
    store.commit.onCommitted(() => checkpoints?.lookSoon())
    if (isShared && dispatcher && commits) {
      board.commits = commits
      const used = (use: Use) => authenticator.noteUse(use)
      const acceptors = new Acceptors({
        place: placeOf(config),
        board,
        host,
        port,
        secrets,
        listener: fence,
        costOf: dispatcher.costOf,
        meters,
        used,
      })
      dispatcher.shareConnections(acceptors, board)
      for (let i = 0; i < (opening.acceptors?.count ?? 0); i++) await acceptors.start()
      if (opening.acceptors?.alone) await leaveConnections(server, board)
    }
    const close = async () => {
      await stop()
      await shut()
    }
    return { port, address, store, follows: false, close }
  } catch (error) {
    await shut()
    throw error
  }
}

/** Where the commits to its database are numbered; on Windows, who has that file open keeps SQLite from deleting it. */
const commitsOf = ({ commit, db }: Store): CommitNumber | undefined =>
  commit.logSync && process.platform !== 'win32' ? CommitNumber.of(db.raw.name) : undefined

/** Milliseconds by which the last change may be ahead of the clock. */
const Ahead = 3_600_000

/** Nothing is written with an earlier time than what is there: until then, moments tell nothing of it. */
function warnOfClock({ db, config }: Store): void {
  const { time } = headOf(db)
  if (Date.parse(time) > Date.now() + Ahead)
    logWarning(config, 'the last change is dated later than now: the clock is wrong, or was', { last_change: time })
}

/** Starts what a server does beside requests: jobs, events, housekeeping and estimates. */
function startWork(store: Store): { worker: Worker; stop: () => Promise<void> } {
  const stopKeeping = [keepHouse(store), keepEstimates(store), keepSearchMerged(store)]
  const events = new Events(store)
  if (!selfOf(store.db)) events.watch() // those of a kit fire at its source
  clearTemporary(store.config.data)
  const worker = new Worker(
    store,
    { webhook: (job) => deliver(store, job), sync: (job, end) => syncSource(store, events, job, end) },
    { abandoned: (job) => job.lane.startsWith('sync:') && abandonSync(store, job) },
  )
  worker.start()
  const stop = async () => {
    for (const each of stopKeeping) each()
    await worker.stop()
  }
  return { worker, stop }
}

function giveUp(store: Store, release: () => void, error: unknown): never {
  store.close()
  release()
  throw error
}

/** Has other threads alone take connections. */
function leaveConnections(server: Server, board: Board): Promise<void> {
  board.accepts = false
  return stopListening(server)
}

/** Writes nothing once there is a reason: another server has taken over, or the disk failed. */
function fenced(config: Config, reason: () => string | undefined, listener: RequestListener): RequestListener {
  const refusing = gated(
    {
      basePath: config.basePath,
      headers: () => ({}),
      reason: () => reason() ?? '',
      source: undefined,
      asOf: () => Infinity,
    },
    listener,
  )
  return (incoming, outgoing) => (reason() === undefined ? listener : refusing)(incoming, outgoing)
}
