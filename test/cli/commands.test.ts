import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'smol-toml'
import { wrapped } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { run, scratch } from '../support/cli.ts'

const folder = scratch()

test('every command has help, and the overview names it', async () => {
  const overview = await run(['--help'])
  assert.equal(overview.code, 0)
  for (const name of Object.keys(commands)) assert.ok(overview.stdout.includes(`cabinet ${name}`), name)
  const helps = await Promise.all(Object.keys(commands).map((name) => run([...name.split(' '), '--help'])))
  for (const { code, stdout, stderr } of helps)
    assert.ok(
      code === 0 && stderr === '' && stdout.startsWith('cabinet ') && stdout.includes('--data DIR'),
      stdout + stderr,
    )
})

test('help keeps paragraphs apart and lines within what a terminal shows', async () => {
  const { stdout } = await run(['push', '--help'])
  const [, , ...paragraphs] = stdout.split('\n\n')
  assert.ok(paragraphs.length >= 3, stdout)
  for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line)
  assert.equal(wrapped('one two three\n\nfour', 8), 'one two\nthree\n\nfour')
})

test('the overview shows commands by what they are about', async () => {
  const { stdout } = await run(['--help'])
  const titles = stdout.split('\n').filter((line) => /^[A-Z][^.:]+$/.test(line))
  assert.equal(titles.length, 6, stdout)
  const { stdout: some } = await run(['kit', '--help'])
  assert.match(some, /^Work without a network\n( {2}cabinet kit .+\n)+$/m)
})

const wrong: [args: string[], message: RegExp][] = [
  [[], /which command\?/],
  [['fly'], /unknown command fly/],
  [['user', 'fly'], /unknown command user fly/],
  [['toString'], /unknown command toString/],
  [['serve', '--fast'], /Unknown option '--fast'/],
  [['serve', '--listen'], /--listen/],
  [['serve', 'now'], /unexpected now/],
  [['serve', '--listen', '8080'], /--listen: listen: must be ADDRESS:PORT/],
  [['serve', '--source', 'https://x.example'], /--source goes with --follow/],
  [['serve', '--set-aside'], /--set-aside goes with --follow/],
  [['user', 'add'], /NAME is missing; usage: cabinet user add NAME/],
  [['backup'], /FILE is missing/],
  [['token', 'revoke', 'x'], /x is not the id of a token/],
  [['config', '--config', '/none.toml'], /\/none\.toml: no such file/],
]

for (const [args, message] of wrong) {
  test(`exit code 2 and one line: cabinet ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await run(args)
    assert.deepEqual([code, stdout], [2, ''], stderr)
    assert.match(stderr, /^cabinet: [^\n]+\n$/)
    assert.match(stderr, message)
  })
}

test('a folder without a database is exit code 1, and stays as it was', async () => {
  const data = join(folder, 'none')
  for (const args of [['user', 'list'], ['token', 'list'], ['check'], ['backup', join(folder, 'x')]]) {
    const { code, stderr } = await run([...args, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^cabinet: .*holds no database.*\n$/)
  }
})

test('config prints what is in force', async () => {
  const file = join(folder, 'cabinet.toml')
  writeFileSync(
    file,
    'PAGINATE_COUNT = 7\n[API_TOKEN_PEPPERS]\n1 = "0123456789012345678901234567890123456789012345678901"\n',
  )
  const { code, stdout } = await run(['config', '--data', '/srv/x'], {
    env: { CABINET_CONFIG: file, CABINET_MAX_PAGE_SIZE: '70' },
  })
  const { PAGINATE_COUNT, MAX_PAGE_SIZE, data, API_TOKEN_PEPPERS } = parse(stdout)
  assert.deepEqual([code, PAGINATE_COUNT, MAX_PAGE_SIZE, data, API_TOKEN_PEPPERS], [0, 7, 70, '/srv/x', undefined])
})

test('config names what no server would take, and permissions that allow nothing', async () => {
  const file = join(folder, 'names.toml')
  writeFileSync(
    file,
    `EXEMPT_VIEW_PERMISSIONS = ["dcim.site", "dcim.nosuch"]
[DEFAULT_PERMISSIONS]
"dcim.view_nosite" = []
"dcim.frobnicate_site" = []
"dcim.view_site" = [{ nosuch = 1 }]
"dcim.render_config_device" = [{ name = "x" }]
[REMOTE_AUTH_DEFAULT_PERMISSIONS]
"dcim.view_norack" = []
[CUSTOM_VALIDATORS]
"dcim.site" = [{ name = { min_length = "long" } }]
[PROTECTION_RULES]
"dcim.nothing" = [{ name = { eq = "x" } }]
`,
  )
  const { code, stdout, stderr } = await run(['config', '--config', file])
  assert.deepEqual([code, stdout], [2, ''])
  assert.deepEqual(stderr.trim().split('\n'), [
    'warning: EXEMPT_VIEW_PERMISSIONS: dcim.nosuch is no model',
    'warning: DEFAULT_PERMISSIONS: dcim.view_nosite: dcim.nosite is no model, so it allows nothing',
    'warning: DEFAULT_PERMISSIONS: dcim.frobnicate_site: there is no action frobnicate, so it allows nothing',
    'warning: DEFAULT_PERMISSIONS: dcim.view_site: no attribute nosuch, so it allows nothing',
    'warning: REMOTE_AUTH_DEFAULT_PERMISSIONS: dcim.view_norack: dcim.norack is no model, so it allows nothing',
    'cabinet: CUSTOM_VALIDATORS: dcim.site.name: min_length is not a number',
    'cabinet: PROTECTION_RULES: dcim.nothing is no model',
  ])
  const served = await run(['serve', '--config', file, '--data', join(folder, 'never'), '--listen', '127.0.0.1:0'])
  assert.deepEqual([served.code, /min_length is not a number\n.*is no model\n$/.test(served.stderr)], [2, true])
})

test('version and OpenAPI document', async () => {
  const { stdout } = await run(['version'])
  assert.match(stdout, /^4\.6\.\d+\n$/)
  const { openapi, info } = JSON.parse((await run(['openapi'])).stdout)
  assert.deepEqual([openapi, `${info.version}\n`], ['3.0.3', stdout])
  assert.match((await run(['openapi', '--yaml'])).stdout, /^openapi: 3\.0\.3\n/)
})
