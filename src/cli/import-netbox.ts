import { existsSync } from 'node:fs'
import { filesOf, openData } from '../data-folder.ts'
import { type Count, importNetbox } from '../netbox/import.ts'
import { selection } from '../netbox/selection.ts'
import { Source } from '../netbox/source.ts'
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

  const source = new Source({ url, token })
  const version = await source.version()
  const config = await input.config()
  const isNew = !existsSync(filesOf(config.data).database)
  const { store, release } = openData(config)
  const progress = new Progress('import')
  let warnings = 0
  const warn = (text: string) => {
    progress.end()
    process.stderr.write(`${text}\n`)
    warnings++
  }
  try {
    process.stderr.write(`from NetBox ${version} at ${source.base}\n`)
    const counts = await importNetbox({
      store,
      source,
      isNew,
      only,
      warn,
      progress: (done, total) => progress.at(done, total),
    })
    progress.end()
    const differs = ({ source: there, target }: Count) => there !== undefined && there !== target // an older source has not every list
    printTable(
      ['MODEL', 'SOURCE', 'HERE', ''],
      counts
        .filter(({ source: there, target }) => there || target)
        .map((count) => [count.model, count.source ?? '-', count.target, differs(count) ? 'differs' : '']),
    )
    if (counts.some(({ model, target }) => model === 'users.user' && target > 0))
      process.stderr.write(
        'users came without passwords, and none is an administrator: cabinet user passwd NAME, cabinet user add NAME --superuser\n',
      )
    return counts.some(differs) || warnings ? 1 : 0
  } finally {
    progress.end()
    store.close()
    release()
  }
}
