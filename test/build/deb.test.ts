import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratch } from '../support/cli.ts'

const folder = scratch()
const top = join(import.meta.dirname, '../..')
const executable = join(folder, 'cabinet')
const deb = join(folder, 'cabinet.deb')
const skip = spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).status === 0 ? false : 'dpkg-deb is not here'
const ask = (...args: string[]) => execFileSync('dpkg-deb', args, { encoding: 'utf8' })

test('the package is one that dpkg reads, with unit, manual, completion and a configuration that stays', {
  skip,
}, () => {
  writeFileSync(executable, '#!/bin/sh\n')
  execFileSync(
    process.execPath,
    [join(top, 'build/deb.ts'), '--arch', 'x64', '--executable', executable, '--out', deb],
    { env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' } },
  )
  assert.match(ask('--info', deb), /Package: cabinet\n Version: \d+\.\d+\.\d+\n Architecture: amd64\n/)
  const content = ask('--contents', deb)
  for (const [mode, file] of [
    ['-rwxr-xr-x', 'usr/bin/cabinet'],
    ['-rw-r-----', 'etc/cabinet.toml'],
    ['-rw-r-----', 'etc/default/cabinet'],
    ['-rw-r--r--', 'usr/lib/systemd/system/cabinet.service'],
    ['-rw-r--r--', 'usr/lib/sysusers.d/cabinet.conf'],
    ['-rw-r--r--', 'usr/share/man/man1/cabinet.1.gz'],
    ['-rw-r--r--', 'usr/share/bash-completion/completions/cabinet'],
  ])
    assert.match(content, new RegExp(`^${mode} root/root +\\d+ 2023-\\S+ \\S+ \\./${file}$`, 'm'))
  const unpacked = join(folder, 'unpacked')
  ask('--raw-extract', deb, unpacked)
  const text = (file: string) => readFileSync(join(unpacked, file), 'utf8')
  assert.equal(text('DEBIAN/conffiles'), '/etc/cabinet.toml\n/etc/default/cabinet\n')
  assert.match(text('etc/cabinet.toml'), /^data = "\/var\/lib\/cabinet"/m)
  assert.match(
    text('usr/lib/systemd/system/cabinet.service'),
    /^ExecStart=\/usr\/bin\/cabinet serve --data \/var\/lib\/cabinet --config \/etc\/cabinet\.toml$/m,
  )
  for (const script of ['postinst', 'prerm', 'postrm'])
    assert.equal(spawnSync('sh', ['-n', join(unpacked, 'DEBIAN', script)]).status, 0)
  const sums = spawnSync('md5sum', ['--check', '--quiet', 'DEBIAN/md5sums'], { cwd: unpacked, encoding: 'utf8' })
  assert.equal(sums.status, 0, sums.stdout)
  assert.ok(existsSync(join(unpacked, 'usr/share/doc/cabinet/copyright')))
})
