import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { run, scratch } from '../support/cli.ts'

const folder = scratch()
const lacking = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0 ? false : `${program} is not here`

const script = join(folder, 'completion.bash')

/** What bash offers after these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const line = ['cabinet', ...words].map((word) => `'${word}'`).join(' ')
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `. "${script}"; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _cabinet; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8', cwd: folder },
  )
  assert.equal(stderr, '')
  return stdout.split('\n').filter(Boolean)
}

test('bash completes commands, their second words, options, files and models', { skip: lacking('bash') }, async () => {
  writeFileSync(script, (await run(['completion', 'bash'])).stdout)
  const first = offered('')
  for (const name of Object.keys(commands)) assert.ok(first.includes(name.split(' ')[0]!), name)
  assert.deepEqual(offered('user', 'p').sort(), ['passwd', 'promote'])
  assert.deepEqual(offered('token', 'add', '--al'), ['--allowed-ips'])
  assert.deepEqual(offered('import', 'csv', 'dcim.sit').sort(), ['dcim.site', 'dcim.sitegroup'])
  assert.deepEqual(offered('import', 'csv', 'dcim.site', '--dr'), ['--dry-run'])
  assert.deepEqual(offered('backup', 'comp'), ['completion.bash'])
  assert.deepEqual(offered('serve', '--config', 'comp'), ['completion.bash'])
  assert.deepEqual(offered('serve', '--listen', ''), [])
  assert.deepEqual(offered('models', 'comp'), [])
})

test('each shell gets every option of every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await run(['completion', shell])
    assert.equal(code, 0)
    for (const { options = {} } of Object.values(commands))
      for (const name of Object.keys(options))
        assert.ok(stdout.includes(shell === 'fish' ? `-l ${name} ` : `--${name}`), name)
  }
  const wrong = await run(['completion', 'tcsh'])
  assert.deepEqual([wrong.code, wrong.stderr], [2, 'cabinet: tcsh is none of bash, zsh, fish\n'])
})

test('the manual page tells of every command and option, and man takes it', async () => {
  const { stdout } = await run(['manual'])
  const plain = stdout.replaceAll('\\-', '-')
  for (const [name, { options = {} }] of Object.entries(commands)) {
    assert.ok(plain.includes(`.SS "cabinet ${name}`), name)
    for (const option of Object.keys(options)) assert.ok(plain.includes(`\\fB--${option}\\fR`), option)
  }
  if (lacking('groff')) return
  const { stderr } = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8'], { input: stdout, encoding: 'utf8' })
  assert.equal(stderr, '')
})
