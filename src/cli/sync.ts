import { mkdtempSync, readFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Version } from '../lib/version.ts'
import type { CloneFacts } from '../history/clone.ts'
import { type Conflict, deciding } from '../history/coming.ts'
import { clearConflicts, decisionsIn, writeConflicts } from '../history/conflict-file.ts'
import {
  changesHere,
  demandKit,
  forgetPush,
  makePush,
  notePushed,
  objectsOf,
  type Pulled,
  takePull,
} from '../history/kit.ts'
import type { Side } from '../history/merge.ts'
import { takeWhole } from '../history/whole.ts'
import { filesOf, openBeside } from '../store/data-folder.ts'
import type { Store } from '../store/open.ts'
import { fetchClone } from './fetch-clone.ts'
import { type Input, UsageError } from './command.ts'
import { type KitSource, SourceError, sourceOf, Unreachable } from './kit-source.ts'

interface PullWishes {
  decisions: ReadonlyMap<string, Side>
  isTrial?: boolean
  isQuiet?: boolean
}

/** Decisions about conflicts: those of a file, and of --ours, --theirs, --ours-of and --theirs-of. */
export function decisionsOf(input: Input, file: string): Map<string, Side> {
  if (input.flag('ours') && input.flag('theirs')) throw new UsageError('--ours and --theirs exclude each other')
  const found = decisionsIn(file)
  for (const side of ['ours', 'theirs'] as const) {
    if (input.flag(side)) found.set('*', side)
    for (const name of (input.text(`${side}-of`) ?? '').split(',')) if (name.trim()) found.set(name.trim(), side)
  }
  return found
}

/** The file of a kit in which its open conflicts stand. */
export const conflictsIn = ({ data }: Pick<Config, 'data'>): string => filesOf(data).conflicts

const count = (n: number, what: string): string => `${n === 0 ? 'no' : n} ${what}${n === 1 ? '' : 's'}`

/** Tells of conflicts on standard error, and where they are decided. */
export function tellConflicts(conflicts: readonly Conflict[], file: string, what: string): void {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const text = (value: unknown) =>
    value === null || value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
  for (const each of conflicts.slice(0, MaxTold)) {
    say(
      `\n${each.object_type} ${each.object_id} ${JSON.stringify(each.object)}${each.field ? `, ${each.field}` : ''}: ${each.detail}`,
    )
    if ([each.parted, each.ours, each.theirs].some((value) => value !== null))
      say(`  parted: ${text(each.parted)}   ours: ${text(each.ours)}   theirs: ${text(each.theirs)}`)
    say(`  ours: ${each.if_ours}; theirs: ${each.if_theirs}`)
  }
  if (conflicts.length > MaxTold) say(`\n… and ${conflicts.length - MaxTold} more`)
  say(
    `\n${count(conflicts.length, 'conflict')}; ${what}. Decide in ${file}, with --ours, --theirs, --ours-of or --theirs-of,\n` +
      'on the page /kit/ of the kit, or by changing the objects here; then call the same command again.',
  )
}
const MaxTold = 50

/** Gets the changes of the source into a kit. */
export async function pullFrom(
  source: KitSource,
  config: Config,
  { decisions, isTrial = false, isQuiet = false }: PullWishes,
): Promise<Pulled> {
  const store = openBeside(config)
  try {
    const self = demandKit(store.db)
    const options = { decide: deciding(decisions), isTrial, isNow: true }
    let pulled: Pulled
    try {
      const path = `/api/core/kits/${self.number}/pull/`
      const bytes = await source.bytes('POST', path, { step: self.there, time: self.there_time, version: Version })
      pulled = takePull(store, bytes, options)
      if (pulled.conflicts.length && !isTrial) writeWhole(filesOf(config.data).incoming, bytes)
    } catch (error) {
      if (!(error instanceof SourceError) || error.body.whole !== true) throw error
      pulled = await compareWhole(source, store, config, options)
      if (!isQuiet)
        process.stderr.write(
          'the source no longer keeps all changes since the last pull: everything was compared; changes that its log has forgotten are nobody’s\n',
        )
    }
    if (!isTrial) {
      if (pulled.conflicts.length) writeConflicts(conflictsIn(config), pulled.conflicts)
      else {
        clearConflicts(conflictsIn(config))
        rmSync(filesOf(config.data).incoming, { force: true })
      }
    }
    return pulled
  } finally {
    store.close()
  }
}

