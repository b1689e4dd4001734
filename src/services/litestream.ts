// Litestream, a program that copies SQLite databases elsewhere as they are written, and what Cabinet has it do.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stringify } from 'yaml'
import { writeSafely } from '../lib/safe-file.ts'
import { filesOf } from '../store/data-folder.ts'
import type { Role } from '../store/replication.ts'
import { folderOf, type Part, Parts, urlOf } from './replica-place.ts'

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

/** Puts Litestream's configuration into a data folder; answers its path. What only asks has one of its own. */
export function configure(data: string, role: Role, epoch: number, name = 'litestream.yml'): string {
  const folder = filesOf(data).replica
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  writeSafely(file, configurationOf(data, role, epoch))
  return file
}

/** What lies at a place is no database, nor can one be made of it. */
export class Broken extends Error {}

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
   * Rejects where it cannot be asked, with `Broken` where it holds a part of one.
   */
  async restore(part: Part, epoch: number, target: string): Promise<boolean> {
    for (const end of ['', '.tmp', '-wal', '-shm']) rmSync(target + end, { force: true })
    await this.#ask(part, epoch, ['-o', target])
    return existsSync(target)
  }

  /** Whether a place holds a part in an epoch, by its list of what is there. Rejects as `restore` does. */
  async holds(part: Part, epoch: number): Promise<boolean> {
    const target = join(filesOf(this.#data).replica, 'never.db')
    return /\.ltx\b/.test(await this.#ask(part, epoch, ['-dry-run', '-o', target]))
  }

  async #ask(part: Part, epoch: number, more: readonly string[]): Promise<string> {
    const folder = folderOf(this.#role.place)
    if (folder && !existsSync(join(folder, `epoch-${epoch}`, part))) {
      if (existsSync(folder)) return ''
      throw new Error(`${folder} is not there`)
    }
    const config = ['-no-expand-env', '-config', configure(this.#data, this.#role, epoch, 'asking.yml')]
    const path = partsOf(this.#data)[part]
    const longest = part === 'pulse' ? Longest.look : Longest.run
    try {
      return await this.#run(['restore', ...config, '-if-replica-exists', ...more, path], longest)
    } catch (error) {
      if (this.#quit.signal.aborted) throw error
      // A place that tells what it has is there.
      const tells = await this.#run(['ltx', ...config, path], Longest.look).catch(() => undefined)
      throw tells === undefined ? error : new Broken((error as Error).message)
    }
  }

  /** Forgets what was copied, so that the next copying begins with all of it. */
  forget(): void {
    for (const path of Object.values(partsOf(this.#data)))
      rmSync(join(dirname(path), `.${basename(path)}-litestream`), { recursive: true, force: true })
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

  /** Runs a command of Litestream; answers the end of what it says. */
  #run(args: readonly string[], longest: number): Promise<string> {
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
        code === 0 ? done(said) : fail(new Error(reasonIn(said) || `litestream ended with ${code}`)),
      )
    })
  }

  /** Copies what is written, from now until what this answers is called, which waits until all is copied. */
  keep(epoch: number, say: (line: string) => void): Keeping {
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
      const config = configure(this.#data, this.#role, epoch)
      child = spawn(this.#program, ['replicate', '-no-expand-env', '-config', config, ...watch], {
        stdio: ['ignore', out, out],
      })
      closeSync(out)
      let isOver = false
      const over = (reasonOf: () => string): void => {
        if (isOver) return
        isOver = true
        child = undefined
        if (isEnding) return
        pause = Date.now() - began > Pause.most ? Pause.first : Math.min(pause * 2, Pause.most)
        say(reasonOf())
        timer = setTimeout(start, pause).unref()
      }
      child.once('error', (error) => over(() => missing(this.#program, error).message))
      child.once('exit', (code) => over(() => (existsSync(log) && lastOf(log)) || `litestream ended with ${code}`))
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

const lastOf = (log: string): string => reasonIn(readFileSync(log, 'utf8'))

/** The reason in the last line of what Litestream said. */
function reasonIn(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  return /error="?(.+?)"?$/.exec(line)?.[1] ?? line.replace(/^Error: /, '').slice(0, 500)
}
