import { existsSync } from 'node:fs'
import { filesOf } from '../data-folder.ts'
import { startServer } from '../server.ts'
import { Version } from '../version.ts'
import type { Input } from './command.ts'

/** Serves until SIGTERM or SIGINT; a second signal ends the process at once. */
export async function serve(input: Input): Promise<number> {
  const config = await input.config()
  const isNew = !existsSync(filesOf(config.data).database)
  const { address, port, store, close } = await startServer(config)
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
