import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Folders where a file may be written and loaded as code, best first. */
export function candidates(dataFolder: string | undefined, env: NodeJS.ProcessEnv = process.env): string[] {
  const user = process.getuid?.() ?? 'user'
  const home = env.HOME || homeOf()
  return [
    env.CABINET_RUNTIME_DIR,
    dataFolder && join(dataFolder, '.runtime'),
    env.XDG_CACHE_HOME && join(env.XDG_CACHE_HOME, 'cabinet'),
    home && home !== '/' && join(home, '.cache', 'cabinet'),
    join(tmpdir(), `cabinet-${user}`),
    process.platform === 'linux' && `/dev/shm/cabinet-${user}`,
  ].filter((folder) => typeof folder === 'string' && folder !== '') as string[]
}

/**
 * Path of a file in `folder` whose SHA-256 is `sum`, written there first when it is not. Throws where someone else
 * could change it.
 */
export function materialise(folder: string, name: string, sum: string, bytes: () => Buffer | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const each of [dirname(folder), folder]) assertOwn(each)
  const file = join(folder, name)
  if (isIntact(file, sum)) return file
  const content = bytes()
  if (!content || sumOf(content) !== sum) throw new Error(`${name} is damaged in this executable`)
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, content, { mode: 0o500, flag: 'wx' })
  renameSync(temporary, file) // a second process that starts at once sees a whole file
  return file
}

/** Whoever can write to a folder can swap the code in it between check and load. */
function assertOwn(folder: string): void {
  const stat = lstatSync(folder)
  const isOurs = !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
  if (!stat.isDirectory() || !isOurs) throw new Error(`${folder} belongs to someone else or is writable by others`)
}

function isIntact(file: string, sum: string): boolean {
  try {
    return lstatSync(file).isFile() && sumOf(readFileSync(file)) === sum
  } catch {
    return false // not there yet
  }
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function homeOf(): string {
  try {
    return homedir()
  } catch {
    return '' // a user without an entry in the password file
  }
}
