import { existsSync } from 'node:fs'
import { demandRoom, filesOf, openData, probeFolder } from '../store/data-folder.ts'
import { listUsers } from '../services/accounts.ts'
import { type Count, importNetbox, sizesOf } from '../exchange/netbox/import.ts'
import { selection } from '../exchange/netbox/selection.ts'
import { Source } from '../exchange/netbox/source.ts'
import type { Store } from '../store/open.ts'
import { type Input, UsageError } from './command.ts'
import { Progress } from './progress.ts'
import { printTable } from './table.ts'

/** `cabinet import netbox URL`: 0 when every count is the same on both sides and nothing was left out. */
export async function importFromNetbox(input: Input): Promise<number> {
  const [url] = input.operands as [string]
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`${url} is not the address of a server: it begins with http:// or https://`)
  const token = input.text('token') ?? process.env.CABINET_SOURCE_TOKEN
  if (!token) throw new UsageError('no token: give it with --token or in CABINET_SOURCE_TOKEN')
  const only = (input.text('only') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const known = new Set(selection().map((m) => m.name))
  for (const name of only)
    if (!known.has(name)) throw new UsageError(`${name} is not the name of a model that can be imported, as dcim.site`)
  if (input.flag('insecure')) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

  const config = await input.config()
  probeFolder(config.data)
  demandRoom(config)
  const source = new Source({ url, token })
  const version = await source.version()
  process.stderr.write(`from NetBox ${version} at ${source.base}\n`)
  const sizes = await sizesOf(source, only)
  const isNew = !existsSync(filesOf(config.data).database)
  const { store, release } = openData(config, { unfinished: true })
  const progress = new Progress('import')
  let warnings = 0
  const warn = (text: string) => {
    progress.end()
    process.stderr.write(`${text}\n`)
    warnings++
  }
  try {
    const { counts, takenBack } = await importNetbox({
      store,
      source,
      isNew,
      only,
      sizes,
      warn,
      progress: (done, total) => progress.at(done, total),
    })
    progress.end()
    sayTakenBack(takenBack, only.length > 0)
    // An older source has not every list.
    const differs = ({ source: there, target }: Count) => there !== undefined && there !== target
    printTable(
      ['MODEL', 'SOURCE', 'HERE', ''],
      counts
        .filter(({ source: there, target }) => there || target)
        .map((count) => [count.model, count.source ?? '-', count.target, differs(count) ? 'differs' : '']),
    )
    sayWhoMayLogIn(store)
    return counts.some(differs) || takenBack.size || warnings ? 1 : 0
  } finally {
    progress.end()
    store.close()
    release()
  }
}

/**
 * Says what objects lost because what they refer to is not here: one line a kind, or one line in all for a part that
 * was asked for.
 */
function sayTakenBack(takenBack: ReadonlyMap<string, number>, isPart: boolean): void {
  const kinds = [...takenBack].sort(([, a], [, b]) => b - a)
  if (isPart && kinds.length) {
    const total = kinds.reduce((sum, [, count]) => sum + count, 0)
    const shown = kinds.map(([what, count]) => `${what.replace(/, because.*$/, '')} ${count}`).join(', ')
    process.stderr.write(`--only cut ${total} references to what is not copied: ${shown}\n`)
  } else for (const [what, count] of kinds) process.stderr.write(`${what}: ${count}\n`)
}

/** Advice that works here and now: users come without passwords, and none is an administrator. */
function sayWhoMayLogIn(store: Store): void {
  const users = listUsers(store)
  if (users.some(({ superuser, active }) => superuser && active)) return
  const [first] = users.filter(({ active }) => active)
  process.stderr.write(
    first
      ? 'users came without passwords, and none is an administrator: ' +
          `cabinet user passwd ${first.username} and cabinet user promote ${first.username} make one\n`
      : 'there are no users yet: cabinet user add NAME --superuser makes an administrator\n',
  )
}
