import { fstatSync, writeFile, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Config } from '../config.ts'

interface RequestLine {
  request_id: string
  /** Address of who asks. */
  client: string
  user: string
  method: string
  path: string
  status: number
  ms: number
}

/**
 * Milliseconds that a line waits for others: each write is a call of the system, and of another thread where it goes to
 * a file.
 */
const GatherTime = 20

/** Characters that may wait for a reader who is slow; further lines are counted and dropped. */
const MaxWaiting = 4_194_304

let waiting = ''
let lines = 0
let lost = 0
let isWriting = false
let isTold = false

/**
 * One line for a request, as JSON or text, which says so when it was slow, with what `causes` then answers; lines of
 * some milliseconds are written together.
 */
export function log(config: Config, line: RequestLine, causes: () => readonly object[] = () => []): void {
  const isFailure = line.status >= 500
  const isSlow = config.logSlowMs > 0 && line.ms >= config.logSlowMs
  const level = isFailure ? 'error' : isSlow ? 'warning' : 'info'
  if (!isWanted(config, level)) return
  const ms = Math.round(line.ms * 100) / 100
  const statements = isSlow ? causes() : []
  const time = new Date().toISOString()
  if (config.logFormat === 'json') {
    const slow = { ...(isSlow ? { slow: true } : undefined), ...(statements.length ? { statements } : undefined) }
    add(`${JSON.stringify({ time, level, ...line, ms, ...slow })}\n`, config)
  } else {
    const { status, method, path, client, user, request_id } = line
    const taken = `${ms} ms${isSlow ? ' slow' : ''}`
    const cause = statements.length ? ` ${JSON.stringify(statements)}` : ''
    add(`${time} ${status} ${method} ${path} ${taken} ${client || '-'} ${user || '-'} ${request_id}${cause}\n`, config)
  }
}

/** Levels from the least to the most. */
const Levels = ['debug', 'info', 'warning', 'error', 'none'] as const
const isWanted = ({ logLevel }: Config, level: (typeof Levels)[number]): boolean =>
  Levels.indexOf(level) >= Levels.indexOf(logLevel as (typeof Levels)[number])

/** One line for something an administrator should see. `facts` are texts and numbers, added to it by name. */
export function logWarning(config: Config, message: string, facts: object): void {
  if (!isWanted(config, 'warning')) return
  add(warningLine(config, message, facts), config)
}

/** Writes to the standard error of a server, which goes on when nobody reads that. */
export function complain(text: string): void {
  if (process.stderr.writableLength < MaxWaiting) process.stderr.write(text)
}

function warningLine({ logFormat }: Config, message: string, facts: object): string {
  const time = new Date().toISOString()
  return logFormat === 'json'
    ? `${JSON.stringify({ time, level: 'warning', message, ...facts })}\n`
    : `${time} warning: ${message} ${JSON.stringify(facts)}\n`
}

function add(line: string, config: Config): void {
  if (waiting.length > MaxWaiting) {
    lost++
    return
  }
  waiting += line
  lines++
  if (isWriting) return
  isWriting = true
  setTimeout(flush, GatherTime, config)
  if (!isEndSeenTo) process.on('exit', writeRest)
  isEndSeenTo = true
}

let isEndSeenTo = false
/** The thread or the server ends: what still waits is written at once, as far as it is taken. */
function writeRest(): void {
  try {
    if (waiting !== '') writeSync(1, waiting)
  } catch (error) {
    tell(error as NodeJS.ErrnoException)
  }
}

/**
 * Writes what waits, and then what came meanwhile: one write at a time, none of which can hold up a request or end the
 * server.
 */
function flush(config: Config): void {
  const [text, count] = [waiting, lines]
  waiting = ''
  lines = 0
  write(text, (error) => {
    isWriting = false
    if (error) {
      lost += count
      tell(error)
    } else if (lost > 0) {
      const missed = lost
      lost = 0
      add(warningLine(config, 'lines of the log were lost', { lines: missed }), config)
    }
    if (waiting !== '' && !isWriting) {
      isWriting = true
      setTimeout(flush, GatherTime, config)
    }
  })
}

/** Says once that the log cannot be written. */
function tell(error: NodeJS.ErrnoException): void {
  if (isTold) return
  isTold = true
  complain(`cabinet: the log cannot be written (${error.code ?? error.message}); requests are answered without it\n`)
}

let isFile: boolean | undefined
/** A file is written to in a thread, a pipe or terminal as far as it takes the text; the callback comes after that. */
function write(text: string, done: (error?: NodeJS.ErrnoException | null) => void): void {
  isFile ??= isPlainFile(1)
  if (isFile) writeFile(1, text, done)
  else process.stdout.write(text, done)
}

function isPlainFile(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor)
    return stat.isFile() || (stat.isCharacterDevice() && !isatty(descriptor))
  } catch {
    return false // closed by whoever started the server
  }
}
