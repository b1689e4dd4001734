import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { keepOwner } from '../lib/owner.ts'

/** An option of a command; with `value` it takes one, and this is its name in the help. */
interface Option {
  value?: string
  help: string
}

/** One command of the command line: what it takes, and what it does. */
export interface Command {
  summary: string
  /** Names of what follows the command, all of it required, and of what may follow that. */
  operands?: readonly string[]
  optional?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** True: it goes on when nobody reads what it prints. */
  isService?: boolean
  /** More for `--help`: paragraphs, with empty lines between. */
  details?: string
  /** Answers the exit code: 0 when all is well, 1 when not. */
  run: (input: Input) => Promise<number> | number
}

/** What a command was called with. */
export interface Input {
  operands: readonly string[]
  text: (option: string) => string | undefined
  flag: (option: string) => boolean
  /** The configuration of the options, the environment and the file they name. */
  config: () => Promise<Config>
}

/** A command that was called wrongly: exit code 2. */
export class UsageError extends Error {}

const common: Readonly<Record<string, Option>> = {
  config: { value: 'FILE', help: 'configuration file (default: $CABINET_CONFIG, or none)' },
  data: { value: 'DIR', help: 'data folder (default: ./data)' },
  help: { help: 'print this' },
}

/** The option of commands that can print for programs. */
export const json = { json: { help: 'as JSON, for programs' } }

/** Options of a command by name, with those that all commands have. */
export const optionsOf = (command: Command): Readonly<Record<string, Option>> => ({ ...command.options, ...common })

/** Reads the arguments of a command. Throws `UsageError`. */
export function read(name: string, command: Command, args: readonly string[]): Input {
  const { values, positionals } = parsed(name, command, args)
  const wanted = command.operands ?? []
  if (values.help !== true && positionals.length < wanted.length)
    throw new UsageError(`${wanted[positionals.length]} is missing; usage: ${usageOf(name, command)}`)
  const most = wanted.length + (command.optional?.length ?? 0)
  if (positionals.length > most)
    throw new UsageError(`unexpected ${positionals[most]}; usage: ${usageOf(name, command)}`)
  const text = (option: string) => (typeof values[option] === 'string' ? values[option] : undefined)
  const config = async () => {
    const { loadConfig, strayVariables } = await import('../config.ts')
    for (const line of strayVariables(process.env)) process.stderr.write(`warning: ${line}\n`)
    const config = loadConfig({
      file: text('config') ?? process.env.CABINET_CONFIG,
      env: process.env,
      flags: { listen: text('listen'), data: text('data') },
    })
    keepOwner(config.data)
    return config
  }
  return { operands: positionals, text, flag: (option) => values[option] === true, config }
}

function parsed(
  name: string,
  command: Command,
  args: readonly string[],
): { values: Record<string, unknown>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([option, { value }]) => [
      option,
      { type: value ? ('string' as const) : ('boolean' as const), ...(option === 'help' ? { short: 'h' } : {}) },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}; cabinet ${name} --help says more`)
  }
}

/** How a command is called, in one line. */
export const usageOf = (name: string, { operands = [], optional = [], options }: Command): string =>
  ['cabinet', name, ...operands, ...optional.map((word) => `[${word}]`), ...(options ? ['[OPTIONS]'] : [])].join(' ')

/** What `--help` prints for a command. */
export function helpOf(name: string, command: Command): string {
  const rows = Object.entries(optionsOf(command)).map(
    ([option, { value, help }]) => [`--${option}${value ? ` ${value}` : ''}`, help] as const,
  )
  const width = Math.max(...rows.map(([form]) => form.length)) + 2
  const lines = rows.map(([form, help]) => `  ${form.padEnd(width)}${help}`)
  return [
    `${usageOf(name, command)}\n\n${capital(command.summary)}.`,
    ...(command.details ? [wrapped(command.details)] : []),
    lines.join('\n'),
  ].join('\n\n')
}

/** Paragraphs in lines that a terminal shows whole; they stay within what is easily read. */
export function wrapped(text: string, width = Math.min(process.stdout.columns ?? Widest, Widest)): string {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line && line.length + 1 + word.length > width) {
        lines.push(line)
        line = word
      } else line = line ? `${line} ${word}` : word
    }
    lines.push(line)
  }
  return lines.join('\n')
}
const Widest = 100

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
