import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as v from 'valibot'

const text = v.string()
const whole = v.pipe(v.number(), v.integer(), v.minValue(0))
const flag = v.boolean()
const texts = v.array(v.string())

/** Permissions that every user has by default, on their own rows (GLOBAL 13). */
const OwnRows = Object.fromEntries(['extras.bookmark', 'extras.notification', 'extras.subscription', 'users.token'].flatMap((model) =>
  ['view', 'add', 'change', 'delete'].map((action) => [model.replace('.', `.${action}_`), [{ user: '$user' }]])))

/** Every key of the configuration file: its property, its check and its default. */
const Keys = {
  listen: ['listen', text, '127.0.0.1:8080'],
  data: ['data', text, './data'],
  tls_certificate: ['tlsCertificate', text, ''],
  tls_key: ['tlsKey', text, ''],
  base_path: ['basePath', v.pipe(text, v.regex(/^(\/[^/\s]+)*$/, 'must be empty or begin with a slash and not end with one')), ''],
  trusted_proxies: ['trustedProxies', texts, [] as string[]],
  max_body_bytes: ['maxBodyBytes', whole, 16_777_216],
  max_upload_bytes: ['maxUploadBytes', whole, 33_554_432],
  PAGINATE_COUNT: ['paginateCount', v.pipe(whole, v.minValue(1)), 50],
  MAX_PAGE_SIZE: ['maxPageSize', whole, 1000],
  LOGIN_REQUIRED: ['loginRequired', flag, true],
  LOGIN_TIMEOUT: ['loginTimeout', whole, 1_209_600],
  EXEMPT_VIEW_PERMISSIONS: ['exemptViewPermissions', texts, [] as string[]],
  DEFAULT_PERMISSIONS: ['defaultPermissions', v.record(text, v.array(v.record(text, v.unknown()))), OwnRows as Record<string, Record<string, unknown>[]>],
  MAINTENANCE_MODE: ['maintenanceMode', flag, false],
  ENFORCE_GLOBAL_UNIQUE: ['enforceGlobalUnique', flag, true],
  PREFER_IPV4: ['preferIpv4', flag, false],
  CHANGELOG_RETENTION: ['changelogRetention', whole, 90],
  JOB_RETENTION: ['jobRetention', whole, 90],
  API_TOKEN_PEPPERS: ['peppers', v.record(v.pipe(text, v.regex(/^\d+$/)), v.pipe(text, v.minLength(50))), {} as Record<string, string>],
  log_level: ['logLevel', v.picklist(['debug', 'info', 'warning', 'error', 'none']), 'info' as 'debug' | 'info' | 'warning' | 'error' | 'none'],
  log_format: ['logFormat', v.picklist(['json', 'text']), 'json' as 'json' | 'text'],
} as const

type Entry = (typeof Keys)[keyof typeof Keys]
/** The configuration in force. */
export type Config = { -readonly [E in Entry as E[0]]: E[2] extends boolean ? boolean : E[2] extends readonly never[] ? string[] : E[2] extends number ? number : E[2] extends '' | '127.0.0.1:8080' | './data' ? string : E[2] }

/** A configuration that cannot be used; the message names the key. */
export class ConfigError extends Error {}

/** The configuration with every default. */
export const defaults = (): Config => Object.fromEntries(Object.values(Keys).map(([name, , value]) => [name, value])) as Config

/** Names of the keys of the file, in the order of the documentation. */
export const configKeys = Object.keys(Keys) as (keyof typeof Keys)[]

/** Flags before environment (`CABINET_<KEY>`) before file before defaults. Throws `ConfigError`. */
export function loadConfig(options: { file?: string | undefined; env?: NodeJS.ProcessEnv; flags?: Record<string, string | undefined> } = {}): Config {
  const config = defaults() as unknown as Record<string, unknown>
  const put = (key: string, value: unknown, where: string) => {
    const entry = Keys[key as keyof typeof Keys]
    if (!entry) throw new ConfigError(`${where}: unknown key ${key}`)
    const checked = v.safeParse(entry[1] as v.GenericSchema, value)
    if (!checked.success) throw new ConfigError(`${where}: ${key}: ${checked.issues[0].message}`)
    config[entry[0]] = checked.output
  }
  for (const [key, value] of Object.entries(options.file ? readFile(options.file) : {})) put(key, value, options.file!)
  for (const key of configKeys) {
    const given = options.env?.[`CABINET_${key.toUpperCase()}`]
    if (given !== undefined) put(key, fromText(key, given), `CABINET_${key.toUpperCase()}`)
  }
  for (const [key, given] of Object.entries(options.flags ?? {})) if (given !== undefined) put(key, fromText(key as keyof typeof Keys, given), `--${key}`)
  return config as unknown as Config
}

function readFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) throw new ConfigError(`${file}: no such file`)
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(`${file}: ${(error as Error).message.split('\n')[0]}`)
  }
}

/** A value written as text, by the type of its default. */
function fromText(key: keyof typeof Keys, given: string): unknown {
  const preset = Keys[key]?.[2]
  if (typeof preset === 'number') return given.trim() === '' ? Number.NaN : Number(given)
  if (typeof preset === 'boolean') return given === 'true' ? true : given === 'false' ? false : given
  if (Array.isArray(preset)) return given.split(',').map((part) => part.trim()).filter(Boolean)
  if (typeof preset === 'object') {
    try {
      return JSON.parse(given)
    } catch {
      return given
    }
  }
  return given
}
