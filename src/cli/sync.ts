import { mkdtempSync, readFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Version } from '../lib/version.ts'
import type { CloneFacts } from '../history/clone.ts'
import { type Conflict, type Decided, deciding } from '../history/coming.ts'
import { clearConflicts, decisionsIn, notingDecided, writeConflicts } from '../history/conflict-file.ts'
import {
  changesHere,
  countsOf,
  demandKit,
  forgetPush,
  makePush,
  notePushed,
  type Pulled,
  type Push,
  takePull,
} from '../history/kit.ts'
import type { Side } from '../history/merge.ts'
import { writeSafely } from '../lib/safe-file.ts'
import { takeWhole } from '../history/whole.ts'
import { demandRoom, filesOf, openBeside } from '../store/data-folder.ts'
import type { Store } from '../store/open.ts'
import { fetchClone } from './fetch-clone.ts'
import { type Input, UsageError } from './command.ts'
import { Progress } from './progress.ts'
import { type KitSource, SourceError, sourceOf, Unreachable } from './kit-source.ts'
import {
  changeLines,
  type Counts,
  count,
  MaxTold,
  printMerge,
  tellConflicts,
  tellDecided,
  tellRefused,
} from './merge-report.ts'

interface PullWishes {
  decisions: ReadonlyMap<string, Side>
  isTrial?: boolean
  tried?: (() => void) | undefined
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

/** The files of a kit in which its open conflicts stand, and what was decided. */
export const conflictsIn = ({ data }: Pick<Config, 'data'>): string => filesOf(data).conflicts
export const decidedIn = ({ data }: Pick<Config, 'data'>): string => filesOf(data).decided

/** Does a command's work on the data folder of a kit, which is opened once for all its steps. */
async function onKit<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openBeside(config)
  try {
    return await work(store)
  } finally {
    store.close()
  }
}

/** Gets the changes of the source into the kit in a data folder. */
export const pullFrom = (source: KitSource, config: Config, wishes: PullWishes): Promise<Pulled> =>
  onKit(config, (store) => pullInto(store, source, wishes))

