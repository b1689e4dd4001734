import { spawnSync } from 'node:child_process'
import { chmodSync, constants, copyFileSync, existsSync, linkSync, mkdtempSync } from 'node:fs'
import { mkdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { isPackaged } from '../lib/assets.ts'
import { giveToOwner } from '../lib/owner.ts'
import { Version } from '../lib/version.ts'
import { clearUpgrades, DataError, filesOf, lockData, UpgradeFolder } from '../store/data-folder.ts'
import { Incomplete } from './backup.ts'
import { type Input, UsageError } from './command.ts'
import { readiness } from './health.ts'
import { backupFolderOf } from './scheduled-backups.ts'
import { unitPath } from './service.ts'
import { unitIn } from './unit.ts'

/**
 * Milliseconds that the new executable may take to say its version, and to look at a copy of the database; seconds, to
 * serve.
 */
const Patience = { version: 20_000, look: 3_600_000, serve: '120' }
/** Milliseconds that the one before may take at least: there is nothing else to go back to. */
const LongPatience = 120_000
/** How often a started server is asked until it counts as well: one that ends at once must not. */
const Well = 3
/** What a database has beside it. */
const Beside = ['', '-wal', '-shm']

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** What is upgraded: the executable that stands there, its data, and how its server is stopped and started. */
interface Plan {
  target: string
  data: string
  /** Options of every command, by which it finds the data. */
  options: readonly string[]
  config: Config
  /** Undefined: nothing that could be restarted. */
  stop: readonly string[] | undefined
  start: readonly string[] | undefined
  /** Milliseconds that a server may take until it answers. */
  patience: number
}

/**
 * `cabinet upgrade FILE`: puts a new executable in the place of this one, once it has shown that it can serve these
 * data, or goes back.
 */
export async function upgrade(input: Input): Promise<number> {
  const [file] = input.operands as [string]
  const plan = await planOf(input)
  const { target } = plan
  await demandAnswer(plan)
  const fresh = `${target}.new`
  copyFileSync(file, fresh)
  try {
    chmodSync(fresh, 0o755)
    const version = versionOf(fresh, file)
    say(`${file} is Cabinet ${version}, this is ${Version}`)
    const scratch = scratchIn(plan)
    try {
      const backup = lookAhead(plan, fresh, version, scratch)
      return await change(plan, fresh, backup, scratch)
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  } finally {
    rmSync(fresh, { force: true })
  }
}

async function planOf(input: Input): Promise<Plan> {
  const unit = unitIn(unitPath)
  const given = ['data', 'config'].flatMap((name) => (input.text(name) ? [`--${name}`, input.text(name)!] : []))
  const fromUnit = unit.words.slice(unit.words.indexOf('serve') + 1)
  const options = given.length || !unit.words.length ? given : pairsOf(fromUnit, ['--data', '--config'])
  const at = (name: string) => options[options.indexOf(name) + 1]
  const { loadConfig } = await import('../config.ts')
  const config = await (given.length || !unit.words.length
    ? input.config()
    : loadConfig({
        file: options.includes('--config') ? at('--config') : undefined,
        env: { ...process.env, ...unit.env },
        flags: { data: at('--data'), listen: input.text('listen') ?? pairsOf(fromUnit, ['--listen'])[1] },
      }))
  const target = input.text('executable') ?? (isPackaged ? process.execPath : undefined)
  if (target === undefined) throw new UsageError('which executable? --executable names the one that is replaced')
  if (resolve(target) === '/usr/bin/cabinet' && existsSync('/var/lib/dpkg/info/cabinet.list'))
    throw new Error('this executable is of the package cabinet: dpkg -i, or apt, puts a newer one in its place')
  const [program] = unit.words
  const isService = program && existsSync('/run/systemd/system') && resolve(program) === resolve(target)
  const systemctl = (verb: string) => (isService ? ['systemctl', verb, 'cabinet.service'] : undefined)
  const named = (option: string) => (input.text(option) ? ['/bin/sh', '-c', input.text(option)!] : undefined)
  const [stop, start] = [named('stop') ?? systemctl('stop'), named('start') ?? systemctl('start')]
  if (!stop !== !start) throw new UsageError('--stop and --start go together')
  const patience = Number(input.text('patience') ?? Patience.serve) * 1000
  if (!(patience > 0)) throw new UsageError('--patience: a number of seconds')
  if (!existsSync(filesOf(config.data).database)) throw new Error(`${config.data} holds no database`)
  return { target: resolve(target), data: config.data, options, config, stop, start, patience }
}

const pairsOf = (words: readonly string[], names: readonly string[]): string[] =>
  names.flatMap((name) => (words.includes(name) ? [name, words[words.indexOf(name) + 1]!] : []))

/**
 * Throws where a server uses the data, and does not answer where it is looked for: a new one would not be seen there
 * either, and be taken back.
 */
async function demandAnswer({ config, data, start }: Plan): Promise<void> {
  if (!start || !isInUse(data)) return
  for (let tries = 0; tries < Well; tries++) {
    if ((await readiness(config)).status !== 0) return
    await wait(1000)
  }
  throw new Error(
    `a server is using ${data}, but nobody answers at ${config.listen}: ` +
      '--listen ADDR:PORT says where it listens; nothing is changed',
  )
}

function isInUse(data: string): boolean {
  try {
    lockData(data)()
    return false
  } catch (error) {
    if (error instanceof DataError) return true
    throw error
  }
}

function versionOf(executable: string, file: string): string {
  const { status, stdout, error } = spawnSync(executable, ['--version'], {
    encoding: 'utf8',
    timeout: Patience.version,
  })
  const version = stdout?.trim() ?? ''
  if (status === 0 && /^\d+\.\d+\.\d+\S*$/.test(version)) return version
  throw new Error(`${file} is no Cabinet that runs here${error ? `: ${error.message}` : ''}`)
}

/** A folder beside the data, of their owner. */
function scratchIn({ data }: Plan): string {
  clearUpgrades(data)
  const scratch = mkdtempSync(join(data, `${UpgradeFolder}${process.pid}-`))
  giveToOwner(scratch, data)
  return scratch
}

/**
 * Runs a command of an executable as the owner of the data. Throws what it says when it fails; false for a backup that
 * lacks uploaded files.
 */
function run(executable: string, args: readonly string[], data: string): boolean {
  const { uid, gid } = statSync(data)
  const { status, stderr, error } = spawnSync(executable, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: Patience.look,
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
  const said = stderr?.trim().split('\n').at(-1)
  if (status === Incomplete) process.stderr.write(`${said}\n`)
  else if (status !== 0) throw new Error(error?.message ?? (said || `it ended with ${status}`))
  return status === 0
}

/** Backs up, and has the new executable open a copy, migrate it and look through it. Answers the backup's file. */
function lookAhead({ target, data, options, config }: Plan, fresh: string, version: string, scratch: string): string {
  const folder = backupFolderOf(config)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!config.backupFolder) giveToOwner(folder, data)
  const { bavail, bsize } = statfsSync(data)
  const needed = 4 * statSync(filesOf(data).database).size + config.diskReserve
  if (bavail * bsize < needed)
    throw new Error(`an upgrade may need ${needed} bytes of room in ${data}, ${bavail * bsize} are free`)
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const backup = join(folder, `before-${version}-${stamp}.backup`)
  const isProved = run(target, ['backup', backup, '--verify', ...options], data)
  say(`${backup} is written${isProved ? ' and proved' : ''}`)
  const copy = join(scratch, 'copy')
  try {
    run(fresh, ['restore', backup, '--data', copy], data)
    run(fresh, ['user', 'list', '--data', copy], data) // brings the copy up to date
    run(fresh, ['check', '--quick', '--data', copy], data)
  } catch (error) {
    throw new Error(`the new executable cannot use these data, nothing is changed: ${(error as Error).message}`)
  }
  rmSync(copy, { recursive: true, force: true })
  say('it can use a copy of these data')
  return backup
}

/** Swaps the executables around a restart; goes back where the new one does not serve. Answers the exit code. */
async function change(plan: Plan, fresh: string, backup: string, scratch: string): Promise<number> {
  const { target, data, config, stop, start, options, patience } = plan
  const { database } = filesOf(data)
  const before = (await readiness(config)).status
  if (stop) order(stop)
  const kept = join(scratch, 'cabinet.db')
  if (stop)
    for (const end of Beside)
      if (existsSync(database + end)) copyFileSync(database + end, kept + end, constants.COPYFILE_FICLONE)
  const old = `${target}.old`
  rmSync(old, { force: true })
  linkSync(target, old)
  renameSync(fresh, target) // at once: there is an executable at every moment
  if (!stop || !start) {
    say(
      `${target} is the new one, the one before is ${old}; ` +
        'a server that runs goes on with the one before until it is restarted',
    )
    return 0
  }
  let fault: string | undefined
  try {
    order(start)
    fault = await faultOf(plan, before)
  } catch (error) {
    fault = (error as Error).message
  }
  if (fault === undefined) {
    say(`${target} serves; the one before is ${old}`)
    return 0
  }
  process.stderr.write(`cabinet: the new executable does not serve (${fault}): going back\n`)
  quietly(stop)
  renameSync(old, target)
  try {
    run(target, ['user', 'list', ...options], data)
  } catch {
    for (const end of Beside.slice(1)) rmSync(database + end, { force: true })
    for (const end of Beside) // the database first, in the place of the other: there is one at every moment
      if (existsSync(kept + end)) {
        renameSync(kept + end, database + end)
        giveToOwner(database + end, data)
      }
    process.stderr.write('cabinet: the database is put back too, as it was when the server was stopped\n')
  }
  order(start)
  const left = await faultOf({ ...plan, patience: Math.max(patience, LongPatience) }, before)
  process.stderr.write(
    left === undefined
      ? `cabinet: the executable before serves again; the backup is ${backup}\n`
      : `cabinet: the executable before does not serve either (${left}); the backup is ${backup}\n`,
  )
  return 1
}

function order([program, ...args]: readonly string[]): void {
  const { status, error, stderr } = spawnSync(program!, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0)
    throw new Error(
      error?.message ?? (stderr.trim().split('\n')[0] || `${[program, ...args].join(' ')} ended with ${status}`),
    )
}

function quietly(command: readonly string[]): void {
  try {
    order(command)
  } catch {
    // it had ended already
  }
}

/** Why a server that was started does not count as well, after some time; undefined where it does. */
async function faultOf({ config, patience }: Plan, before: number): Promise<string | undefined> {
  const until = Date.now() + patience
  let well = 0
  let status = 0
  while (Date.now() < until) {
    status = (await readiness(config)).status
    well = status === 200 || (status !== 0 && status === before) ? well + 1 : 0
    if (well >= Well) return undefined
    await wait(1000)
  }
  return status === 0 ? `nobody answers at ${config.listen}` : `/readyz answers ${status}`
}
