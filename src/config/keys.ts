import * as v from 'valibot'
import { parseAddress } from '../lib/ip.ts'
import type { RuleSets } from '../store/custom-rules.ts'
import { parseListen } from './listen.ts'

/** One key of the configuration file: the property it sets, the check of its value, and its default. */
interface Key<P extends string, T> {
  property: P
  check: v.GenericSchema<T>
  preset: T
}
const key = <const P extends string, T>(property: P, check: v.GenericSchema<T>, preset: NoInfer<T>): Key<P, T> => ({
  property,
  check,
  preset,
})

const text = v.string()
const flag = v.boolean()
const whole = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0, 'must not be negative'))
const positive = v.pipe(whole, v.minValue(1, 'must be at least 1'))
const percent = v.pipe(positive, v.maxValue(100, 'must be at most 100'))
const listen = v.pipe(
  text,
  v.check(
    (given) => parseListen(given) !== undefined,
    'must be ADDRESS:PORT, such as "127.0.0.1:8080" or "[::1]:8080"',
  ),
)
const path = v.pipe(text, v.regex(/^(\/[^/\s]+)*$/, 'must be empty, or begin with a slash and not end with one'))
const networks = v.array(
  v.pipe(
    text,
    v.check((given) => parseAddress(given) !== undefined, 'must be an address or a network, such as "10.0.0.0/8"'),
  ),
)
const folders = v.array(v.pipe(text, v.regex(/^\//, 'must be an absolute path')))
const timeZone = v.pipe(text, v.check(isTimeZone, 'must be the name of a time zone, such as "Europe/Berlin"'))
const modelNames = v.array(v.pipe(text, v.regex(/^(\*|[a-z]+\.[a-z]+)$/, 'must be "*" or "app.model"')))
const peppers = v.record(
  v.pipe(text, v.regex(/^(0|[1-9]\d{0,3})$/, 'must be named by a number from 0 to 9999')),
  v.pipe(text, v.minLength(50, 'must have at least 50 characters')),
)
const permission = v.pipe(text, v.regex(/^[a-z]+\.[a-z_]+_[a-z]+$/, 'must be named "app.action_model"'))
const permissions = v.record(
  permission,
  v.array(v.record(text, v.unknown(), 'must be a list of constraint tables'), 'must be a list of constraint tables'),
)

const rules = v.record(
  v.pipe(text, v.regex(/^[a-z]+\.[a-z]+$/, 'must be named "app.model"')),
  v.array(
    v.record(text, v.record(text, v.unknown(), 'must be a table of limits'), 'must be a table of fields'),
    'must be a list of tables',
  ),
)

const names = v.array(v.pipe(text, v.nonEmpty('must not be empty')))
const header = v.pipe(text, v.regex(/^[\w-]+$/, 'must be the name of a header'))
const someRows = v.record(
  permission,
  v.nullable(v.union([v.record(text, v.unknown()), v.array(v.record(text, v.unknown()))])),
)
const issuer = v.pipe(
  text,
  v.check((given) => given === '' || isIssuer(given), 'must be empty, or the https:// address of a provider'),
)

/** Permissions that every user has by default, on their own rows. */
const ownRows: Record<string, Record<string, unknown>[]> = Object.fromEntries(
  ['extras.bookmark', 'extras.notification', 'extras.subscription', 'users.token'].flatMap((model) =>
    ['view', 'add', 'change', 'delete'].map((action) => [model.replace('.', `.${action}_`), [{ user: '$user' }]]),
  ),
)

/** Where machines in clouds and on a link find what is theirs alone: credentials, above all. */
const LinkLocalAndMetadata = [
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
]

/** Every key of the configuration file. */
export const keys = {
  listen: key('listen', listen, '127.0.0.1:8080'),
  data: key('data', v.pipe(text, v.nonEmpty('must name a folder')), './data'),
  tls_certificate: key('tlsCertificate', text, ''),
  tls_key: key('tlsKey', text, ''),
  hsts_seconds: key('hstsSeconds', whole, 31_536_000),
  base_path: key('basePath', path, ''),
  trusted_proxies: key('trustedProxies', networks, []),
  max_body_bytes: key('maxBodyBytes', positive, 2_621_440),
  max_upload_bytes: key('maxUploadBytes', positive, 33_554_432),
  max_upload_bytes_per_day: key('maxUploadBytesPerDay', whole, 0),
  max_uploads_bytes: key('maxUploadsBytes', whole, 0),
  max_bytes_in_flight: key('maxBytesInFlight', positive, 268_435_456),
  max_connections_per_address: key('maxConnectionsPerAddress', whole, 256),
  max_requests_per_address: key('maxRequestsPerAddress', whole, 0),
  max_requests_per_token: key('maxRequestsPerToken', whole, 0),
  header_timeout: key('headerTimeout', positive, 20),
  body_timeout: key('bodyTimeout', positive, 120),
  workers: key('workers', v.pipe(whole, v.maxValue(64, 'must be at most 64')), 4),
  max_bulk_items: key('maxBulkItems', positive, 5000),

  GRAPHQL_ENABLED: key('graphqlEnabled', flag, true),
  GRAPHQL_DEFAULT_VERSION: key('graphqlDefaultVersion', positive, 1),
  GRAPHQL_MAX_ALIASES: key('graphqlMaxAliases', whole, 10),
  GRAPHQL_MAX_QUERY_DEPTH: key('graphqlMaxQueryDepth', whole, 0),
  graphql_max_rows: key('graphqlMaxRows', positive, 250_000),
  graphql_timeout: key('graphqlTimeout', positive, 30),

  report_processes: key('reportProcesses', v.pipe(whole, v.maxValue(16, 'must be at most 16')), 2),
  report_timeout: key('reportTimeout', positive, 5),
  report_max_rows: key('reportMaxRows', positive, 10_000),

  PAGINATE_COUNT: key('paginateCount', positive, 50),
  MAX_PAGE_SIZE: key('maxPageSize', whole, 1000),
  TIME_ZONE: key('timeZone', timeZone, 'UTC'),

  LOGIN_REQUIRED: key('loginRequired', flag, true),
  LOGIN_TIMEOUT: key('loginTimeout', positive, 1_209_600),
  login_attempts_per_name: key('loginAttemptsPerName', whole, 5),
  login_attempts_per_address: key('loginAttemptsPerAddress', whole, 20),
  login_delay_max: key('loginDelayMax', positive, 300),
  session_cookie_secure: key('sessionCookieSecure', flag, false),
  local_login: key('localLogin', flag, true),
  REMOTE_AUTH_ENABLED: key('remoteAuthEnabled', flag, false),
  REMOTE_AUTH_HEADER: key('remoteAuthHeader', header, 'HTTP_REMOTE_USER'),
  REMOTE_AUTH_AUTO_CREATE_USER: key('remoteAuthCreateUser', flag, false),
  REMOTE_AUTH_AUTO_CREATE_GROUPS: key('remoteAuthCreateGroups', flag, false),
  REMOTE_AUTH_GROUP_SYNC_ENABLED: key('remoteAuthGroupSync', flag, false),
  REMOTE_AUTH_GROUP_HEADER: key('remoteAuthGroupHeader', header, 'HTTP_REMOTE_USER_GROUP'),
  REMOTE_AUTH_GROUP_SEPARATOR: key('remoteAuthGroupSeparator', v.pipe(text, v.nonEmpty('must not be empty')), '|'),
  REMOTE_AUTH_DEFAULT_GROUPS: key('remoteAuthDefaultGroups', names, []),
  REMOTE_AUTH_DEFAULT_PERMISSIONS: key('remoteAuthDefaultPermissions', someRows, {}),
  REMOTE_AUTH_SUPERUSER_GROUPS: key('remoteAuthSuperuserGroups', names, []),
  REMOTE_AUTH_SUPERUSERS: key('remoteAuthSuperusers', names, []),
  REMOTE_AUTH_STAFF_GROUPS: key('remoteAuthStaffGroups', names, []),
  REMOTE_AUTH_STAFF_USERS: key('remoteAuthStaffUsers', names, []),
  REMOTE_AUTH_USER_EMAIL: key('remoteAuthEmail', header, 'HTTP_REMOTE_USER_EMAIL'),
  REMOTE_AUTH_USER_FIRST_NAME: key('remoteAuthFirstName', header, 'HTTP_REMOTE_USER_FIRST_NAME'),
  REMOTE_AUTH_USER_LAST_NAME: key('remoteAuthLastName', header, 'HTTP_REMOTE_USER_LAST_NAME'),
  oidc_issuer: key('oidcIssuer', issuer, ''),
  oidc_client_id: key('oidcClientId', text, ''),
  oidc_client_secret: key('oidcClientSecret', text, ''),
  oidc_name: key('oidcName', v.pipe(text, v.nonEmpty('must not be empty'), v.maxLength(60)), 'OpenID'),
  oidc_scopes: key('oidcScopes', names, ['openid', 'profile', 'email']),
  oidc_username_claim: key('oidcUsernameClaim', text, 'preferred_username'),
  oidc_create_users: key('oidcCreateUsers', flag, true),
  oidc_take_existing: key('oidcTakeExisting', flag, false),
  oidc_groups_claim: key('oidcGroupsClaim', text, 'groups'),
  oidc_groups: key(
    'oidcGroups',
    v.picklist(['none', 'match', 'create'], 'must be "none", "match" or "create"'),
    'none',
  ),
  oidc_allowed_groups: key('oidcAllowedGroups', names, []),
  oidc_superuser_groups: key('oidcSuperuserGroups', names, []),
  oidc_timeout: key('oidcTimeout', v.pipe(positive, v.maxValue(60, 'must be at most 60')), 10),
  EXEMPT_VIEW_PERMISSIONS: key('exemptViewPermissions', modelNames, []),
  DEFAULT_PERMISSIONS: key('defaultPermissions', permissions, ownRows),
  API_TOKEN_PEPPERS: key('peppers', peppers, {}),
  MAINTENANCE_MODE: key('maintenanceMode', flag, false),

  ENFORCE_GLOBAL_UNIQUE: key('enforceGlobalUnique', flag, true),
  PREFER_IPV4: key('preferIpv4', flag, false),
  RACK_ELEVATION_DEFAULT_UNIT_WIDTH: key('rackElevationUnitWidth', positive, 220),
  RACK_ELEVATION_DEFAULT_UNIT_HEIGHT: key('rackElevationUnitHeight', positive, 22),
  POWERFEED_DEFAULT_VOLTAGE: key('powerfeedVoltage', positive, 120),
  POWERFEED_DEFAULT_AMPERAGE: key('powerfeedAmperage', positive, 15),
  POWERFEED_DEFAULT_MAX_UTILIZATION: key('powerfeedMaxUtilization', percent, 80),
  CUSTOM_VALIDATORS: key('customValidators', rules as v.GenericSchema<RuleSets>, {}),
  PROTECTION_RULES: key('protectionRules', rules as v.GenericSchema<RuleSets>, {}),
  CHANGELOG_RETENTION: key('changelogRetention', whole, 90),
  past_copies: key('pastCopies', whole, 3),
  past_max_bytes: key('pastMaxBytes', positive, 4_294_967_296),
  JOB_RETENTION: key('jobRetention', whole, 90),

  webhook_timeout: key('webhookTimeout', positive, 10),
  webhook_retries: key('webhookRetries', whole, 10),
  webhook_backoff: key('webhookBackoff', positive, 5),
  webhook_denied_networks: key('webhookDeniedNetworks', networks, LinkLocalAndMetadata),
  data_source_paths: key('dataSourcePaths', folders, []),

  metrics_token: key(
    'metricsToken',
    v.pipe(text, v.regex(/^(\S{16,})?$/, 'must be empty, or at least 16 characters without spaces')),
    '',
  ),
  backup_every: key('backupEvery', v.pipe(whole, v.maxValue(8760, 'must be at most 8760')), 0),
  backup_keep: key('backupKeep', positive, 7),
  backup_folder: key('backupFolder', text, ''),
  disk_reserve: key('diskReserve', whole, 268_435_456),
  litestream: key('litestream', v.pipe(text, v.nonEmpty('must name a program')), 'litestream'),
  follow_max_age: key('followMaxAge', positive, 60),

  log_level: key('logLevel', v.picklist(['debug', 'info', 'warning', 'error', 'none']), 'info'),
  log_slow_ms: key('logSlowMs', whole, 1000),
  log_format: key('logFormat', v.picklist(['json', 'text']), 'json'),
}

export type KeyName = keyof typeof keys
type AnyKey = (typeof keys)[KeyName]

/** The configuration in force. */
export type Config = { [K in AnyKey as K['property']]: K['preset'] }

/** Plain http is for a provider on this machine: elsewhere it would carry passwords and tokens in the clear. */
function isIssuer(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { protocol, hostname, search, hash } = new URL(given)
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return search === '' && hash === '' && (protocol === 'https:' || (protocol === 'http:' && isHere))
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false // unknown to ICU
  }
}