async function pullInto(
  store: Store,
  source: KitSource,
  { decisions, isTrial = false, tried, isQuiet = false }: PullWishes,
): Promise<Pulled> {
  const { config } = store
  store.db.sync() // a server beside may have written since the last step
  const self = demandKit(store.db)
  const options = { decide: deciding(decisions), isTrial, tried, isNow: true }
  let pulled: Pulled
  try {
    const path = `/api/core/kits/${self.number}/pull/`
    const known = { step: self.there, time: self.there_time, version: Version }
    const bytes = await showing('pull', (progress) => source.bytes('POST', path, known, progress))
    store.db.sync()
    pulled = notingDecided(decidedIn(config), (keep) => takePull(store, bytes, { ...options, keep }))
    if (pulled.conflicts.length && !isTrial) writeSafely(filesOf(config.data).incoming, bytes)
  } catch (error) {
    if (!(error instanceof SourceError) || error.body.whole !== true) throw error
    pulled = await compareWhole(source, store, options)
    if (!isQuiet)
      process.stderr.write(
        'the source no longer keeps all changes since the last pull: everything was compared; ' +
          'changes that its log has forgotten are nobody’s\n',
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
}

async function compareWhole(
  source: KitSource,
  store: Store,
  options: Parameters<typeof takeWhole>[2],
): Promise<Pulled> {
  const { config } = store
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
    const whole = { database: join(folder, 'cabinet.db'), facts, files }
    store.db.sync()
    return notingDecided(decidedIn(config), (keep) => takeWhole(store, whole, { ...options, keep }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Shows how far something is until it is over. */
async function showing<T>(what: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress(what)
  try {
    return await work(progress)
  } finally {
    progress.end()
  }
}

/** The source of a kit. */
const sourceFor = (store: Store, input: Input): KitSource => sourceOf(input, demandKit(store.db).url)

/** `cabinet pull` */
export async function pull(input: Input): Promise<number> {
  const config = await input.config()
  const decisions = decisionsOf(input, conflictsIn(config))
  demandRoom(config)
  const { objects, decided, conflicts } = await onKit(config, (store) =>
    pullInto(store, sourceFor(store, input), { decisions }),
  )
  if (input.flag('json')) return printMerge({ objects: conflicts.length ? 0 : objects, decided, conflicts })
  if (conflicts.length) {
    tellConflicts(conflicts, conflictsIn(config), 'nothing was pulled')
    return 1
  }
  tellDecided(decided, decidedIn(config), false)
  process.stdout.write(`pulled ${count(objects, 'object')}\n`)
  return 0
}

/** So often is a push tried while others change the same at the source. */
const MaxTries = 5

/** `cabinet push`: pulls, and gives the source what was changed here. */
export async function push(input: Input): Promise<number> {
  return onKit(await input.config(), (store) => pushFrom(store, input))
}

async function pushFrom(store: Store, input: Input): Promise<number> {
  const { config } = store
  const source = sourceFor(store, input)
  const decisions = decisionsOf(input, conflictsIn(config))
  const [isTrial, isJson] = [input.flag('dry-run'), input.flag('json')]
  let decided: Decided[] = []
  let made: Push | undefined
  const take = async (isQuiet: boolean): Promise<readonly Conflict[]> => {
    // What would be pushed is what the trial of the pull makes of both sides.
    const tried = () => (made = makePush(store))
    const pulled = await pullInto(store, source, { decisions, isTrial, tried, isQuiet })
    if (pulled.conflicts.length) return pulled.conflicts
    decided = isTrial ? [...pulled.decided] : [...decided, ...pulled.decided]
    if (!isJson && !isTrial) tellDecided(pulled.decided, decidedIn(config), false)
    return []
  }
  for (let tries = 1; ; tries++) {
    const open = await take(false)
    if (open.length) {
      if (isJson) return printMerge({ objects: 0, counts: {}, decided, conflicts: open })
      tellConflicts(open, conflictsIn(config), 'nothing was pushed')
      return 1
    }
    if (!isTrial) made = makeNow(store)
    const answer = made && (await pushOnce(store, source, made, isTrial))
    const isRefused = answer !== undefined && 'conflicts' in answer
    if (isRefused && tries < MaxTries) continue // others changed the same meanwhile
    if (!isJson && isTrial) tellDecided(decided, decidedIn(config), true)
    if (isRefused) {
      if (isJson) return printMerge({ objects: 0, counts: {}, decided, conflicts: answer.conflicts })
      tellRefused(answer.conflicts)
      return 1
    }
    const { objects, counts } = answer ?? { objects: 0, counts: {} }
    if (!isJson) {
      for (const line of changeLines(counts)) process.stdout.write(`${line}\n`)
      const what = isTrial ? 'would push' : 'pushed'
      process.stdout.write(answer ? `${what} ${count(objects, 'object')}\n` : 'nothing to push\n')
    }
    let later: readonly Conflict[] = []
    try {
      if (answer && !isTrial) later = await take(true) // what rules did there with what came
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      process.stderr.write(`${error.message}; what rules did there with it comes with the next pull\n`)
    }
    if (isJson) return printMerge({ objects, counts, decided, conflicts: later })
    if (later.length) tellConflicts(later, conflictsIn(config), 'what the source has since was not pulled')
    return later.length ? 1 : 0
  }
}

interface PushAnswer {
  objects: number
  counts: Counts
}

/** Makes a push of what the kit holds now. */
function makeNow(store: Store): Push | undefined {
  store.db.sync()
  return store.commit.now(() => makePush(store))
}

/** Sends a push: what came of it, or the conflicts that the source finds. That of a trial is known to nobody here. */
async function pushOnce(
  store: Store,
  source: KitSource,
  made: Push,
  isTrial: boolean,
): Promise<PushAnswer | { conflicts: Conflict[] }> {
  const { number } = demandKit(store.db)
  try {
    const path = `/api/core/kits/${number}/push/${isTrial ? '?dry_run=1' : ''}`
    const answer = await showing('push', (progress) => source.json('POST', path, made.bytes, progress))
    if (!isTrial) store.commit.now(() => notePushed(store.db, made.push, made.id))
    return { objects: made.objects, counts: answer.counts as Counts }
  } catch (error) {
    // Nobody knows whether it came: the next pull says so.
    if (!(error instanceof SourceError) || error.status >= 500) throw error
    if (!isTrial) store.commit.now(() => forgetPush(store.db, made.push))
    if (error.body.conflicts) return { conflicts: error.body.conflicts as Conflict[] }
    if (!TooMuch.has(error.status)) throw error
    throw new Error(`${error.message} cabinet bundle makes a file of it, which cabinet apply takes at the source.`)
  }
}

/** Statuses of a push that is too large, or too slow, for a request. */
const TooMuch = new Set([408, 413])

/** `cabinet status`: what changed here and, where the source can be asked, there. */
export async function status(input: Input): Promise<number> {
  return onKit(await input.config(), async (store) => {
    tellHere(store)
    if (input.text('token') || process.env.CABINET_SOURCE_TOKEN) await tellThere(store, input)
    else process.stdout.write('there: not asked (no --token, no CABINET_SOURCE_TOKEN)\n')
    return 0
  })
}

function tellHere({ db }: Store): void {
  const self = demandKit(db)
  const counts = countsOf(changesHere(db, self).values())
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0)
  process.stdout.write(
    `kit ${self.name} (number ${self.number}) of ${self.url}, last told ${self.there_time.slice(0, 19)}Z\n`,
  )
  process.stdout.write(`here: ${count(all, 'object')} changed\n`)
  for (const [model, n] of counts) process.stdout.write(`  ${model}: ${n}\n`)
  const waiting = self.sent - self.taken
  const open = db.get<{ n: number }>('select count(*) as n from kit_push')!.n
  if (waiting > 0 && open > 0)
    process.stdout.write(
      `${count(open, 'push')} sent, of which the source has not said that it came\n`.replace('pushs', 'pushes'),
    )
}

async function tellThere(store: Store, input: Input): Promise<void> {
  const decisions = decisionsOf(input, conflictsIn(store.config))
  try {
    const pulled = await pullInto(store, sourceFor(store, input), { decisions, isTrial: true, isQuiet: true })
    process.stdout.write(
      `there: ${count(pulled.objects, 'object')} changed\n${count(pulled.conflicts.length, 'conflict')}\n`,
    )
    for (const { key, detail } of pulled.conflicts.slice(0, MaxTold)) process.stdout.write(`  ${key}: ${detail}\n`)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    process.stdout.write(`there: ${error.message}\n`)
  }
}
