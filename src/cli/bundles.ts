import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { System } from '../engine/actor.ts'
import { BundleError } from '../history/bundle.ts'
import { deciding } from '../history/coming.ts'
import { clearConflicts, notingDecided, writeConflicts } from '../history/conflict-file.ts'
import { makePush, takePull } from '../history/kit.ts'
import { kitOf, makePull, readPush, takePush } from '../history/source.ts'
import { now } from '../lib/datetime.ts'
import { writeSafely } from '../lib/safe-file.ts'
import { Events } from '../services/events.ts'
import { demandForeign, openBeside, openToAdd } from '../store/data-folder.ts'
import { selfOf } from '../store/kit.ts'
import type { Store } from '../store/open.ts'
import { Writing } from '../store/write.ts'
import { type Input, UsageError } from './command.ts'
import { count, printMerge, tellConflicts, tellDecided } from './merge-report.ts'
import { conflictsIn, decidedIn, decisionsOf } from './sync.ts'

/** `cabinet bundle FILE`: of a kit, what was changed in it; of its source, with --kit, what a kit is not told yet. */
export async function bundle(input: Input): Promise<number> {
  const [file] = input.operands as [string]
  const config = await input.config()
  demandForeign(config.data, file)
  const store = openBeside(config)
  try {
    if (selfOf(store.db)) {
      if (input.text('kit')) throw new UsageError('--kit is for the source: this data folder is a kit itself')
      const made = store.commit.now(() => makePush(store))
      if (!made) {
        process.stdout.write('nothing to bundle\n')
        return 0
      }
      writeSafely(file, made.bytes)
      process.stdout.write(
        `${made.objects} object${made.objects === 1 ? '' : 's'}, ${made.bytes.length} bytes: ` +
          `cabinet apply ${file} takes it at the source\n`,
      )
      return 0
    }
    const name = input.text('kit')
    if (!name) throw new UsageError('this data folder is no kit: say with --kit for which kit the bundle is')
    const kit = kitOf(store.db, name)
    const bytes = makePull(store, kit, kit.step, kit.step_time)
    if (!bytes)
      throw new BundleError(
        `The change log does not reach back to what the kit ${name} knows: ` +
          'it has to pull over the network, or be cloned anew.',
      )
    writeSafely(file, bytes)
    process.stdout.write(`${bytes.length} bytes: cabinet apply ${file} takes it in the kit\n`)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet apply FILE`: takes a bundle, in a kit or at the source. */
export async function apply(input: Input): Promise<number> {
  const [file] = input.operands as [string]
  if (!existsSync(file)) throw new Error(`${file}: no such file`)
  const config = await input.config()
  const bytes = readFileSync(file)
  const store = openToAdd(config)
  try {
    const isKit = selfOf(store.db) !== undefined
    const list = isKit ? conflictsIn(config) : `${file}.conflicts.json`
    const kept = isKit ? decidedIn(config) : `${file}.decided.json`
    const isTrial = input.flag('dry-run')
    const decide = deciding(decisionsOf(input, list))
    const done = notingDecided(kept, (keep) => {
      const options = { decide, isTrial, keep }
      return isKit ? takePull(store, bytes, options) : takeAtSource(store, bytes, options)
    })
    const { conflicts, decided, objects } = done
    if (conflicts.length) writeConflicts(list, conflicts)
    else if (!isTrial) clearConflicts(list)
    if (input.flag('json')) return printMerge({ objects: conflicts.length ? 0 : objects, decided, conflicts })
    if (conflicts.length) {
      tellConflicts(conflicts, list, 'nothing was taken', isKit)
      return 1
    }
    tellDecided(decided, kept, isTrial)
    if ('isKnown' in done && done.isKnown) process.stdout.write('this bundle was taken before: nothing to do\n')
    else process.stdout.write(`${isTrial ? 'would take' : 'took'} ${count(objects, 'object')}\n`)
    return 0
  } finally {
    store.close()
  }
}

function takeAtSource(
  store: Store,
  bytes: Buffer,
  options: Parameters<typeof takePush>[2],
): ReturnType<typeof takePush> {
  const read = readPush(store, bytes, false)
  new Events(store).watch()
  const by = {
    userId: null,
    username: '',
    requestId: randomUUID(),
    message: `Applied from the kit ${read.kit.name}`,
    now: now(),
  }
  return store.commit.now(() => takePush(new Writing(store, System, by), read, options), 'tentative')
}

interface Listed {
  id: number
  name: string
  created: string | null
  last_seen: string | null
  pushed: number
  revoked: number
  username: string | null
}

/** `cabinet kit list`: the kits that were cloned from a data folder. */
export async function listKits(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  try {
    const kits = store.db.all<Listed>(
      `select k.id, k.name, k.created, k.last_seen, k.pushed, k.revoked, u.username from core_kit k
        left join users_user u on u.id = k.user_id order by k.id`,
    )
    const { printJson, printTable } = await import('./table.ts')
    if (input.flag('json')) return printJson(kits.map((kit) => ({ ...kit, revoked: kit.revoked === 1 })))
    const moment = (text: string | null) => (text ? `${text.slice(0, 16)}Z` : '-')
    printTable(
      ['NUMBER', 'NAME', 'CLONED', 'BY', 'LAST SEEN', 'PUSHES', 'STATE'],
      kits.map((kit) => [
        kit.id,
        kit.name,
        moment(kit.created),
        kit.username ?? '-',
        moment(kit.last_seen),
        kit.pushed,
        kit.revoked ? 'revoked' : 'valid',
      ]),
    )
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet kit revoke NAME`: nothing goes to the kit or comes from it any more. */
export async function revokeKit(input: Input): Promise<number> {
  const [name] = input.operands as [string]
  const store = openBeside(await input.config())
  try {
    const { changes } = store.commit.now(() => store.db.run('update core_kit set revoked = 1 where name = ?', name))
    if (changes === 0) throw new BundleError(`There is no kit ${name}.`)
    process.stdout.write(`the kit ${name} is revoked; what it holds stays where it is\n`)
    return 0
  } finally {
    store.close()
  }
}
