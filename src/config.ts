import { readFileSync } from 'node:fs'
import { parse, stringify } from 'smol-toml'
import * as v from 'valibot'
import { type Config, type KeyName, keys } from './config/keys.ts'

export type { Config } from './config/keys.ts'

/** A configuration that cannot be used; the message names the key and where it was given. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Names of all keys, in the order of the documentation. */
export const configKeys = Object.keys(keys) as KeyName[]

/** A configuration of defaults only. */
export const defaults = (): Config =>
  Object.fromEntries(configKeys.map((name) => [keys[name].property, structuredClone(keys[name].preset)])) as Config

/** Name of a key's variable in the environment. Other `CABINET_…` variables are ignored: container platforms make some of their own. */
export const variableOf = (name: KeyName): string => `CABINET_${name.toUpperCase()}`

export interface Sources {
  file?: string | undefined
  env?: NodeJS.ProcessEnv
  flags?: Readonly<Partial<Record<KeyName, string | undefined>>>
}

/** Flags before environment before file before defaults. Throws `ConfigError`. */
export function loadConfig({ file, env = {}, flags = {} }: Sources = {}): Config {
  const given: Partial<Config> = {}
  const set = (name: string, value: unknown, where: string) =>
    Object.assign(given, { [keyNamed(name, where).property]: checked(name as KeyName, value, where) })
  for (const [name, value] of Object.entries(file ? readFile(file) : {})) set(name, value, file!)
  for (const name of configKeys) {
    const value = env[variableOf(name)]
    if (value !== undefined) set(name, fromText(name, value), variableOf(name))
  }
  for (const [name, value] of Object.entries(flags))
    if (value !== undefined) set(name, fromText(name as KeyName, value), `--${name}`)
  const config = { ...defaults(), ...given }
  if (Boolean(config.tlsCertificate) !== Boolean(config.tlsKey))
    throw new ConfigError('tls_certificate and tls_key go together: one of them is missing')
  return config
}

/** The configuration as a file that would give it. Secrets are left out. */
export function toToml(config: Config): string {
  const shown = configKeys.filter((name) => name !== 'API_TOKEN_PEPPERS')
  return `${stringify(Object.fromEntries(shown.map((name) => [name, config[keys[name].property]])))}\n`
}

function keyNamed(name: string, where: string): (typeof keys)[KeyName] {
  if (Object.hasOwn(keys, name)) return keys[name as KeyName]
  const meant = configKeys.find((each) => each.toLowerCase() === name.toLowerCase())
  throw new ConfigError(`${where}: unknown key ${name}${meant ? `; did you mean ${meant}?` : ''}`)
}

function checked(name: KeyName, value: unknown, where: string): unknown {
  const result = v.safeParse(keys[name].check as v.GenericSchema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const inside = v.getDotPath(issue)
  throw new ConfigError(`${where}: ${name}${inside ? ` (${inside})` : ''}: ${issue.message}`)
}

function readFile(file: string): Record<string, unknown> {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigError(`${file}: ${code === 'ENOENT' ? 'no such file' : message.split('\n')[0]}`)
  }
}

/** A value written as text, read by the type of the key's default; text that does not fit is left for the check to refuse. */
function fromText(name: KeyName, given: string): unknown {
  const preset: unknown = keys[name].preset
  if (typeof preset === 'number') return /^\s*\d+\s*$/.test(given) ? Number(given) : given
  if (typeof preset === 'boolean') return { true: true, false: false }[given.toLowerCase()] ?? given
  if (Array.isArray(preset))
    return given
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  if (typeof preset !== 'object') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
