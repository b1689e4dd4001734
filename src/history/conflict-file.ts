import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { writeSafely } from '../lib/safe-file.ts'
import { textOfUtf8 } from '../lib/utf8.ts'
import { BundleError } from './bundle.ts'
import type { Conflict, Decided } from './coming.ts'
import type { Side } from './merge.ts'

/** Open conflicts as they stand in a file that people edit. */
export interface ConflictFile {
  note: string
  made: string
  conflicts: (Conflict & { take: Side | null })[]
}

const Note = 'Say "ours" or "theirs" in take; then pull, push or apply again. Ours is the side where this file lies.'

/**
 * Writes conflicts down; what was decided before stays, also where it is no conflict any more because it was decided.
 */
export function writeConflicts(file: string, conflicts: readonly Conflict[]): void {
  const before = new Map((readConflicts(file)?.conflicts ?? []).map((each) => [each.key, each]))
  const open = new Set(conflicts.map(({ key }) => key))
  const content: ConflictFile = {
    note: Note,
    made: new Date().toISOString(),
    conflicts: [
      ...conflicts.map((each) => ({ take: before.get(each.key)?.take ?? null, ...each })),
      ...[...before.values()].filter(({ key, take }) => take && !open.has(key)),
    ],
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const clearConflicts = (file: string): void => rmSync(file, { force: true })

/** Open conflicts; undefined where there are none. Throws `BundleError` for a file that cannot be read. */
export function readConflicts(file: string): ConflictFile | undefined {
  if (!existsSync(file)) return undefined
  let content: ConflictFile | undefined
  try {
    content = JSON.parse(textOfUtf8(readFileSync(file))) as ConflictFile
  } catch (error) {
    throw new BundleError(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (!Array.isArray(content?.conflicts)) throw new BundleError(`${file} holds no list of conflicts`)
  for (const each of content.conflicts)
    if (typeof each?.key !== 'string') throw new BundleError(`${file} holds a conflict without a key`)
    else if (each.take !== null && each.take !== undefined && each.take !== 'ours' && each.take !== 'theirs')
      throw new BundleError(`${file}: take of ${each.key} is ${JSON.stringify(each.take)}, not "ours" or "theirs"`)
  return content
}

/** What a file says of which side counts. */
export const decisionsIn = (file: string): Map<string, Side> =>
  new Map((readConflicts(file)?.conflicts ?? []).flatMap(({ key, take }) => (take ? [[key, take] as const] : [])))

const DecidedNote =
  'What was decided, the latest first: take is the side that counted (ours is the side where this file lies), and ' +
  'what gave way stands beside it. Undo in the change log, or writing that value again, takes a decision back.'

/**
 * Adds to a file what decisions settled, in the form of conflicts. Before the merge is committed, so that nothing that
 * could interrupt it loses what gave way; what is merged again is told again.
 */
function noteDecided(file: string, decided: readonly Decided[]): void {
  if (decided.length === 0) return
  const time = new Date().toISOString()
  const conflicts = [...decided.map((each) => ({ decided: time, ...each })), ...(readConflicts(file)?.conflicts ?? [])]
  writeSafely(file, `${JSON.stringify({ note: DecidedNote, made: time, conflicts }, null, 2)}\n`)
}

/** Does a merge that tells what was decided; a merge that fails, also at its commit, leaves the file as it was. */
export function notingDecided<T>(file: string, merge: (keep: (decided: readonly Decided[]) => void) => T): T {
  let before: string | null | undefined
  const keep = (decided: readonly Decided[]) => {
    if (before === undefined) before = existsSync(file) ? readFileSync(file, 'utf8') : null
    noteDecided(file, decided)
  }
  const failed = (error: unknown): never => {
    if (before === null) rmSync(file, { force: true })
    else if (before !== undefined) writeSafely(file, before)
    throw error
  }
  try {
    const done = merge(keep)
    return done instanceof Promise ? (done.catch(failed) as T) : done
  } catch (error) {
    return failed(error)
  }
}
