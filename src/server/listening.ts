import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Config, ConfigError } from '../config.ts'
import { parseListen } from '../config/listen.ts'
import { complain } from '../lib/log.ts'
import { boundConnections } from './connections.ts'
import { inheritedSocket } from './inherited-socket.ts'

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

/** A server that answers by `listener`, with the bounds of the configuration; over TLS where it has `secrets`. */
export function serverOf(config: Config, listener: RequestListener, secrets: ReturnType<typeof readSecrets>): Server {
  const limits = limitsOf(config)
  const server = secrets
    ? process.getBuiltinModule('node:https').createServer({ ...limits, ...secrets }, listener)
    : createServer(limits, listener)
  server.setTimeout(Silence)
  boundConnections(server, config)
  return server
}

/** Certificate and key of the configuration; undefined where it names none. Throws `ConfigError`. */
export function readSecrets({ tlsCertificate, tlsKey }: Config): { cert: Buffer; key: Buffer } | undefined {
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

/**
 * Begins to take connections, on the socket that systemd hands over or where the configuration says. Rejects where that
 * cannot be.
 */
export function listen(server: Server, config: Config): Promise<AddressInfo> {
  const { host, port } = parseListen(config.listen) ?? { host: undefined, port: undefined }
  const fd = inheritedSocket(process.env)
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `cannot listen on ${config.listen}: ${code === 'EADDRINUSE' ? 'the port is taken' : code === 'EACCES' ? 'not permitted' : message}`,
        ),
      ),
    )
    server.listen(fd === undefined ? { port, host } : { fd }, () => {
      // A connection that could not be taken: the others go on.
      server.on('error', ({ message }) => complain(`cabinet: ${message}\n`))
      const at = server.address()
      resolve(at === null || typeof at === 'string' ? { address: at ?? '', family: 'unix', port: 0 } : at)
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
