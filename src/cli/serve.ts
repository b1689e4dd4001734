import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isPackaged } from '../lib/assets.ts'
import { filesOf } from '../store/data-folder.ts'
import { roleOf, setRole } from '../store/replication.ts'
import { startServer } from '../server/start.ts'
import { logWarning } from '../lib/log.ts'
import { Version } from '../lib/version.ts'
import { Damaged } from './check.ts'
import { type Input, UsageError } from './command.ts'
import { beginFollowing, roleIn } from './replicate.ts'
import { kill } from '../lib/kill.ts'
import { keepBackups } from './scheduled-backups.ts'
import { tellReady } from './service.ts'

/** Milliseconds after the start when the database is looked through, by a process of its own. */
const LookingThrough = 1000

/** Says on standard error that a database is malformed. Answers what calls that off, and when it is. */
function sayDamage(data: string): () => Promise<void> {
  const self = isPackaged ? [] : [process.argv[1]!]
  let child: ChildProcess | undefined
  const timer = setTimeout(() => {
    child = spawn(process.execPath, [...self, 'check', '--quick', '--data', data], { stdio: 'ignore' })
    child
      .on('error', () => undefined)
      .on('exit', (code) => {
        if (code === Damaged)
          process.stderr.write(
            'warning: the database is damaged; cabinet check says where, ' +
              'cabinet restore FILE --force brings back a backup\n',
          )
      })
    child.unref()
  }, LookingThrough)
  return async () => {
    clearTimeout(timer)
    if (child) await kill(child)
  }
}

/** Makes a folder a follower where that is asked for, once. */
function follow(input: Input, data: string): void {
  const place = input.text('follow')
  const alone = ['source', 'key', 'set-aside'].find((name) => input.text(name) !== undefined || input.flag(name))
  if (place === undefined && alone)
    throw new UsageError(`--${alone} goes with --follow: name the place that is followed`)
  if (place === undefined) return
  const before = roleOf(data)
  const role = roleIn('follower', place, input)
  if (before?.role === 'follower' && before.place === role.place) {
    if (role.source ?? role.key) setRole(data, { ...before, ...role })
    return
  }
  const aside = beginFollowing(data, role, input.flag('set-aside'))
  if (aside) process.stderr.write(`the data that were here lie in ${aside}\n`)
}

/** Serves until SIGTERM, SIGINT or the end of its terminal; a second signal ends the process at once. */
export async function serve(input: Input): Promise<number> {
  const config = await input.config()
  follow(input, config.data)
  const isNew = !existsSync(filesOf(config.data).database)
  const { address, port, store, follows, close } = await startServer(config, {
    unfinished: input.flag('unfinished'),
    newPeppers: input.flag('new-peppers'),
  })
  // One answer that nobody waited for is no reason to end all others.
  process.on('unhandledRejection', (reason) => {
    const { message, stack = '' } = reason instanceof Error ? reason : new Error(String(reason))
    logWarning(config, 'something failed that nobody waited for', { error: message, stack })
  })
  const callOff = follows ? async () => {} : sayDamage(config.data)
  const stopBackups = keepBackups(store)
  if (!isNew && store.migrated.length > 0)
    process.stderr.write(`database brought up to date: ${store.migrated.join(', ')}\n`)
  const host = address.includes(':') ? `[${address}]` : address
  const url = `http${config.tlsCertificate ? 's' : ''}://${host}:${port}${config.basePath}/`
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  process.stderr.write(`cabinet ${Version} serves ${address.startsWith('/') ? address : url}\n`)
  tellReady(process.env) // who hears it may end the server at once
  await ended
  await Promise.all([callOff(), stopBackups()])
  await close()
  return 0
}
