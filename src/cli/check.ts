import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openBeside } from '../store/data-folder.ts'
import { checks } from '../services/checks.ts'
import { takeBackAll } from '../services/dangling.ts'
import { missingUploads } from '../services/upload-checks.ts'
import { isDamage, isSound } from '../services/file-checks.ts'
import type { Store } from '../store/open.ts'
import { giveWay } from '../lib/priority.ts'
import { onPiece } from '../services/id-ranges.ts'
import type { Input } from './command.ts'
import { Progress } from './progress.ts'

/** Whether the pages of a database are whole. Throws where that cannot be told. */
function isWhole(config: Config): boolean {
  try {
    const store = openBeside(config)
    try {
      return isSound(store)
    } finally {
      store.close()
    }
  } catch (error) {
    if (isDamage(error)) return false // seen as it was opened or closed
    throw error
  }
}

/** Problems of one check that are printed; the rest is counted. */
const Shown = 20

/** The exit code of a quick check of a damaged file, which is another than that of one that could not be made. */
export const Damaged = 3

/** `cabinet check`: 0 when nothing is wrong or all was repaired, 1 otherwise. */
export async function check(input: Input): Promise<number> {
  giveWay()
  const config = await input.config()
  if (input.flag('quick')) {
    const sound = isWhole(config)
    process.stdout.write(sound ? 'pages: ok\n' : 'pages: damaged\n')
    return sound ? 0 : Damaged
  }
  const store = openBeside(config)
  const repair = input.flag('repair') || input.flag('take-back')
  let left = 0
  try {
    if (input.flag('take-back')) clear(store)
    for (const { name, run, advice } of checks) {
      const progress = new Progress(name)
      onPiece((done, total) => progress.at(done, total))
      const { problems, repaired } = run(store, repair)
      progress.end()
      const told = repaired ? `, ${repaired} repaired` : ''
      process.stdout.write(`${name}: ${problems.length === 0 ? 'ok' : `${problems.length} wrong${told}`}\n`)
      list(problems)
      if (repair && advice && problems.length > repaired) process.stdout.write(`  ${advice}\n`)
      left += problems.length - repaired
    }
    warnOfUploads(store)
    if (left > 0 && !repair) process.stdout.write('cabinet check --repair sets right what can be worked out\n')
    return left > 0 ? 1 : 0
  } finally {
    store.close()
  }
}

function list(problems: readonly string[]): void {
  for (const problem of problems.slice(0, Shown)) process.stdout.write(`  ${problem}\n`)
  if (problems.length > Shown) process.stdout.write(`  … and ${problems.length - Shown} more\n`)
}

/** Names uploaded files that are gone: the data are sound without them. */
function warnOfUploads({ db, uploads }: Store): void {
  const missing = missingUploads(db.raw, (path) => existsSync(join(uploads, path)))
  process.stdout.write(`uploads: ${missing.length === 0 ? 'ok' : `warning, ${missing.length} missing`}\n`)
  list(missing)
  if (missing.length > 0)
    process.stdout.write('  put them back from a backup (restore it into another folder), or take the images away\n')
}

/** Takes back references to what is not there, and says how many of each kind. */
function clear(store: Store): void {
  store.db.raw.pragma('foreign_keys = off')
  try {
    for (const [what, count] of store.commit.now(() => takeBackAll(store.db)))
      process.stdout.write(`${what}: ${count}\n`)
  } finally {
    store.db.raw.pragma('foreign_keys = on')
  }
}
