import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as sea from 'node:sea'
import Database from 'better-sqlite3'
import { asset, isPackaged } from '../assets.ts'

type Argon2 = Pick<typeof import('@node-rs/argon2'), 'hash' | 'hashSync' | 'verify' | 'verifySync'>

let sqlite: string | object | undefined
/** Opens a database with the addon of this build. */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  if (isPackaged) sqlite ??= load('better_sqlite3.node', dirname(file)) as object
  return new Database(file, { ...options, ...(sqlite ? { nativeBinding: sqlite as string } : {}) })
}

let hashing: Argon2 | undefined
/** The password hashing addon, loaded when first needed. */
export function argon2(dataFolder = '.'): Argon2 {
  hashing ??= isPackaged ? (load('argon2.node', dataFolder) as Argon2) : (createRequire(import.meta.url)('@node-rs/argon2') as Argon2)
  return hashing
}

/** Folders where an addon may be written and loaded from, best first. */
function candidates(dataFolder: string): string[] {
  const { CABINET_RUNTIME_DIR, XDG_CACHE_HOME, HOME } = process.env
  const user = process.getuid?.() ?? 'user'
  const home = HOME ?? safeHome()
  return [
    ...(CABINET_RUNTIME_DIR ? [CABINET_RUNTIME_DIR] : []), join(dataFolder, '.runtime'), ...(XDG_CACHE_HOME ? [join(XDG_CACHE_HOME, 'cabinet')] : []),
    ...(home && home !== '/' ? [join(home, '.cache', 'cabinet')] : []), join(tmpdir(), `cabinet-${user}`), ...(process.platform === 'linux' ? [`/dev/shm/cabinet-${user}`] : []),
  ]
}

function safeHome(): string {
  try {
    return homedir()
  } catch {
    return '' // a user without an entry in the password file
  }
}

function load(name: string, dataFolder: string): unknown {
  const manifest = JSON.parse(sea.getAsset('manifest.json', 'utf8')) as Record<string, string>
  const [bytes, sha] = [asset(`native/${name}`), manifest[`native/${name}`]]
  if (!bytes || !sha) throw new Error(`this executable carries no ${name}`)
  const why: string[] = []
  for (const folder of candidates(dataFolder)) {
    try {
      const module = { exports: {} }
      process.dlopen(module, materialise(folder, name, bytes, sha), constants.dlopen.RTLD_LAZY)
      return module.exports
    } catch (error) {
      why.push(`${folder}: ${(error as Error).message}`)
    }
  }
  throw new Error(`cannot load ${name} (${why.join('; ')}). Set CABINET_RUNTIME_DIR to a folder that is writable and not mounted noexec.`)
}

function materialise(folder: string, name: string, bytes: Buffer, sha: string): string {
  const own = join(folder, sha.slice(0, 16))
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const stat = lstatSync(own)
  if (!stat.isDirectory() || (process.getuid && (stat.uid !== process.getuid() || (stat.mode & 0o022) !== 0))) throw new Error('the folder belongs to someone else or is writable by others')
  const file = join(own, name)
  if (isIntact(file, sha)) return file
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, bytes, { mode: 0o500, flag: 'wx' })
  renameSync(temporary, file) // a second process that starts at once sees a whole file
  return file
}

function isIntact(file: string, sha: string): boolean {
  try {
    return lstatSync(file).isFile() && createHash('sha256').update(readFileSync(file)).digest('hex') === sha
  } catch {
    return false // not there yet
  }
}
