import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, type ListenOptions, Server as NetServer } from 'node:net'
import { type Config, ConfigError } from '../config.ts'
import { parseListen } from '../config/listen.ts'
import { complain } from '../lib/log.ts'
import { boundBodies } from './bodies.ts'
import { inTurn } from './in-turn.ts'
import { inheritedSocket } from './inherited-socket.ts'
import { readRawAddresses } from './raw-addresses.ts'
import { needingHost, refuseUnparsed } from './unparsed.ts'

/** Milliseconds that requests which are running at the end may take. */
const ClosingTimeout = 25_000

/** How long a client may neither send nor take a byte while it waits for an answer or should take one. */
const Silence = 300_000

/** Bytes of the keys of TLS session tickets. */
const TicketKeys = 48

const limitsOf = ({ headerTimeout, bodyTimeout }: Config) => ({
  keepAliveTimeout: 65_000, // longer than the usual minute of proxies, which must be the ones to close
  maxHeaderSize: 65_536, // lists are filtered by hundreds of ids in one address
  headersTimeout: headerTimeout * 1000,
  requestTimeout: (headerTimeout + bodyTimeout) * 1000,
  handshakeTimeout: headerTimeout * 1000,
  connectionsCheckingInterval: Math.min(headerTimeout * 500, 5000),
  requireHostHeader: false, // who sends none is told so here
})

/** A server that answers by `listener`, with the time limits of the configuration; over TLS where it has `secrets`. */
export function serverOf(config: Config, listener: RequestListener, secrets?: Secrets): Server {
  const limits = limitsOf(config)
  const bounded = boundBodies(inTurn(needingHost(listener)))
  const server = secrets
    ? process.getBuiltinModule('node:https').createServer({ ...limits, ...secrets }, bounded)
    : createServer(limits, bounded)
  server.setTimeout(Silence)
  refuseUnparsed(server, readRawAddresses(limits, bounded))
  return server
}

/** Certificate and key, and what lets a client go on with a connection of before at any thread of the server. */
export interface Secrets {
  cert: Buffer
  key: Buffer
  ticketKeys: Buffer
}

/** Certificate and key of the configuration; undefined where it names none. Throws `ConfigError`. */
export function readSecrets({ tlsCertificate, tlsKey }: Config): Secrets | undefined {
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new ConfigError(`${name}: ${(error as Error).message}`)
    }
  }
  if (!tlsCertificate) return undefined
  const secrets = {
    cert: read('tls_certificate', tlsCertificate),
    key: read('tls_key', tlsKey),
    ticketKeys: randomBytes(TicketKeys),
  }
  try {
    process.getBuiltinModule('node:tls').createSecureContext(secrets)
  } catch (error) {
    throw new ConfigError(`tls_certificate and tls_key: ${(error as Error).message}`)
  }
  return secrets
}

/** Where a server listens; `isShared`: other threads may listen at that host and port too. */
type Listening = AddressInfo & { host: string | undefined; isShared: boolean }

/**
 * Begins to take connections, on the socket that systemd hands over or where the configuration says; `shares` where
 * other threads are to do so too. Rejects where that cannot be.
 */
export async function listen(server: Server, config: Config, shares = false): Promise<Listening> {
  const { host, port } = parseListen(config.listen) ?? { host: undefined, port: undefined }
  const fd = inheritedSocket(process.env)
  const isShared = shares && fd === undefined && port !== undefined && process.platform === 'linux'
  try {
    // Another server that shares its port would not be in the way.
    if (isShared && port !== 0) await probe({ host, port })
    await listenOn(server, fd === undefined ? { port, host, reusePort: isShared } : { fd })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'the port is taken' : code === 'EACCES' ? 'not permitted' : message
    throw new Error(`cannot listen on ${config.listen}: ${why}`)
  }
  const at = server.address()
  const address = at === null || typeof at === 'string' ? { address: at ?? '', family: 'unix', port: 0 } : at
  return { ...address, host, isShared }
}

/** Begins to take connections. Rejects where that cannot be; one that cannot be taken later is told of. */
export function listenOn(server: NetServer, options: ListenOptions | { fd: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject).on('error', ({ message }) => complain(`cabinet: ${message}\n`))
      resolve()
    })
  })
}

/** Rejects where somebody else listens. */
async function probe(options: ListenOptions): Promise<void> {
  const server = new NetServer()
  await listenOn(server, options)
  await new Promise((resolve) => server.close(resolve))
}

/** Takes no more connections; those that are there stay, and are not even closed while they are idle. */
export function stopListening(server: Server): Promise<void> {
  // Connections that wait to be taken are lost with the socket: after a look at them there are hardly any.
  return new Promise((resolve) => {
    setImmediate(() => {
      NetServer.prototype.close.call(server)
      resolve()
    })
  })
}

/** Takes no more requests and waits for those that are running. */
export async function finish(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A kept-alive connection turns idle when its answer is sent.
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  const deadline = setTimeout(() => server.closeAllConnections(), ClosingTimeout)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
}
