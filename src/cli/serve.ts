import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isPackaged } from '../lib/assets.ts'
import { filesOf } from '../store/data-folder.ts'
import { isSound } from '../services/checks.ts'
import { startServer } from '../server/start.ts'
import type { Store } from '../store/open.ts'
import { Version } from '../lib/version.ts'
import type { Input } from './command.ts'

/** Bytes of a database that is looked through before anything else; a larger one is looked through by a process of its own. */
const LookedThrough = 64 * 1024 * 1024
const Damaged =
  'warning: the database is damaged; cabinet check says where, cabinet restore FILE --force brings back a backup\n'

/** Says on standard error that a database is malformed. */
function sayDamage(database: string, store: Store): void {
  if (statSync(database).size <= LookedThrough) {
    if (!isSound(store.db.raw)) process.stderr.write(Damaged)
    return
  }
  const self = isPackaged ? [] : [process.argv[1]!]
  const child = spawn(process.execPath, [...self, 'check', '--quick', '--data', dirname(database)], { stdio: 'ignore' })
  child.on('error', () => undefined).on('exit', (code) => code === 1 && process.stderr.write(Damaged))
  child.unref()
}

/** Serves until SIGTERM or SIGINT; a second signal ends the process at once. */
export async function serve(input: Input): Promise<number> {
  const config = await input.config()
  const isNew = !existsSync(filesOf(config.data).database)
  const { address, port, store, close } = await startServer(config, {
    unfinished: input.flag('unfinished'),
    newPeppers: input.flag('new-peppers'),
  })
  sayDamage(filesOf(config.data).database, store)
  if (!isNew && store.migrated.length > 0)
    process.stderr.write(`database brought up to date: ${store.migrated.join(', ')}\n`)
  const host = address.includes(':') ? `[${address}]` : address
  process.stderr.write(
    `cabinet ${Version} serves http${config.tlsCertificate ? 's' : ''}://${host}:${port}${config.basePath}/\n`,
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  await close()
  return 0
}
