import { isMainThread } from 'node:worker_threads'
import { helpOf, read, UsageError } from './cli/command.ts'
import { commands, overview } from './cli/commands.ts'
import { Version } from './lib/version.ts'

/** Runs the command line; answers the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const [first = '', second = ''] = argv
  if (['--help', '-h', 'help'].includes(first)) return print(overview())
  if (['--version', '-V'].includes(first)) return print(`${Version}\n`)
  const name = Object.hasOwn(commands, `${first} ${second}`) ? `${first} ${second}` : first
  if (!Object.hasOwn(commands, name)) return unknown(first, argv.slice(1))
  const command = commands[name]!
  isService = command.isService === true
  const input = read(name, command, argv.slice(name.split(' ').length))
  return input.flag('help') ? print(`${helpOf(name, command)}\n`) : command.run(input)
}

/** No command has this name, or only together with a second word. */
function unknown(first: string, rest: readonly string[]): number {
  if (first === '') throw new UsageError('which command? cabinet --help lists them')
  if (!Object.keys(commands).some((name) => name.startsWith(`${first} `)))
    throw new UsageError(`unknown command ${first}; cabinet --help lists them`)
  if (rest.length === 0 || rest.some((word) => ['--help', '-h'].includes(word)))
    return print(overview(first), rest.length === 0 ? 2 : 0)
  throw new UsageError(`unknown command ${first} ${rest[0]}; cabinet ${first} --help lists them`)
}

function print(text: string, code = 0): number {
  process[code === 0 ? 'stdout' : 'stderr'].write(text)
  return code
}

/**
 * One line for the person who called, or one for each mistake in the configuration; all of it where the log asks for
 * everything.
 */
function fail(error: unknown): number {
  const { message = String(error), stack, name } = error as Error
  const lines = name === 'ConfigError' ? message.split('\n') : message.split('\n').slice(0, 1)
  const all = process.env.CABINET_LOG_LEVEL === 'debug' && stack ? [stack] : lines
  process.stderr.write(all.map((line) => `cabinet: ${line}\n`).join(''))
  return error instanceof UsageError || name === 'ConfigError' ? 2 : 1
}

let isService = false

/** As a thread of a running server, or as the command that the arguments name. */
function begin(): void {
  if (!isMainThread) return void import('./server/app-thread.ts')
  process.on('SIGUSR1', () => undefined) // by itself node opens its debugger, in which everything may be run
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Whoever reads has seen enough.
      if (!isService && stream === process.stdout) process.exit(code === 'EPIPE' ? 0 : 1)
    })
  main(process.argv.slice(2))
    .catch(fail)
    .then((code) => {
      process.exitCode = code
      // Lines that nobody takes do not hold the end up.
      if (isService) setTimeout(() => process.exit(code), 1000).unref()
    })
}
begin()
