import { isObject } from '../lib/json.ts'
import type { Conflict, Decided } from '../history/coming.ts'

/** How many objects were changed in which way, by model. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Conflicts that are printed; the rest is counted. */
export const MaxTold = 50
const say = (line: string): void => void process.stderr.write(`${line}\n`)
/** A value for people: an object by its members, those of a field behind its name. */
function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, each]) => `${name}${isObject(each) ? ':' : ''} ${text(each)}`)
    .join(', ')
}
const named = ({ object_type, object_id, object, field }: Conflict): string =>
  `${object_type} ${object_id} ${JSON.stringify(object)}${field ? `, ${field}` : ''}`

export const count = (n: number, what: string): string => `${n === 0 ? 'no' : n} ${what}${n === 1 ? '' : 's'}`

/** Tells of conflicts on standard error, and where they are decided: those of a kit on a page of it too. */
export function tellConflicts(conflicts: readonly Conflict[], file: string, what: string, isKit = true): void {
  for (const each of conflicts.slice(0, MaxTold)) {
    say(`\n${named(each)}: ${each.detail}`)
    if ([each.parted, each.ours, each.theirs].some((value) => value !== null))
      say(`  parted: ${text(each.parted)}   ours: ${text(each.ours)}   theirs: ${text(each.theirs)}`)
    say(`  ours: ${each.if_ours}; theirs: ${each.if_theirs}`)
  }
  if (conflicts.length > MaxTold) say(`\n… and ${conflicts.length - MaxTold} more`)
  const page = isKit ? 'on the page /kit/ of the kit, ' : ''
  say(
    `\n${count(conflicts.length, 'conflict')}; ${what}. ` +
      `Decide in ${file}, with --ours, --theirs, --ours-of or --theirs-of,\n` +
      `${page}or by changing the objects here; then call the same command again.`,
  )
}

/** Tells what the source does not take of a push, which nobody decides on: it has to be changed here. */
export function tellRefused(conflicts: readonly Conflict[]): void {
  for (const each of conflicts.slice(0, MaxTold)) say(`${named(each)}: ${each.detail}`)
  if (conflicts.length > MaxTold) say(`… and ${conflicts.length - MaxTold} more`)
  say('Nothing was pushed: the source does not take this. Change it here, then push again.')
}

/** Prints what decisions settled, with the values of both sides, and where it stands. */
export function tellDecided(decided: readonly Decided[], file: string, isTrial: boolean): void {
  if (decided.length === 0) return
  const how = isTrial ? 'would be decided' : 'decided'
  for (const each of decided.slice(0, MaxTold)) {
    process.stdout.write(
      `${how} for ${each.take}: ${named(each)}: ${each.take === 'ours' ? each.if_ours : each.if_theirs}\n`,
    )
    if (each.ours !== null || each.theirs !== null)
      process.stdout.write(`  ours: ${text(each.ours)}   theirs: ${text(each.theirs)}\n`)
  }
  if (decided.length > MaxTold) process.stdout.write(`… and ${decided.length - MaxTold} more\n`)
  if (!isTrial) process.stdout.write(`${file} keeps what gave way; undo in the change log takes a decision back\n`)
}

/** How many objects of each model were changed in which way, line by line. */
export function changeLines(counts: Counts = {}): string[] {
  const verbs: Record<string, string> = { create: 'new', update: 'changed', delete: 'deleted' }
  return Object.entries(counts)
    .flatMap(([model, ways]) =>
      Object.entries(ways).map(([action, n]) => `  ${model} ${verbs[action] ?? action}: ${n}`),
    )
    .sort()
}

/** Prints what became of a pull, push or bundle for programs; answers the exit code. */
export function printMerge(result: {
  objects: number
  counts?: Counts
  decided: readonly Decided[]
  conflicts: readonly Conflict[]
}): number {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  return result.conflicts.length ? 1 : 0
}