async function compareWhole(
  source: KitSource,
  store: Store,
  config: Config,
  options: Parameters<typeof takeWhole>[2],
): Promise<Pulled> {
  const folder = mkdtempSync(join(config.data, '.restore-'))
  try {
    await fetchClone(source, demandKit(store.db).number, folder)
    const facts = JSON.parse(readFileSync(join(folder, 'kit.json'), 'utf8')) as CloneFacts
    const files = (paths: readonly string[]) =>
      new Map(
        paths
          .map((path) => [path, join(folder, 'uploads', path)] as const)
          .filter(([, path]) => existsSync(path))
          .map(([path, file]) => [path, readFileSync(file)] as const),
      )
    return takeWhole(store, { database: join(folder, 'cabinet.db'), facts, files }, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The source of the kit in a data folder. */
function sourceIn(input: Input, config: Config): KitSource {
  const store = openBeside(config)
  try {
    if (input.flag('insecure')) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    return sourceOf(input, demandKit(store.db).url)
  } finally {
    store.close()
  }
}

/** `cabinet pull` */
export async function pull(input: Input): Promise<number> {
  const config = await input.config()
  const pulled = await pullFrom(sourceIn(input, config), config, { decisions: decisionsOf(input, conflictsIn(config)) })
  if (pulled.conflicts.length) {
    tellConflicts(pulled.conflicts, conflictsIn(config), 'nothing was pulled')
    return 1
  }
  process.stdout.write(`pulled ${count(pulled.objects, 'object')}\n`)
  return 0
}

/** So often is a push tried while others change the same at the source. */
const MaxTries = 5

/** `cabinet push`: pulls, and gives the source what was changed here. */
export async function push(input: Input): Promise<number> {
  const config = await input.config()
  const source = sourceIn(input, config)
  const decisions = decisionsOf(input, conflictsIn(config))
  const isTrial = input.flag('dry-run')
  for (let tries = 1; ; tries++) {
    const pulled = await pullFrom(source, config, { decisions, isTrial })
    if (pulled.conflicts.length) {
      tellConflicts(pulled.conflicts, conflictsIn(config), 'nothing was pushed')
      return 1
    }
    const answer = await pushOnce(source, config, isTrial)
    if (answer && 'conflicts' in answer) {
      if (tries < MaxTries) continue // others changed the same meanwhile
      tellConflicts(answer.conflicts, conflictsIn(config), 'nothing was pushed: the source refuses what this kit has')
      return 1
    }
    if (!answer) {
      process.stdout.write('nothing to push\n')
      return 0
    }
    for (const line of changeLines(answer.changes)) process.stdout.write(`${line}\n`)
    process.stdout.write(`${isTrial ? 'would push' : 'pushed'} ${count(answer.objects, 'object')}\n`)
    if (!isTrial) await pullFrom(source, config, { decisions, isQuiet: true }) // what rules did there with what came
    return 0
  }
}

interface PushAnswer {
  objects: number
  changes: { action: string; changed_object_type: string; object_repr: string }[]
}

/** One push: what came of it, or the conflicts that the source finds; undefined where there is nothing to push. */
async function pushOnce(
  source: KitSource,
  config: Config,
  isTrial: boolean,
): Promise<PushAnswer | { conflicts: Conflict[] } | undefined> {
  const store = openBeside(config)
  try {
    const made = store.commit.now(() => makePush(store))
    if (!made) return undefined
    const { number } = demandKit(store.db)
    const { id } = store.db.get<{ id: string }>('select id from kit_push where push = ?', made.push)!
    try {
      const answer = await source.json(
        'POST',
        `/api/core/kits/${number}/push/${isTrial ? '?dry_run=1' : ''}`,
        made.bytes,
      )
      store.commit.now(() => (isTrial ? forgetPush(store.db, made.push) : notePushed(store.db, made.push, id)))
      return { objects: made.objects, changes: answer.changes as PushAnswer['changes'] }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error // nobody knows whether it came: the next pull says so
      store.commit.now(() => forgetPush(store.db, made.push))
      if (error.body.conflicts) return { conflicts: error.body.conflicts as Conflict[] }
      throw error
    }
  } finally {
    store.close()
  }
}

/** How many objects of each model were changed in which way. */
function changeLines(changes: PushAnswer['changes'] = []): string[] {
  const counts = new Map<string, number>()
  const verbs: Record<string, string> = { create: 'new', update: 'changed', delete: 'deleted' }
  for (const { action, changed_object_type } of changes) {
    const what = `${changed_object_type} ${verbs[action] ?? action}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].sort().map(([what, n]) => `  ${what}: ${n}`)
}

/** `cabinet status`: what changed here and, where the source can be asked, there. */
export async function status(input: Input): Promise<number> {
  const config = await input.config()
  const store = openBeside(config)
  let url: string
  try {
    const self = demandKit(store.db)
    url = self.url
    const objects = objectsOf(changesHere(store.db, self).values())
    process.stdout.write(
      `kit ${self.name} (number ${self.number}) of ${self.url}, last told ${self.there_time.slice(0, 19)}Z\n`,
    )
    process.stdout.write(`here: ${count(objects.length, 'object')} changed\n`)
    for (const [model, names] of Map.groupBy(objects, (name) => name.split(':')[0]!))
      process.stdout.write(`  ${model}: ${names.length}\n`)
    const waiting = self.sent - self.taken
    const open = store.db.get<{ n: number }>('select count(*) as n from kit_push')!.n
    if (waiting > 0 && open > 0)
      process.stdout.write(
        `${count(open, 'push')} sent, of which the source has not said that it came\n`.replace('pushs', 'pushes'),
      )
  } finally {
    store.close()
  }
  if (!input.text('token') && !process.env.CABINET_SOURCE_TOKEN) {
    process.stdout.write('there: not asked (no --token, no CABINET_SOURCE_TOKEN)\n')
    return 0
  }
  try {
    const pulled = await pullFrom(sourceOf(input, url), config, {
      decisions: decisionsOf(input, conflictsIn(config)),
      isTrial: true,
      isQuiet: true,
    })
    process.stdout.write(
      `there: ${count(pulled.objects, 'object')} changed\n${count(pulled.conflicts.length, 'conflict')}\n`,
    )
    for (const { key, detail } of pulled.conflicts.slice(0, MaxTold)) process.stdout.write(`  ${key}: ${detail}\n`)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    process.stdout.write(`there: ${error.message}\n`)
  }
  return 0
}

/** Writes a whole file, or none. */
export function writeWhole(file: string, bytes: Buffer): void {
  writeFileSync(`${file}.new`, bytes, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
