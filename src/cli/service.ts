import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { parseListen } from '../config/listen.ts'
import { isPackaged } from '../lib/assets.ts'
import { folderOf } from '../services/litestream.ts'
import { roleOf } from '../store/replication.ts'
import type { Input } from './command.ts'

/** The unit, and who it runs as, below the root of a system. */
const Unit = '/etc/systemd/system/cabinet.service'
const Users = '/etc/sysusers.d/cabinet.conf'
/** Where the data of a service lie, of which systemd takes care: one folder in /var/lib. */
const State = /^\/var\/lib\/([\w.-]+)$/
const DefaultData = '/var/lib/cabinet'

/** What the unit is made of. */
export interface ServicePlan {
  /** The words of the command, the first one a path. */
  command: readonly string[]
  /** The folder in /var/lib. */
  state: string
  /** Further folders that it writes to. */
  writes: readonly string[]
  /** Whether it listens on a port below 1024. */
  isPrivileged: boolean
  /** Whether systemd-notify is there to say that it is ready. */
  notifies: boolean
}

/** A word of a command or a path as systemd reads it. */
const word = (text: string): string => {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /[\s"'\\;]/.test(plain) ? `"${plain.replace(/["\\]/g, '\\$&')}"` : plain
}

/** The systemd unit of a server: a user of its own, one folder to write to, no rights, started anew whenever it ends. */
export function unitOf({ command, state, writes, isPrivileged, notifies }: ServicePlan): string {
  const capabilities = isPrivileged ? 'CAP_NET_BIND_SERVICE' : ''
  const lies = (folder: string) => [...command, ...writes].some((path) => path.startsWith(`${folder}/`))
  return `[Unit]
Description=Cabinet, infrastructure inventory
Wants=network-online.target
After=network-online.target

[Service]
${notifies ? 'Type=notify\nNotifyAccess=all' : 'Type=exec'}
User=cabinet
Group=cabinet
ExecStart=${command.map(word).join(' ')}
Restart=always
RestartSec=2
TimeoutStartSec=15min
TimeoutStopSec=60
EnvironmentFile=-/etc/default/cabinet
StateDirectory=${state}
StateDirectoryMode=0700
${writes.map((folder) => `ReadWritePaths=-${word(folder)}\n`).join('')}UMask=0077
LimitNOFILE=65536
MemoryMax=80%
OOMPolicy=stop

NoNewPrivileges=yes
CapabilityBoundingSet=${capabilities}
AmbientCapabilities=${capabilities}
ProtectSystem=strict
ProtectHome=${lies('/home') || lies('/root') ? 'read-only' : 'yes'}
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`
}

function planOf(input: Input, config: Config): ServicePlan {
  const data = config.data === './data' ? DefaultData : resolve(config.data)
  const state = State.exec(data)?.[1]
  if (!state)
    throw new Error(`a service keeps its data in a folder of /var/lib, such as ${DefaultData}, not in ${data}`)
  const file = input.text('config') ?? process.env.CABINET_CONFIG
  const self = isPackaged ? [process.execPath] : [process.execPath, resolve(process.argv[1]!)]
  const { port } = parseListen(config.listen) ?? { port: 0 }
  return {
    command: [
      ...self,
      'serve',
      ...['--data', data],
      ...(file ? ['--config', resolve(file)] : []),
      ...(input.text('listen') ? ['--listen', config.listen] : []),
    ],
    state,
    writes: [...(config.backupFolder ? [resolve(config.backupFolder)] : []), ...replicaOf(data)],
    isPrivileged: port > 0 && port < 1024,
    notifies: isThere('systemd-notify'),
  }
}

/** The folder that a replica goes to, where it is one. */
function replicaOf(data: string): string[] {
  const role = roleOf(data)
  const folder = role?.role === 'source' ? folderOf(role.place) : undefined
  return folder ? [folder] : []
}

/** `cabinet service install`: writes the unit, makes its user, and starts it now and with the machine. */
export async function installService(input: Input): Promise<number> {
  const unit = unitOf(planOf(input, await input.config()))
  if (input.flag('print')) {
    process.stdout.write(unit)
    return 0
  }
  const root = rootOf(input)
  if (!isThere('systemctl'))
    throw new Error('this machine has no systemd; cabinet service install --print shows the unit')
  put(join(root, Unit), unit)
  put(join(root, Users), 'u cabinet - "Cabinet" /var/lib/cabinet\n')
  run('systemd-sysusers', ...under(root), join(root, Users))
  const isRunning = runsHere(root)
  if (isRunning) run('systemctl', 'daemon-reload')
  run('systemctl', ...under(root), '--quiet', 'enable', 'cabinet.service')
  if (isRunning) run('systemctl', 'restart', 'cabinet.service')
  say(`${join(root, Unit)} is written; the service ${isRunning ? 'runs' : 'starts with the machine'}`)
  say('the password and the token of a first start: journalctl -u cabinet')
  return 0
}

/** `cabinet service remove`: ends it and takes the unit away; its user and its data stay. */
export function removeService(input: Input): number {
  const root = rootOf(input)
  if (!existsSync(join(root, Unit))) throw new Error(`there is no ${join(root, Unit)}`)
  const isRunning = runsHere(root)
  if (isRunning) run('systemctl', 'stop', 'cabinet.service')
  run('systemctl', ...under(root), '--quiet', 'disable', 'cabinet.service')
  rmSync(join(root, Unit))
  rmSync(join(root, Users), { force: true })
  if (isRunning) run('systemctl', 'daemon-reload')
  say('the service is removed; its data and the user cabinet are left')
  return 0
}

/** `cabinet service status`: what systemd says of it; 0 where it runs. */
export function serviceStatus(): number {
  if (!existsSync(Unit)) throw new Error('no service is installed; cabinet service install makes one')
  return spawnSync('systemctl', ['status', '--no-pager', 'cabinet.service'], { stdio: 'inherit' }).status ?? 1
}

const rootOf = (input: Input): string => {
  const root = resolve(input.text('root') ?? '/')
  if (root === '/' && process.getuid?.() !== 0) throw new Error('only root may do this; try it with sudo')
  return root
}
const under = (root: string): string[] => (root === '/' ? [] : [`--root=${root}`])
const runsHere = (root: string): boolean => root === '/' && existsSync('/run/systemd/system')
const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
const say = (line: string): void => void process.stdout.write(`${line}\n`)

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: 0o644 })
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.trim().replaceAll('\n', '; ')}`)
}

/** Tells systemd that the server is ready, where it was started to be told (`Type=notify`). */
export function tellReady(env: NodeJS.ProcessEnv): void {
  if (!env.NOTIFY_SOCKET) return
  const { error } = spawnSync('systemd-notify', ['--ready'], { env, stdio: 'ignore', timeout: 10_000 })
  if (error) process.stderr.write(`warning: systemd is not told that the server is ready: ${error.message}\n`)
}
