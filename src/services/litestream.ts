// Litestream, a program that copies SQLite databases elsewhere as they are written, and what Cabinet has it do.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stringify } from 'yaml'
import { writeSafely } from '../lib/safe-file.ts'
import { filesOf } from '../store/data-folder.ts'
import type { Role } from '../store/replication.ts'

/** What is copied: the database, the files that belong to it, and the heartbeat of their source. */
const Parts = ['main', 'files', 'pulse'] as const
type Part = (typeof Parts)[number]

/**
 * Milliseconds that one run may take, that a replica may be asked for, and that the last copying at the end may take.
 */
const Longest = { run: 1_800_000, look: 20_000, end: 20_000 }
/** Milliseconds before a program that ended is started again: at first, and at most. */
const Pause = { first: 1000, most: 60_000 }

/** Where the databases of a source lie, and what follows has its own copies of them. */
export const partsOf = (data: string): Record<Part, string> => ({
  main: filesOf(data).database,
  files: join(filesOf(data).replica, 'files.db'),
  pulse: join(filesOf(data).replica, 'pulse.db'),
})

/**
 * The URL of one part of a replica in an epoch; each epoch has a place of its own, so that no source writes over
 * another's.
 */
export function urlOf(place: string, epoch: number, part: Part): string {
  const [base, query] = place.split(/(?=\?)/, 2) as [string, string?]
  return `${base.replace(/\/+$/, '')}/epoch-${epoch}/${part}${query ?? ''}`
}

/** The folder that a place is; undefined where it is none. */
export const folderOf = (place: string): string | undefined =>
  place.startsWith('file://') ? decodeURIComponent(place.slice('file://'.length)) : undefined

/** Litestream's configuration for a data folder in an epoch. */
function configurationOf(data: string, { place, key }: Role, epoch: number): string {
  const parts = partsOf(data)
  return (
    '# Written by cabinet whenever it starts; cabinet replicate --to changes it.\n' +
    stringify({
      logging: { level: 'warn' },
      snapshot: { interval: '24h', retention: '72h' },
      dbs: Parts.map((part) => ({
        path: parts[part],
        replica: { url: urlOf(place, epoch, part), 'sync-interval': '1s', ...(key ? { 'key-path': key } : {}) },
      })),
    })
  )
}

/** Puts Litestream's configuration into a data folder; answers its path. */
export function configure(data: string, role: Role, epoch: number): string {
  const folder = filesOf(data).replica
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'litestream.yml')
  writeSafely(file, configurationOf(data, role, epoch))
  return file
}

/** Litestream for one data folder. */
export class Litestream {
  readonly #program: string
  readonly #data: string
  readonly #role: Role
  readonly #quit = new AbortController()

  /** `program`: its name or path. */
  constructor(program: string, data: string, role: Role) {
    this.#program = program
    this.#data = data
    this.#role = role
  }

  /**
   * Makes a file of the newest state of one part in an epoch, whole or not at all; false where the place holds none.
   * Rejects where it cannot be asked.
   */
  async restore(part: Part, epoch: number, target: string): Promise<boolean> {
    for (const end of ['', '.tmp', '-wal', '-shm']) rmSync(target + end, { force: true })
    const folder = folderOf(this.#role.place)
    if (folder && !existsSync(join(folder, `epoch-${epoch}`, part))) {
      if (existsSync(folder)) return false
      throw new Error(`${folder} is not there`)
    }
    const config = configure(this.#data, this.#role, epoch)
    const path = partsOf(this.#data)[part]
    await this.#run(
      ['restore', '-no-expand-env', '-config', config, '-if-replica-exists', '-o', target, path],
      part === 'pulse' ? Longest.look : Longest.run,
    )
    return existsSync(target)
  }

  /** Ends what is being restored. */
  quit(): void {
    this.#quit.abort()
  }

  /** Copies everything once, as it is. */
  async once(epoch: number): Promise<void> {
    const config = configure(this.#data, this.#role, epoch)
    await this.#run(['replicate', '-no-expand-env', '-config', config, '-once'], Longest.run)
  }

  #run(args: readonly string[], longest: number): Promise<void> {
    return new Promise((done, fail) => {
      const child = spawn(this.#program, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: longest,
        signal: this.#quit.signal,
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said = (said + text).slice(-2000)
        })
      child.once('error', (error) => fail(missing(this.#program, error)))
      child.once('close', (code) =>
        code === 0 ? done() : fail(new Error(lastOf(said) || `litestream ended with ${code}`)),
      )
    })
  }

  /** Copies what is written, from now until what this answers is called, which waits until all is copied. */
  keep(epoch: number, say: (line: string) => void): Keeping {
    const config = configure(this.#data, this.#role, epoch)
    const log = join(filesOf(this.#data).replica, 'litestream.log')
    // It ends by itself when this process is gone, after it has copied the rest.
    const watch = existsSync('/bin/sh')
      ? ['-exec', `/bin/sh -c 'while kill -0 ${process.pid}; do sleep 1; done 2>/dev/null'`]
      : []
    let child: ChildProcess | undefined
    let isEnding = false
    let pause = Pause.first
    let timer: NodeJS.Timeout | undefined
    const start = (): void => {
      const out = openSync(log, 'w', 0o600) // a file: it goes on when this process does not
      const began = Date.now()
      child = spawn(this.#program, ['replicate', '-no-expand-env', '-config', config, ...watch], {
        stdio: ['ignore', out, out],
      })
      closeSync(out)
      let isOver = false
      const over = (reason: string): void => {
        if (isOver) return
        isOver = true
        child = undefined
        if (isEnding) return
        pause = Date.now() - began > Pause.most ? Pause.first : Math.min(pause * 2, Pause.most)
        say(reason)
        timer = setTimeout(start, pause).unref()
      }
      child.once('error', (error) => over(missing(this.#program, error).message))
      child.once('exit', (code) => over(lastOf(readFileSync(log, 'utf8')) || `litestream ended with ${code}`))
    }
    start()
    return {
      isRunning: () => child !== undefined,
      end: async () => {
        isEnding = true
        clearTimeout(timer)
        const last = child
        if (!last) return
        const gone = new Promise<void>((done) => void last.once('exit', () => done()))
        last.kill('SIGTERM')
        await Promise.race([gone, wait(Longest.end, undefined, { ref: false })])
        last.kill('SIGKILL')
      },
    }
  }
}

/** Litestream at work. */
export interface Keeping {
  isRunning: () => boolean
  end: () => Promise<void>
}

const missing = (program: string, error: Error): Error =>
  (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? new Error(`there is no program ${program}: install Litestream 0.5, or name it in the configuration (litestream)`)
    : error

/** The reason in the last line of what Litestream said. */
function lastOf(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  return /error="?(.+?)"?$/.exec(line)?.[1] ?? line.replace(/^Error: /, '').slice(0, 500)
}
