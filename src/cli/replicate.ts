import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDatabase } from '../lib/addons.ts'
import { giveAllToOwner } from '../lib/owner.ts'
import { configure, Litestream } from '../services/litestream.ts'
import { epochsFrom } from '../services/replica-epochs.ts'
import { folderOf, markPlace } from '../services/replica-place.ts'
import { demandUnlocked, filesOf } from '../store/data-folder.ts'
import { epochOf, type Role, roleOf, setEpoch, setRole } from '../store/replication.ts'
import { type Input, UsageError } from './command.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** The URL of a place as Litestream takes it: a folder is named by its path. Throws `UsageError`. */
function placeOf(given: string): string {
  if (given.startsWith('/') || given.startsWith('./') || given.startsWith('../')) return `file://${resolve(given)}`
  if (!/^[a-z][a-z0-9+]*:\/\/./.test(given) || /\s/.test(given))
    throw new UsageError(`${given} is neither the path of a folder nor a URL: file:///…, sftp://…, s3://…`)
  return given.replace(/\/+(?=$|\?)/, '')
}

/** The role that options name. */
export const roleIn = (role: Role['role'], place: string, input: Input): Role => {
  const [source, key] = [input.text('source'), input.text('key')]
  return { role, place: placeOf(place), ...(source ? { source } : {}), ...(key ? { key: resolve(key) } : {}) }
}

/**
 * `cabinet replicate --to URL`: has the server of a folder keep a replica of it there, from its next start on.
 * `--stop`: no longer.
 */
export async function replicate(input: Input): Promise<number> {
  const config = await input.config()
  const { data, litestream: program } = config
  const { database } = filesOf(data)
  if (roleOf(data)?.role === 'follower')
    throw new Error(`${data} follows another server; cabinet promote makes it a source`)
  if (!existsSync(database)) throw new Error(`${data} holds no database; cabinet serve makes one`)
  if (input.flag('stop')) {
    setRole(data, undefined)
    say('the replica is no longer kept from the next start of the server on; what lies at its place stays')
    return 0
  }
  const to = input.text('to')
  if (to === undefined) throw new UsageError('where to? cabinet replicate --to URL, or --stop')
  process.umask(0o077)
  const role = roleIn('source', to, input)
  const folder = folderOf(role.place)
  const made = folder && mkdirSync(folder, { recursive: true, mode: 0o700 })
  const litestream = new Litestream(program, data, role)
  const db = openDatabase(database)
  try {
    db.pragma('busy_timeout = 5000')
    const own = roleOf(data)?.place === role.place ? (epochOf(db)?.epoch ?? 0) : 0
    const newest = await newestEpoch(litestream, data, Math.max(own, 1))
    if (newest > own && newest > 0 && !input.flag('anew')) {
      const whose = own > 0 ? 'who took over from this folder' : 'another server'
      throw new Error(
        `${role.place} holds the replica of ${whose} (epoch ${newest}): ` +
          'take an empty place, or --anew to begin another epoch there with the data of this folder',
      )
    }
    const epoch = newest > own ? newest + 1 : Math.max(own, 1)
    setEpoch(db, epoch)
    setRole(data, role)
    markPlace(role.place)
    if (made) giveAllToOwner(made, data)
    say(`${configure(data, role, epoch)} is written, epoch ${epoch}`)
  } finally {
    db.close()
  }
  say('the server keeps the replica from its next start on, by a Litestream of its own: systemctl restart cabinet')
  if (folder) say(`a service may write there once its unit says so: cabinet service install`)
  else say('credentials come from its environment (/etc/default/cabinet): AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY')
  return 0
}

/** The last epoch that a place knows of, looking from one on; 0 where it knows of none. */
async function newestEpoch(litestream: Litestream, data: string, from: number): Promise<number> {
  const file = join(filesOf(data).replica, 'seen.db')
  mkdirSync(filesOf(data).replica, { recursive: true, mode: 0o700 })
  let newest = 0
  for await (const { epoch } of epochsFrom(litestream, from, file)) newest = epoch
  return newest
}

/**
 * Makes a folder follow a place from now on; its own database, where it has one, is put aside. Answers where that lies.
 */
export function beginFollowing(data: string, role: Role, mayPutAside: boolean): string | undefined {
  const { database, peppers, uploads } = filesOf(data)
  demandUnlocked(data)
  process.umask(0o077)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  let aside: string | undefined
  if (existsSync(database)) {
    if (!mayPutAside)
      throw new Error(
        `${data} has data of its own; --set-aside keeps them in a folder beside, and follows ${role.place}`,
      )
    aside = join(data, `aside-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`)
    mkdirSync(aside, { mode: 0o700 })
    for (const path of [`${database}-wal`, `${database}-shm`, database, peppers, uploads, filesOf(data).replica])
      if (existsSync(path)) renameSync(path, join(aside, path.slice(data.length).replace(/^\/+/, '')))
  }
  setRole(data, role)
  return aside
}
