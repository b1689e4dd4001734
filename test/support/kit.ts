import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, apply } from '../../src/cli/bundles.ts'
import { clone } from '../../src/cli/clone.ts'
import type { Input } from '../../src/cli/command.ts'
import { pull, push, status } from '../../src/cli/sync.ts'
import { type Config, defaults } from '../../src/config.ts'
import { startServer } from '../../src/server/start.ts'
import { createToken } from '../../src/services/accounts.ts'
import { AdminToken, type Client, clientOf } from './launch.ts'

const commands = { clone, pull, push, status, bundle, apply }
export interface Said {
  code: number
  out: string
}

/** Runs a command of the kit in this process; answers its exit code and what it wrote. */
export async function kitCommand(
  name: keyof typeof commands,
  data: string,
  { operands = [], options = {} }: { operands?: string[]; options?: Record<string, string | boolean> } = {},
): Promise<Said> {
  const all: Record<string, string | boolean> = { token: AdminToken, ...options }
  const input: Input = {
    operands,
    text: (option) => (typeof all[option] === 'string' ? (all[option] as string) : undefined),
    flag: (option) => all[option] === true,
    config: async () => ({ ...defaults(), data, logLevel: 'none' }) satisfies Config,
  }
  let out = ''
  const writers = [process.stdout, process.stderr] as const
  const before = writers.map((stream) => stream.write.bind(stream))
  for (const [i, stream] of writers.entries())
    stream.write = ((text: string | Uint8Array, ...more: []) => {
      if (typeof text !== 'string') return before[i]!(text, ...more) // the results of tests, which are no text
      out += text
      return true
    }) as typeof stream.write
  try {
    const code = await commands[name](input)
    return { code, out }
  } finally {
    for (const [i, stream] of writers.entries()) stream.write = before[i]! as never
  }
}

export interface Kit extends Client {
  /** The password that the clone printed. */
  password: string
  sync: (name: 'pull' | 'push' | 'status', options?: Record<string, string | boolean>) => Promise<Said>
}

/** Clones a server into a folder of its own, and serves the kit. The caller closes it. */
export async function takeKit(
  source: Pick<Client, 'base'>,
  options: Record<string, string | boolean> = {},
): Promise<Kit> {
  const data = join(mkdtempSync(join(tmpdir(), 'cabinet-kit-')), 'kit')
  const { out } = await kitCommand('clone', data, { operands: [source.base], options })
  const config = {
    ...defaults(),
    listen: '127.0.0.1:0',
    data,
    logLevel: 'none',
    maxConnectionsPerAddress: 0,
    workers: 0,
  } satisfies Config
  const running = await startServer(config)
  const token = createToken(running.store, 'admin')
  const client = clientOf(running, data, token.replace(/^Authorization: /, ''))
  const close = async () => {
    await running.close()
    rmSync(join(data, '..'), { recursive: true, force: true })
  }
  const password = /password in the kit: (\S+)/.exec(out)?.[1] ?? ''
  return { ...client, close, password, sync: (name, more = {}) => kitCommand(name, data, { options: more }) }
}
