import { accessSync, constants, lchownSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Who a folder belongs to, where this process is root and that is somebody else; undefined: nothing has to be given.
 */
function ownerOf(folder: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(folder, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? owner : undefined
}

/** Gives what root made to the owner of a folder. */
export function giveToOwner(path: string, folder: string): void {
  const owner = ownerOf(folder)
  if (owner) lchownSync(path, owner.uid, owner.gid)
}

/** The same with all below it: itself last, so that nobody else can put anything in its place meanwhile. */
export function giveAllToOwner(path: string, folder: string): void {
  if (!ownerOf(folder)) return
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAllToOwner(join(path, name), folder)
  giveToOwner(path, folder)
}

const kept = new Set<string>()

/** What this process makes in a folder belongs to the folder's owner once it ends, though root ran it. */
export function keepOwner(folder: string): void {
  if (process.getuid?.() !== 0 || kept.has(folder)) return
  kept.add(folder)
  process.on('exit', () => {
    const owner = ownerOf(folder)
    if (!owner || !enter(folder, statSync(folder))) return
    giveMadeHere(owner)
  })
}

/** Milliseconds since 1970 before which a folder changed last that this process put nothing into. */
const Begun = performance.timeOrigin - 2000

/** Goes into a folder; answers whether it is the one that was looked at. */
function enter(path: string, { ino, dev }: Stats): boolean {
  process.chdir(path)
  const here = lstatSync('.')
  return here.ino === ino && here.dev === dev
}

/**
 * Gives what root made in the working folder and below; answers whether it came to the end. By names in the working
 * folder alone: the owner of the data could lead any longer path to files of the system while it is walked.
 */
function giveMadeHere({ uid, gid }: { uid: number; gid: number }): boolean {
  const own = lstatSync('.')
  const isNew = own.mtimeMs >= Begun
  for (const entry of readdirSync('.', { withFileTypes: true })) {
    const { name } = entry
    if (!isNew && !entry.isDirectory()) continue
    const at = lstatSync(name, { throwIfNoEntry: false })
    if (at?.isDirectory() && !(enter(name, at) && giveMadeHere({ uid, gid }) && enter('..', own))) return false
    if (at?.uid === 0 && (at.isDirectory() || at.nlink === 1)) lchownSync(name, uid, gid)
  }
  return true
}

/** What keeps this process from reading and writing a file that is there, and what to do; undefined: nothing. */
export function accessFault(path: string): string | undefined {
  const at = statSync(path, { throwIfNoEntry: false })
  try {
    if (at) accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const uid = process.getuid?.()
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || uid === undefined) return undefined
    return at!.uid === uid
      ? `${path} has the mode ${(at!.mode & 0o777).toString(8).padStart(4, '0')}: chmod u+rw ${path}`
      : `${path} belongs to ${named(at!.uid)}, and this is run by ${named(uid)}: chown -R ${uid} ${dirname(path)}`
  }
}
const named = (uid: number): string => (uid === 0 ? 'root' : `user ${uid}`)
