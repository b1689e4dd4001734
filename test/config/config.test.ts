import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'smol-toml'
import { ConfigError, configKeys, defaults, loadConfig, strayVariables, toToml } from '../../src/config.ts'
import { parseListen } from '../../src/config/listen.ts'

const example = join(import.meta.dirname, '../../config.example.toml')
const folder = mkdtempSync(join(tmpdir(), 'cabinet-config-'))
after(() => rmSync(folder, { recursive: true }))

/** A file with this text. */
const fileOf = (text: string): string => {
  const file = join(folder, 'cabinet.toml')
  writeFileSync(file, text)
  return file
}

test('the example documents every key with its default', () => {
  assert.deepEqual(loadConfig({ file: example }), defaults())
  assert.deepEqual(Object.keys(parse(readFileSync(example, 'utf8'))).sort(), [...configKeys].sort())
})

test('flags before environment before file before defaults', () => {
  const file = fileOf('PAGINATE_COUNT = 10\nMAX_PAGE_SIZE = 20\nlisten = "127.0.0.1:1"\n')
  const config = loadConfig({
    file,
    env: { CABINET_PAGINATE_COUNT: '30', CABINET_LISTEN: '127.0.0.1:2', CABINET_PORT: 'tcp://10.0.0.1:80' },
    flags: { listen: '127.0.0.1:3', data: undefined },
  })
  assert.deepEqual(
    [config.paginateCount, config.maxPageSize, config.listen, config.data],
    [30, 20, '127.0.0.1:3', './data'],
  )
})

test('the environment writes lists with commas and tables as JSON', () => {
  const { trustedProxies, loginRequired, defaultPermissions } = loadConfig({
    env: {
      CABINET_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      CABINET_LOGIN_REQUIRED: 'False',
      CABINET_DEFAULT_PERMISSIONS: '{"dcim.view_site": [{"status": "active"}]}',
    },
  })
  assert.deepEqual(trustedProxies, ['10.0.0.0/8', '::1'])
  assert.equal(loginRequired, false)
  assert.deepEqual(defaultPermissions, { 'dcim.view_site': [{ status: 'active' }] })
})

const refused: [text: string, message: RegExp][] = [
  ['PAGINATE_COUT = 10', /cabinet\.toml:1: unknown key PAGINATE_COUT$/],
  ['paginate_count = 10', /unknown key paginate_count; did you mean PAGINATE_COUNT\?/],
  ['__proto__ = 1', /unknown key __proto__/],
  ['PAGINATE_COUNT = "many"', /PAGINATE_COUNT: .*number/],
  ['PAGINATE_COUNT = 0', /PAGINATE_COUNT: must be at least 1/],
  ['MAX_PAGE_SIZE = -1', /MAX_PAGE_SIZE: must not be negative/],
  ['listen = "8080"', /listen: must be ADDRESS:PORT/],
  ['base_path = "/x/"', /base_path: must be empty/],
  ['trusted_proxies = ["10.0.0.0/8", "proxy"]', /trusted_proxies \(1\): must be an address/],
  ['TIME_ZONE = "Mars/Olympus"', /TIME_ZONE: must be the name of a time zone/],
  ['log_format = "xml"', /log_format: /],
  ['tls_key = "key.pem"', /tls_certificate and tls_key go together/],
  ['[API_TOKEN_PEPPERS]\n1 = "short"', /API_TOKEN_PEPPERS \(1\): must have at least 50/],
  ['[DEFAULT_PERMISSIONS]\n"view site" = []', /DEFAULT_PERMISSIONS.*must be named/],
  ['listen = ', /cabinet\.toml:1: /],
]

for (const [text, message] of refused) {
  test(`refused: ${text.replace('\n', ' ')}`, () => {
    assert.throws(
      () => loadConfig({ file: fileOf(text) }),
      (error: Error) => error instanceof ConfigError && message.test(error.message) && !error.message.includes('\n'),
    )
  })
}

test('a bad value in the environment or a flag is named', () => {
  assert.throws(() => loadConfig({ env: { CABINET_MAX_PAGE_SIZE: '1e3' } }), /CABINET_MAX_PAGE_SIZE: MAX_PAGE_SIZE/)
  assert.throws(() => loadConfig({ flags: { listen: 'x' } }), /--listen: listen/)
  assert.throws(() => loadConfig({ file: join(folder, 'none.toml') }), /none\.toml: no such file/)
})

test('what is printed loads again, without secrets', () => {
  const config = { ...defaults(), paginateCount: 7, exemptViewPermissions: ['*'], peppers: { 1: 's'.repeat(50) } }
  const text = toToml(config)
  assert.ok(!text.includes('sss'))
  assert.deepEqual(loadConfig({ file: fileOf(text) }), { ...config, peppers: {} })
})

test('addresses to listen on', () => {
  assert.deepEqual(parseListen('127.0.0.1:80'), { host: '127.0.0.1', port: 80 })
  assert.deepEqual(parseListen('[::1]:0'), { host: '::1', port: 0 })
  assert.deepEqual(parseListen(':8080'), { host: undefined, port: 8080 })
  for (const bad of ['', '80', '::1:80', '1.2.3.4', 'host:65536', 'host:x'])
    assert.equal(parseListen(bad), undefined, bad)
})

test('a file that is no text in UTF-8 is refused, not read with other characters', () => {
  const file = join(folder, 'latin.toml')
  writeFileSync(file, Buffer.from('BANNER_TOP = "Köln"\n', 'latin1'))
  assert.throws(() => loadConfig({ file }), /latin\.toml: This is not text in UTF-8\./)
})

test('all that is wrong is named at once, with its line; stray variables are named too', () => {
  const file = fileOf('PAGINATE_COUNT = 0\n\nlisten = "8080"\nNOTHING = 1\n')
  assert.throws(
    () => loadConfig({ file, env: { CABINET_MAX_PAGE_SIZE: 'x' } }),
    ({ message }: Error) =>
      /toml:1: PAGINATE_COUNT: .*\n.*toml:3: listen: .*\n.*toml:4: unknown key NOTHING\nCABINET_MAX_PAGE_SIZE: /.test(
        message,
      ),
  )
  const env = {
    CABINET_LISTN: 'x',
    CABINET_PORT_80_TCP: 'x',
    CABINET_SERVICE_HOST: 'x',
    CABINET_LISTEN: ':1',
    HOME: '/',
  }
  assert.deepEqual(strayVariables(env), ['CABINET_LISTN is not a key of the configuration, and counts for nothing'])
})
