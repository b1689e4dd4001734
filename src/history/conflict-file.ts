import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Conflict } from './coming.ts'
import type { Side } from './merge.ts'

/** Open conflicts as they stand in a file that people edit. */
export interface ConflictFile {
  note: string
  made: string
  conflicts: (Conflict & { take: Side | null })[]
}

const Note = 'Say "ours" or "theirs" in take; then pull, push or apply again. Ours is the side where this file lies.'

/** Writes conflicts down; what was decided about them before stays. */
export function writeConflicts(file: string, conflicts: readonly Conflict[]): void {
  const before = decisionsIn(file)
  const content: ConflictFile = {
    note: Note,
    made: new Date().toISOString(),
    conflicts: conflicts.map((each) => ({ take: before.get(each.key) ?? null, ...each })),
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const clearConflicts = (file: string): void => rmSync(file, { force: true })

/** Open conflicts; undefined where there are none. Throws an error of one line for a file that cannot be read. */
export function readConflicts(file: string): ConflictFile | undefined {
  if (!existsSync(file)) return undefined
  let content: ConflictFile | undefined
  try {
    content = JSON.parse(readFileSync(file, 'utf8')) as ConflictFile
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (!Array.isArray(content?.conflicts)) throw new Error(`${file} holds no list of conflicts`)
  for (const each of content.conflicts)
    if (each.take !== null && each.take !== undefined && each.take !== 'ours' && each.take !== 'theirs')
      throw new Error(`${file}: take of ${each.key} is ${JSON.stringify(each.take)}, not "ours" or "theirs"`)
  return content
}

/** What a file says of which side counts. */
export const decisionsIn = (file: string): Map<string, Side> =>
  new Map((readConflicts(file)?.conflicts ?? []).flatMap(({ key, take }) => (take ? [[key, take] as const] : [])))
