import { parseArgs } from 'node:util'
import { type Config, loadConfig } from '../config.ts'

type Values = Record<string, string | boolean | undefined>

/** Parses the options that all commands share, and more of their own; `flags` take no value. */
export function parse(args: readonly string[], own: readonly string[], flags: readonly string[] = []): { values: Values; positionals: string[] } {
  const options = Object.fromEntries([
    ...['config', 'data', ...own].map((name) => [name, { type: 'string' as const }]), ...flags.map((name) => [name, { type: 'boolean' as const }]),
  ])
  return parseArgs({ args: [...args], options, allowPositionals: true }) as { values: Values; positionals: string[] }
}

/** The configuration of a command's options, the environment and the file they name. */
export function configFrom(values: Values): Config {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return loadConfig({ file: text('config') ?? process.env.CABINET_CONFIG, env: process.env, flags: { listen: text('listen'), data: text('data') } })
}
