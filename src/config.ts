import { readFileSync } from 'node:fs'
import { parse, stringify } from 'smol-toml'
import * as v from 'valibot'
import { type Config, type KeyName, keys } from './config/keys.ts'
import { textOfUtf8 } from './lib/utf8.ts'

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

/**
 * Name of a key's variable in the environment. Other `CABINET_…` variables are ignored: container platforms make some
 * of their own.
 */
const variableOf = (name: KeyName): string => `CABINET_${name.toUpperCase()}`

interface Sources {
  file?: string | undefined
  env?: NodeJS.ProcessEnv
  flags?: Readonly<Partial<Record<KeyName, string | undefined>>>
}

/**
 * Flags before environment before file before defaults. Throws `ConfigError` that names all that is wrong, a line each.
 */
export function loadConfig({ file, env = {}, flags = {} }: Sources = {}): Config {
  const given: Partial<Config> = {}
  const wrong: string[] = []
  const set = (name: string, value: unknown, where: string) => {
    try {
      Object.assign(given, { [keyNamed(name, where).property]: checked(name as KeyName, value, where) })
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      wrong.push(error.message)
    }
  }
  const read = file ? readFile(file) : { text: '', values: {} }
  for (const [name, value] of Object.entries(read.values)) set(name, value, `${file}${lineOf(read.text, name)}`)
  for (const name of configKeys) {
    const value = env[variableOf(name)]
    if (value !== undefined) set(name, fromText(name, value), variableOf(name))
  }
  for (const [name, value] of Object.entries(flags))
    if (value !== undefined) set(name, fromText(name as KeyName, value), `--${name}`)
  const config = { ...defaults(), ...given }
  if (Boolean(config.tlsCertificate) !== Boolean(config.tlsKey))
    wrong.push('tls_certificate and tls_key go together: one of them is missing')
  wrong.push(...signOnFaults(config))
  if (wrong.length) throw new ConfigError(wrong.join('\n'))
  return config
}

/** One sentence for each thing that ways to sign on lack. */
function signOnFaults(config: Config): string[] {
  const faults: string[] = []
  if (config.oidcIssuer && !config.oidcClientId) faults.push('oidc_issuer needs oidc_client_id')
  if (config.remoteAuthEnabled && config.trustedProxies.length === 0)
    faults.push('REMOTE_AUTH_ENABLED needs trusted_proxies: who may say in a header which user asks')
  if (!config.localLogin && !config.oidcIssuer && !config.remoteAuthEnabled)
    faults.push('local_login = false leaves no way in: it needs oidc_issuer or REMOTE_AUTH_ENABLED')
  return faults
}

/** Where a key stands in a file: `:7`; nothing where it is not written plainly. */
function lineOf(text: string, name: string): string {
  const at = text.split('\n').findIndex((line) => line.replace(/^\s*\[?\s*["']?/, '').startsWith(name))
  return at < 0 ? '' : `:${at + 1}`
}

/** Variables of the command line's own, and those that container platforms make of a service of this name. */
const Others = new RegExp(
  `^CABINET_(${[
    'CONFIG|KIT_PASSPHRASE|PASSWORD|RUNTIME_DIR|SOURCE_TOKEN|SUPERUSER_\\w+|TEST_\\w+',
    '(\\w+_)?PORT(_\\d+_\\w+)?|(\\w+_)?SERVICE_\\w+|(\\w+_)?TCP(_\\w+)?',
  ].join('|')})$`,
)

/** One sentence for each variable that looks like a key of ours and is none. */
export function strayVariables(env: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>(configKeys.map(variableOf))
  return Object.keys(env)
    .filter((name) => name.startsWith('CABINET_') && !known.has(name) && !Others.test(name))
    .sort()
    .map((name) => `${name} is not a key of the configuration, and counts for nothing`)
}

/** Keys whose values are secrets. */
const Secret: ReadonlySet<KeyName> = new Set(['API_TOKEN_PEPPERS', 'metrics_token', 'oidc_client_secret'])

/** The configuration as a file that would give it. Secrets are left out. */
export function toToml(config: Config): string {
  const shown = configKeys.filter((name) => !Secret.has(name))
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

function readFile(file: string): { text: string; values: Record<string, unknown> } {
  try {
    const text = textOfUtf8(readFileSync(file))
    return { text, values: parse(text) }
  } catch (error) {
    const { code, message, line } = error as NodeJS.ErrnoException & { line?: number }
    const where = line === undefined ? file : `${file}:${line}`
    throw new ConfigError(`${where}: ${code === 'ENOENT' ? 'no such file' : message.split('\n')[0]}`)
  }
}

/**
 * A value written as text, read by the type of the key's default; text that does not fit is left for the check to
 * refuse.
 */
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
