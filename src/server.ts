import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import type Database from 'better-sqlite3'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createAdministrator } from './domain/accounts.ts'
import { openDatabase } from './runtime/addons.ts'
import { openStore, type Store } from './store/open.ts'

export interface Running { port: number; address: string; store: Store; close: () => Promise<void> }

/** A data folder that another server holds, or that cannot be used. */
export class DataError extends Error {}

/** Opens the data folder and serves it. Throws `DataError` when another server has it. */
export async function startServer(config: Config): Promise<Running> {
  const { store, release } = openData(config)
  const secure = config.tlsCertificate ? { createServer: createSecureServer, serverOptions: { cert: readFileSync(config.tlsCertificate), key: readFileSync(config.tlsKey) } } : {}
  const server = createAdaptorServer({ fetch: createApp(store, config).fetch, overrideGlobalObjects: true, ...secure })
  const at = config.listen.lastIndexOf(':')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(config.listen.slice(at + 1)), config.listen.slice(0, at).replace(/^\[|\]$/g, ''), resolve)
  })
  const { port, address } = server.address() as AddressInfo
  const close = async () => {
    const done = new Promise((resolve) => server.close(resolve))
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    await done
    store.close()
    release()
  }
  return { port, address, store, close }
}

/** Opens a data folder beside a server that may be using it: for short work of the command line. SQLite's own locks keep both safe. */
export function openShared(config: Config): Store {
  if (!existsSync(join(config.data, 'cabinet.db'))) throw new DataError(`${config.data} holds no database; cabinet serve makes one`)
  if (Object.keys(config.peppers).length === 0) config.peppers = readPeppers(join(config.data, 'peppers.json'))
  return openStore({ file: join(config.data, 'cabinet.db'), uploads: join(config.data, 'uploads'), config })
}

/** Takes the folder, opens its store and, in an empty one, makes the administrator. */
export function openData(config: Config): { store: Store; release: () => void } {
  const uploads = join(config.data, 'uploads')
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  mkdirSync(uploads, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(config.data, 'cabinet.lock'))
  try {
    if (Object.keys(config.peppers).length === 0) config.peppers = readPeppers(join(config.data, 'peppers.json'))
    const store = openStore({ file: join(config.data, 'cabinet.db'), uploads, config })
    createAdministrator(store, process.env)
    return { store, release: () => lock.close() }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** An exclusive lock that the system takes back when the process dies, however it dies. */
function takeLock(file: string): Database.Database {
  const lock = openDatabase(file)
  try {
    lock.pragma('journal_mode = memory')
    lock.pragma('busy_timeout = 0')
    lock.exec('begin exclusive')
    return lock
  } catch {
    lock.close()
    throw new DataError(`another Cabinet server uses this data folder (${file} is locked)`)
  }
}

/** Peppers of version 2 tokens, made at the first start; without this file those tokens are void. */
function readPeppers(file: string): Record<string, string> {
  if (!existsSync(file)) {
    writeFileSync(file, `${JSON.stringify({ 1: randomBytes(48).toString('base64url') }, null, 2)}\n`, { mode: 0o600 })
    chmodSync(file, 0o600)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
}
