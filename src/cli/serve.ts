import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isPackaged } from '../lib/assets.ts'
import { filesOf } from '../store/data-folder.ts'
import { startServer } from '../server/start.ts'
import { Version } from '../lib/version.ts'
import type { Input } from './command.ts'
import { keepBackups } from './schedule.ts'
import { tellReady } from './service.ts'

/** Milliseconds after the start when the database is looked through, by a process of its own. */
const LookingThrough = 1000

/** Says on standard error that a database is malformed. Answers what calls that off. */
function sayDamage(data: string): () => void {
  const self = isPackaged ? [] : [process.argv[1]!]
  const timer = setTimeout(() => {
    const child = spawn(process.execPath, [...self, 'check', '--quick', '--data', data], { stdio: 'ignore' })
    child
      .on('error', () => undefined)
      .on('exit', (code) => {
        if (code === 1)
          process.stderr.write(
            'warning: the database is damaged; cabinet check says where, cabinet restore FILE --force brings back a backup\n',
          )
      })
    child.unref()
  }, LookingThrough)
  return () => clearTimeout(timer)
}

/** Serves until SIGTERM or SIGINT; a second signal ends the process at once. */
export async function serve(input: Input): Promise<number> {
  const config = await input.config()
  const isNew = !existsSync(filesOf(config.data).database)
  const { address, port, store, close } = await startServer(config, {
    unfinished: input.flag('unfinished'),
    newPeppers: input.flag('new-peppers'),
  })
  const callOff = sayDamage(config.data)
  const stopBackups = keepBackups(store)
  if (!isNew && store.migrated.length > 0)
    process.stderr.write(`database brought up to date: ${store.migrated.join(', ')}\n`)
  const host = address.includes(':') ? `[${address}]` : address
  process.stderr.write(
    `cabinet ${Version} serves http${config.tlsCertificate ? 's' : ''}://${host}:${port}${config.basePath}/\n`,
  )
  tellReady(process.env)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  callOff()
  stopBackups()
  await close()
  return 0
}
