import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { parseListen } from '../config/listen.ts'
import { isPackaged } from '../lib/assets.ts'
import { folderOf } from '../services/replica-place.ts'
import { roleOf } from '../store/replication.ts'
import type { Input } from './command.ts'

/** The unit, and who it runs as, below the root of a system. */
const Unit = '/etc/systemd/system/cabinet.service'
/** Where the Debian package has it. */
const PackagedUnit = '/usr/lib/systemd/system/cabinet.service'
/** Where systemd listens for it, where it does. */
const Socket = '/etc/systemd/system/cabinet.socket'
/** Where the unit is on a machine. */
export const unitPath = Unit
const Users = '/etc/sysusers.d/cabinet.conf'
/** Where the data of a service lie, of which systemd takes care: one folder in /var/lib. */
const State = /^\/var\/lib\/([\w.-]+)$/
const DefaultData = '/var/lib/cabinet'

/** What the unit is made of. */
interface ServicePlan {
  /** The words of the command, the first one a path. */
  command: readonly string[]
  /** The folder in /var/lib. */
  state: string
  /** Further folders that it writes to. */
  writes: readonly string[]
  /** Whether it listens on a port below 1024. */
  isPrivileged: boolean
  /** Where systemd listens for it, as `listen` says; undefined: it listens itself. */
  socket: string | undefined
  /** Whether systemd-notify is there to say that it is ready. */
  notifies: boolean
}

/** A word of a command or a path as systemd reads it. */
const word = (text: string): string => {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /[\s"'\\;]/.test(plain) ? `"${plain.replace(/["\\]/g, '\\$&')}"` : plain
}

/**
 * The systemd unit of a server: a user of its own, one folder to write to, no rights, started anew whenever it ends.
 */
export function unitOf({ command, state, writes, isPrivileged, socket, notifies }: ServicePlan): string {
  const capabilities = isPrivileged && socket === undefined ? 'CAP_NET_BIND_SERVICE' : ''
  const lies = (folder: string) => [...command, ...writes].some((path) => path.startsWith(`${folder}/`))
  return `[Unit]
Description=Cabinet, infrastructure inventory
Wants=network-online.target
After=network-online.target
${socket === undefined ? '' : 'Requires=cabinet.socket\nAfter=cabinet.socket\n'}
[Service]
${notifies ? 'Type=notify\nNotifyAccess=all' : 'Type=exec'}
User=cabinet
Group=cabinet
ExecStart=${command.map(word).join(' ')}
Restart=always
RestartSec=2
TimeoutStartSec=15min
TimeoutStopSec=60
# The threads share what the C library keeps of memory for them: some 12 MB less.
Environment=MALLOC_ARENA_MAX=2
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

/** The systemd unit of the socket: connections wait there while the server starts or is restarted. */
export function socketUnitOf(listen: string): string {
  const { host, port } = parseListen(listen) ?? { host: undefined, port: 8080 }
  const at = !host ? String(port) : host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  return `[Unit]
Description=Cabinet, infrastructure inventory

[Socket]
ListenStream=${at}
Backlog=4096
NoDelay=true

[Install]
WantedBy=sockets.target
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
    socket: input.flag('socket') ? config.listen : undefined,
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
  const plan = planOf(input, await input.config())
  const unit = unitOf(plan)
  const socket = plan.socket === undefined ? undefined : socketUnitOf(plan.socket)
  if (input.flag('print')) {
    process.stdout.write(socket === undefined ? unit : `# ${Socket}\n${socket}\n# ${Unit}\n${unit}`)
    return 0
  }
  const root = rootOf(input)
  if (!isThere('systemctl'))
    throw new Error('this machine has no systemd; cabinet service install --print shows the unit')
  put(join(root, Unit), unit)
  const units = socket === undefined ? ['cabinet.service'] : ['cabinet.socket', 'cabinet.service']
  if (socket !== undefined) put(join(root, Socket), socket)
  else dropSocket(root)
  put(join(root, Users), 'u cabinet - "Cabinet" /var/lib/cabinet\n')
  run('systemd-sysusers', ...under(root), join(root, Users))
  const isRunning = runsHere(root)
  if (isRunning) run('systemctl', 'daemon-reload')
  run('systemctl', ...under(root), '--quiet', 'enable', ...units)
  if (isRunning && socket !== undefined) {
    run('systemctl', 'stop', 'cabinet.service') // which may hold the address
    run('systemctl', 'restart', 'cabinet.socket')
  }
  if (isRunning) run('systemctl', 'restart', 'cabinet.service')
  say(`${join(root, Unit)} is written; the service ${isRunning ? 'runs' : 'starts with the machine'}`)
  say('the password and the token of a first start: journalctl -u cabinet')
  return 0
}

/** Takes away the unit of a socket that an installation before this one wanted. */
function dropSocket(root: string): void {
  if (!existsSync(join(root, Socket))) return
  if (runsHere(root)) run('systemctl', 'stop', 'cabinet.socket', 'cabinet.service')
  run('systemctl', ...under(root), '--quiet', 'disable', 'cabinet.socket')
  rmSync(join(root, Socket))
}

/** `cabinet service remove`: ends it and takes the unit away; its user and its data stay. */
export function removeService(input: Input): number {
  const root = rootOf(input)
  if (!existsSync(join(root, Unit))) throw new Error(`there is no ${join(root, Unit)}`)
  const isRunning = runsHere(root)
  dropSocket(root)
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
  if (!existsSync(Unit) && !existsSync(PackagedUnit))
    throw new Error('no service is installed; cabinet service install makes one')
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
