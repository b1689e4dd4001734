import { faultOf } from '../store/custom-rules.ts'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Authenticator } from '../http/auth.ts'
import { watchingOf } from '../http/watching.ts'
import { createApp } from './app.ts'
import { type Config, ConfigError } from '../config.ts'
import { parseListen } from '../config/listen.ts'
import { takeSecrets } from '../config/secrets.ts'
import { compressing } from './compress.ts'
import { boundConnections } from './connections.ts'
import { Dispatcher } from './dispatch.ts'
import { metered, Meters } from './meters.ts'
import type { Watched } from './metrics.ts'
import { Past } from './past.ts'
import { rated } from './rates.ts'
import { refusal } from './refusal.ts'
import { complain, logWarning } from '../lib/log.ts'
import { openData, type Opening, placeOf } from '../store/data-folder.ts'
import { administratorOf } from '../services/accounts.ts'
import { abandonSync, clearTemporary, syncSource } from '../services/data-sources.ts'
import { Events } from '../services/events.ts'
import { keepHouse } from '../services/housekeeping.ts'
import { Worker } from '../services/jobs.ts'
import { deliver } from '../services/webhooks.ts'
import { everything } from '../store/changes.ts'
import type { Store } from '../store/open.ts'

export interface Running {
  port: number
  address: string
  store: Store
  close: () => Promise<void>
}

/** Milliseconds that requests which are running at the end may take. */
const ClosingTimeout = 25_000

/** How long a client may neither send nor take a byte while it waits for an answer or should take one. */
const Silence = 300_000

const limitsOf = ({ headerTimeout, bodyTimeout }: Config) => ({
  keepAliveTimeout: 65_000, // longer than the usual minute of proxies, which must be the ones to close
  maxHeaderSize: 65_536, // lists are filtered by hundreds of ids in one address
  headersTimeout: headerTimeout * 1000,
  requestTimeout: (headerTimeout + bodyTimeout) * 1000,
  handshakeTimeout: headerTimeout * 1000,
  connectionsCheckingInterval: Math.min(headerTimeout * 500, 5000),
})

/** Opens the data folder, serves it, and in an empty one makes the administrator. Throws `DataError` when another server has it. */
export async function startServer(config: Config, opening: Opening & { sharesAll?: boolean } = {}): Promise<Running> {
  for (const [name, rules] of [
    ['CUSTOM_VALIDATORS', config.customValidators],
    ['PROTECTION_RULES', config.protectionRules],
  ] as const) {
    const fault = faultOf(rules)
    if (fault) throw new ConfigError(`${name}: ${fault}`)
  }
  const given = takeSecrets(process.env)
  const secrets = readSecrets(config)
  const { store, release } = openData(config, opening)
  const administrator = administratorOf(store, given) // its password is hashed while the rest is made
  administrator.catch(() => undefined) // told below
  const authenticator = new Authenticator(store, config)
  const past = config.pastCopies > 0 ? new Past(config) : undefined
  const meters = new Meters(config.basePath)
  const watched: Watched = { store, meters, worker: undefined, dispatcher: undefined }
  const listener = getRequestListener(createApp(store, config, authenticator, past, watched).fetch, {
    errorHandler: refusal,
    overrideGlobalObjects: true,
  })
  const dispatcher = config.workers > 0 ? sharing(store, listener, authenticator, meters, opening.sharesAll) : undefined
  watched.dispatcher = dispatcher
  store.commit.took = (works, ms) => {
    meters.writes += works
    meters.commits.first.note(ms / 1000)
  }
  store.disk.say = (message, facts) => logWarning(config, message, facts)
  const server = serverOf(config, metered(meters, compressing(rated(config, dispatcher?.take ?? listener))), secrets)
  const shut = async () => {
    watchingOf(store).close()
    if (server.listening) await finish(server)
    await dispatcher?.close()
    await past?.close()
    store.close()
    release()
  }
  try {
    const makeAdministrator = await administrator
    const { port, address } = await listen(server, config)
    // Only now, since what it prints is printed once; no request is answered before it is done.
    for (const line of makeAdministrator()) process.stderr.write(`${line}\n`)
    const stopKeeping = keepHouse(store)
    const events = new Events(store)
    events.watch()
    clearTemporary(config.data)
    const worker = new Worker(
      store,
      { webhook: (job) => deliver(store, job), sync: (job) => syncSource(store, events, job) },
      { abandoned: (job) => job.lane.startsWith('sync:') && abandonSync(store, job) },
    )
    watched.worker = worker
    worker.start()
    await store.disk.watch()
    store.serveRequests()
    const close = async () => {
      stopKeeping()
      await worker.stop()
      await shut()
    }
    return { port, address, store, close }
  } catch (error) {
    await shut()
    throw error
  }
}

/** Shares requests with threads, which are told of what this one commits, and of what it hears that others did. */
function sharing(
  store: Store,
  listener: RequestListener,
  authenticator: Authenticator,
  meters: Meters,
  sharesAll: boolean | undefined,
): Dispatcher {
  const { commit, config, db } = store
  let began = 0
  const dispatcher = new Dispatcher(
    listener,
    placeOf(config),
    {
      used: (use) => authenticator.noteUse(use),
      sync: () => db.sync(),
      checkpoint: () => void db.raw.pragma('wal_checkpoint(restart)'),
      turn: (isTheirs) => {
        if (isTheirs) {
          began = performance.now()
          commit.hold()
        } else {
          meters.commits.long.note((performance.now() - began) / 1000)
          db.sync()
          commit.release()
          commit.heard()
        }
      },
    },
    sharesAll,
  )
  db.onCommit = (changes) => dispatcher.tell(changes)
  db.explain = () => {
    dispatcher.tell([everything])
    return false
  }
  return dispatcher
}

function serverOf(config: Config, listener: RequestListener, secrets: ReturnType<typeof readSecrets>): Server {
  const limits = limitsOf(config)
  const server = secrets
    ? process.getBuiltinModule('node:https').createServer({ ...limits, ...secrets }, listener)
    : createServer(limits, listener)
  server.setTimeout(Silence)
  boundConnections(server, config)
  return server
}

function readSecrets({ tlsCertificate, tlsKey }: Config): { cert: Buffer; key: Buffer } | undefined {
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new ConfigError(`${name}: ${(error as Error).message}`)
    }
  }
  if (!tlsCertificate) return undefined
  const secrets = { cert: read('tls_certificate', tlsCertificate), key: read('tls_key', tlsKey) }
  try {
    process.getBuiltinModule('node:tls').createSecureContext(secrets)
  } catch (error) {
    throw new ConfigError(`tls_certificate and tls_key: ${(error as Error).message}`)
  }
  return secrets
}

function listen(server: Server, config: Config): Promise<AddressInfo> {
  const { host, port } = parseListen(config.listen) ?? { host: undefined, port: undefined }
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `cannot listen on ${config.listen}: ${code === 'EADDRINUSE' ? 'the port is taken' : code === 'EACCES' ? 'not permitted' : message}`,
        ),
      ),
    )
    server.listen(port, host, () => {
      server.on('error', ({ message }) => complain(`cabinet: ${message}\n`)) // a connection that could not be taken: the others go on
      resolve(server.address() as AddressInfo)
    })
  })
}

/** Takes no more requests and waits for those that are running. */
async function finish(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  const sweep = setInterval(() => server.closeIdleConnections(), 20) // a kept-alive connection turns idle when its answer is sent
  const deadline = setTimeout(() => server.closeAllConnections(), ClosingTimeout)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
}
