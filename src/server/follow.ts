import type { RequestListener } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Config, ConfigError } from '../config.ts'
import { Authenticator } from '../http/auth.ts'
import { watchingOf } from '../http/watching.ts'
import { peppersIn } from '../services/carried-files.ts'
import { endReports } from '../services/reports.ts'
import { DataError, filesOf, lockData } from '../store/data-folder.ts'
import { openAgain, type Place, type Store } from '../store/open.ts'
import type { Role } from '../store/replication.ts'
import { createApp } from './app.ts'
import { Board } from './board.ts'
import { compressing } from './compress.ts'
import { boundConnections } from './connections.ts'
import { Dispatcher, type Shares } from './dispatch.ts'
import { Follower } from './follower.ts'
import { gated } from './gate.ts'
import { finish, listen, readSecrets, serverOf } from './listening.ts'
import { metered, Meters } from './meters.ts'
import type { Watched } from './metrics.ts'
import { Past } from './past.ts'
import { rated } from './rates.ts'
import { listenerOf } from './listener.ts'
import type { Running } from './start.ts'
import { rowsAt } from './sharing.ts'

/** Milliseconds for which the start waits for a replica that is not there yet. */
const Patience = 60_000

/**
 * Serves what another server writes, as its replica has it. Throws `DataError` where that does not come within a
 * minute.
 */
export async function startFollower(given: Config, role: Role, shares: Shares = {}): Promise<Running> {
  // Nothing is written here: neither when a token was used, nor backups of a database that is another's.
  const config: Config = { ...given, maintenanceMode: true, backupEvery: 0 }
  const secrets = readSecrets(config)
  const sourceUrl = sourceOf(role)
  process.umask(0o077)
  const release = lockData(config.data)
  const follower = new Follower(config, role)
  try {
    await firstCopy(follower)
  } catch (error) {
    await follower.stop()
    release()
    throw error
  }
  if (Object.keys(config.peppers).length === 0) config.peppers = peppersIn(config.data)
  const place: Place = {
    file: follower.copy!.file,
    uploads: filesOf(config.data).uploads,
    config,
    follows: sourceUrl?.href ?? '',
  }
  const store = openAgain(place, { writes: false, threads: 1 })
  const authenticator = new Authenticator(store, config)
  const past = config.pastCopies > 0 ? new Past(config, () => ({ ...place })) : undefined
  const meters = new Meters(config.basePath)
  const watched: Watched = { store, meters, worker: undefined, dispatcher: undefined, source: undefined, follower }
  const listener = listenerOf(createApp(store, config, authenticator, past, watched))
  const dispatcher = config.workers > 0 ? sharing(store, place, listener, shares) : undefined
  watched.dispatcher = dispatcher
  const where = sourceUrl ? ` Write to ${sourceUrl.href}` : ''
  const gate = gated(
    {
      basePath: config.basePath,
      headers: () => ({ 'cabinet-age': follower.age === undefined ? 'unknown' : String(Math.round(follower.age)) }),
      reason: () => `This server follows another and takes no changes.${where}`,
      source: sourceUrl,
      asOf: () => follower.asOf,
    },
    compressing(rated(config, dispatcher?.take ?? listener)),
  )
  const server = serverOf(config, metered(meters, gate), secrets)
  boundConnections(server, config, Board.of(1))
  const close = async () => {
    watchingOf(store).close()
    await endReports(store)
    if (server.listening) await finish(server)
    await follower.stop()
    await dispatcher?.close()
    await past?.close()
    store.close()
    release()
  }
  try {
    const { port, address } = await listen(server, config)
    await store.disk.watch()
    follower.start(({ file }) => {
      place.file = file
      store.reopen(file)
      dispatcher?.reopen(file)
      past?.reopen(file)
    })
    return { port, address, store, follows: true, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The URL of who takes writes; undefined where none is known. Throws `ConfigError`. */
function sourceOf({ source }: Role): URL | undefined {
  if (source === undefined) return undefined
  const url = URL.canParse(source) ? new URL(source) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new ConfigError(`--source: ${source} is no URL of a server`)
  return url
}

/** Waits for something to show, unless a server before this one has left it. */
async function firstCopy(follower: Follower): Promise<void> {
  const until = Date.now() + Patience
  await follower.round(() => {})
  while (!follower.copy) {
    if (Date.now() > until || /there is no program/.test(follower.fault ?? ''))
      throw new DataError(`there is nothing to follow: ${follower.fault}`)
    await wait(1000)
    await follower.round(() => {})
  }
}

/** Shares reads with threads. */
function sharing(store: Store, place: Place, listener: RequestListener, shares: Shares): Dispatcher {
  const duties = {
    used: () => {},
    sync: () => store.db.sync(),
    checkpoint: () => {},
    turn: () => {},
    rowsAt: (path: string) => rowsAt(store.db, path),
  }
  return new Dispatcher(listener, place, duties, shares)
}
