import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { admin, command, run, scratch, start } from '../support/cli.ts'
import { until } from '../support/until.ts'

const folder = scratch()
const unitWith = async (...args: string[]) => (await run(['service', 'install', '--print', ...args])).stdout
const lacking = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0 ? false : `${program} is not here`

test('the unit names this command, its folder, its configuration, and what it may write to', async () => {
  const config = join(folder, 'my cabinet.toml')
  writeFileSync(config, 'backup_folder = "/srv/100% safe"\nlisten = ":443"\n')
  const unit = await unitWith('--config', config)
  const [, command] = /^ExecStart=(.*)$/m.exec(unit)!
  assert.ok(command!.endsWith(` serve --data /var/lib/cabinet --config "${config}"`), command)
  assert.match(unit, /^StateDirectory=cabinet$/m)
  assert.match(unit, /^ReadWritePaths=-"\/srv\/100%% safe"$/m)
  assert.match(unit, /^AmbientCapabilities=CAP_NET_BIND_SERVICE$/m)
  const plain = await unitWith('--data', '/var/lib/other', '--listen', '127.0.0.1:8081')
  assert.match(plain, / serve --data \/var\/lib\/other --listen 127\.0\.0\.1:8081$/m)
  assert.match(plain, /^AmbientCapabilities=$/m)
  for (const line of ['User=cabinet', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'Restart=always'])
    assert.ok(plain.split('\n').includes(line), line)
  const elsewhere = await run(['service', 'install', '--print', '--data', '/srv/cabinet'])
  assert.deepEqual([elsewhere.code, elsewhere.stdout], [1, ''])
  assert.match(elsewhere.stderr, /a folder of \/var\/lib/)
})

test('systemd takes the unit without a complaint', { skip: lacking('systemd-analyze') }, async () => {
  const file = join(folder, 'cabinet.service')
  writeFileSync(file, await unitWith())
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  const ours = stderr.split('\n').filter((line) => line.includes('cabinet'))
  assert.deepEqual(ours, [])
})

test('installed into a root it is enabled there, and removed it is gone', { skip: lacking('systemctl') }, async () => {
  const root = join(folder, 'root')
  mkdirSync(join(root, 'etc'), { recursive: true })
  const installed = await run(['service', 'install', '--root', root])
  assert.deepEqual([installed.code, installed.stderr], [0, ''])
  assert.match(installed.stdout, /starts with the machine/)
  const wanted = join(root, 'etc/systemd/system/multi-user.target.wants/cabinet.service')
  const isLinked = () => spawnSync('test', ['-L', wanted]).status === 0
  assert.ok(isLinked())
  assert.match(readFileSync(join(root, 'etc/passwd'), 'utf8'), /^cabinet:/m)
  assert.equal((await run(['service', 'remove', '--root', root])).code, 0)
  assert.ok(!isLinked() && !existsSync(join(root, 'etc/systemd/system/cabinet.service')))
  assert.match((await run(['service', 'remove', '--root', root])).stderr, /there is no/)
})

test('a server that systemd waits for says that it is ready, once it is', async () => {
  const bin = join(folder, 'bin')
  const told = join(folder, 'told')
  mkdirSync(bin)
  writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${told}\n`)
  chmodSync(join(bin, 'systemd-notify'), 0o755)
  const env = { ...admin, NOTIFY_SOCKET: '/run/notify', PATH: `${bin}:${process.env.PATH}` }
  const server = await start(join(folder, 'data'), { env })
  // The shell makes the file before anything stands in it.
  const line = await until(() => (existsSync(told) ? readFileSync(told, 'utf8') : ''))
  assert.equal(line, '/run/notify --ready\n')
  assert.equal(await server.end('SIGTERM'), 0)
})

test('with --socket systemd listens, and the server needs no right to do so', async () => {
  const both = await unitWith('--socket', '--listen', ':443')
  const [socket, unit] = both.split('# /etc/systemd/system/cabinet.service\n')
  assert.match(socket!, /^ListenStream=443$/m)
  assert.match(unit!, /^Requires=cabinet\.socket$/m)
  assert.match(unit!, /^AmbientCapabilities=$/m)
  assert.match(await unitWith('--socket', '--listen', '[::1]:8080'), /^ListenStream=\[::1\]:8080$/m)
})

test('a socket that was wanted is gone when it is no longer', { skip: lacking('systemctl') }, async () => {
  const root = join(folder, 'socket-root')
  mkdirSync(join(root, 'etc'), { recursive: true })
  const socket = join(root, 'etc/systemd/system/cabinet.socket')
  assert.equal((await run(['service', 'install', '--root', root, '--socket'])).code, 0)
  assert.ok(existsSync(socket))
  assert.equal((await run(['service', 'install', '--root', root])).code, 0)
  assert.ok(!existsSync(socket))
})

test('a server takes the socket that systemd hands over, and leaves it open when it ends', async () => {
  const waiting = createServer()
  await new Promise<void>((resolve) => void waiting.listen(0, '127.0.0.1', resolve))
  const { port } = waiting.address() as { port: number }
  const { fd } = (waiting as unknown as { _handle: { fd: number } })._handle
  const words = [...command, 'serve', '--data', join(folder, 'activated'), '--listen', '127.0.0.1:1']
  const server = `exec ${words.map((word) => `"${word}"`).join(' ')}`
  // It holds the socket, as systemd does, and starts the server twice.
  const once = `/bin/sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 ${server}' & echo $!; wait $!; echo ended $?`
  const systemd = spawn('/bin/sh', ['-c', `${once}; ${once}`], {
    env: { ...process.env, ...admin, CABINET_LOG_LEVEL: 'none' },
    stdio: ['ignore', 'pipe', 'pipe', fd],
  })
  waiting.close()
  let said = ''
  let told = ''
  systemd.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text))
  systemd.stderr!.setEncoding('utf8').on('data', (text: string) => (told += text))
  const gone = new Promise((resolve) => systemd.once('close', resolve))
  const close = { headers: { connection: 'close' } }
  for (const round of [1, 2]) {
    const asked = await fetch(`http://127.0.0.1:${port}/healthz`, close) // it waits until somebody takes it
    assert.equal(asked.status, 200)
    await until(() => told.split(' serves ').length > round)
    process.kill(Number(said.split('\n').at(round * 2 - 2)), 'SIGTERM')
  }
  await gone
  assert.match(said, /^\d+\nended 0\n\d+\nended 0\n$/)
})
