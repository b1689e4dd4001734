import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import { writeSafely } from '../lib/safe-file.ts'
import { filesOf } from '../store/data-folder.ts'

const Hour = 3_600_000

/** `id`: what the names of a data folder's backups hold; `before`: those that were made while names held none. */
const Series = v.object({ id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)), before: v.array(v.string()) })
type Series = v.InferOutput<typeof Series>

const Named = /^cabinet-(?:([0-9a-f]{8})-)?(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** The scheduled backups of one data folder, in a folder that others may put theirs into. */
export interface Backups {
  /** What one is called that is begun at a moment. */
  nameAt: (at: number) => string
  /** Their names, the newest first. */
  names: () => string[]
  /** When the newest was begun. */
  last: () => number
}

/** The scheduled backups of a data folder in `folder`. Throws where it cannot be told which are its own. */
export function backupsOf(data: string, folder: string): Backups {
  const { id, before } = seriesOf(data, folder)
  const made = () => {
    // One from the future was made while the clock was wrong: as the newest, none would be made until then.
    const latest = Date.now() + Hour
    return readdirSync(folder)
      .filter((name) => Named.exec(name)?.[1] === id || before.includes(name))
      .map((name) => ({ name, time: Date.parse(name.replace(Named, '$2T$3:$4:$5Z')) }))
      .map(({ name, time }) => ({ name, time: time > latest ? 0 : time }))
      .sort((a, b) => b.time - a.time)
  }
  return {
    nameAt: (at) => `cabinet-${id}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`,
    names: () => made().map(({ name }) => name),
    last: () => made()[0]?.time ?? 0,
  }
}

/**
 * The series of a data folder, made once. It lies beside the database, not in it: a backup that is restored elsewhere
 * begins one of its own. Backups without an id are its own where it had made some before there were ids.
 */
function seriesOf(data: string, folder: string): Series {
  const { series: file, backup } = filesOf(data)
  if (existsSync(file)) {
    try {
      return v.parse(Series, JSON.parse(readFileSync(file, 'utf8')))
    } catch (error) {
      throw new Error(`${file} cannot be read: ${(error as Error).message}; remove it to begin a series anew`)
    }
  }
  const isNameless = (name: string) => Named.test(name) && Named.exec(name)![1] === undefined
  const series = {
    id: randomBytes(4).toString('hex'),
    before: existsSync(backup) ? readdirSync(folder).filter(isNameless) : [],
  }
  writeSafely(file, `${JSON.stringify(series)}\n`)
  return series
}
