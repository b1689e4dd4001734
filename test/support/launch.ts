import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, defaults } from '../../src/config.ts'
import { type Running, startServer } from '../../src/server/start.ts'
import { send } from './send.ts'

export const AdminToken = '0123456789abcdef0123456789abcdef01234567'

export interface Reply {
  status: number
  headers: Headers
  text: string
  json: any
}
export interface Client {
  base: string
  data: string
  running: Running
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  close: () => Promise<void>
}

/**
 * Threads of the servers of tests: none, so that they start at once; CABINET_TEST_WORKERS=2 puts every request through
 * threads, CABINET_TEST_ACCEPTORS=1 every connection.
 */
const Threads = Number(process.env.CABINET_TEST_WORKERS ?? 0)
const Acceptors = { count: Number(process.env.CABINET_TEST_ACCEPTORS ?? 0), alone: true }

/**
 * A server on an empty data folder, and a client with the administrator's token. The caller closes it. `acceptors`: so
 * many threads take its connections, without the first one where they do so `alone`; with `sharesAll` what they hand on
 * goes to threads too, with `longWrite` what writes for more milliseconds than that, in the middle of it.
 */
export async function launch(
  changes: Partial<Config> = {},
  acceptors: { count: number; alone: boolean; sharesAll?: boolean; longWrite?: number } = Acceptors,
): Promise<Client> {
  const data = changes.data ?? mkdtempSync(join(tmpdir(), 'cabinet-test-'))
  Object.assign(process.env, {
    CABINET_SUPERUSER_NAME: 'admin',
    CABINET_SUPERUSER_PASSWORD: 'Cabinet-Test-Passw0rd',
    CABINET_SUPERUSER_API_TOKEN: AdminToken,
  })
  const config = {
    ...defaults(),
    listen: '127.0.0.1:0',
    data,
    logLevel: 'none',
    maxConnectionsPerAddress: 0, // the tests of all models ask hundreds of things at once, from one address
    workers: Threads || Math.min(acceptors.count, 1),
    ...changes,
  } satisfies Config
  const running = await startServer(
    config,
    acceptors.count
      ? { acceptors, sharesAll: acceptors.sharesAll === true, longWrite: acceptors.longWrite }
      : { sharesAll: config.workers > 0 && acceptors.longWrite === undefined, longWrite: acceptors.longWrite },
  )
  const { db, commit } = running.store
  commit.logSync?.close() // no folder of a test outlives a loss of power
  commit.logSync = undefined
  db.raw.pragma('synchronous = off')
  const { base, call } = clientOf(running, data, `Token ${AdminToken}`)
  let open = true
  const close = async () => {
    if (!open) return
    open = false
    await running.close()
    rmSync(data, { recursive: true, force: true })
  }
  return { base, data, running, call, close }
}

/** A client of a server that runs, with the value of its Authorization header. */
export function clientOf(running: Running, data: string, authorization: string): Omit<Client, 'close'> {
  const base = `http://127.0.0.1:${running.port}`
  const call: Client['call'] = async (method, path, body, headers = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof FormData
    const answer = await send(base + path, {
      method,
      headers: {
        authorization,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isRaw ? body : JSON.stringify(body),
    })
    const isJson = answer.type?.includes('json') && answer.text !== ''
    return Object.assign(answer, { json: isJson ? JSON.parse(answer.text) : undefined })
  }
  return { base, data, running, call }
}
