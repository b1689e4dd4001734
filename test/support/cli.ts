import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { afterFile } from './endings.ts'
import { main } from './program.ts'
import { AdminToken } from './server.ts'

/** The command that is tested: this build, or the executable that `CABINET_TEST_EXECUTABLE` names. */
export const command = process.env.CABINET_TEST_EXECUTABLE
  ? [process.env.CABINET_TEST_EXECUTABLE]
  : [process.execPath, main]
const {
  CABINET_DATA: _data,
  CABINET_CONFIG: _config,
  CABINET_SUPERUSER_PASSWORD: _password,
  CABINET_SUPERUSER_API_TOKEN: _token,
  CABINET_SUPERUSER_NAME: _name,
  ...clean
} = process.env

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}
export interface Server {
  base: string
  stderr: () => string
  /** Its log, the last 100 kB. */
  stdout: () => string
  signal: (name: NodeJS.Signals) => void
  end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** An administrator for servers that are started here. */
export const admin = { CABINET_SUPERUSER_PASSWORD: 'Cabinet-Test-Passw0rd', CABINET_SUPERUSER_API_TOKEN: AdminToken }

/** Servers that run, with their data folders. */
const running = new Map<Server, string>()
const endWithin = (folder = '') =>
  Promise.all([...running].flatMap(([server, data]) => (data.startsWith(folder) ? server.end('SIGKILL') : [])))

/** A folder that is gone after the tests of the file, or the test; servers on it are ended before. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-cli-'))
  after(async () => {
    await endWithin(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Names in a data folder, but for the place of an executable's addons. */
export const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name !== '.runtime')
    .sort()

const launch = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawn(command[0]!, [...command.slice(1), ...args], { env: { ...clean, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })

/** Runs a command to its end. */
export async function run(
  args: readonly string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string | Buffer } = {},
): Promise<Outcome> {
  const child = launch(args, env)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => (said[name] += chunk))
  child.stdin.on('error', () => undefined).end(input) // a command that fails at once does not read it
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...said }
}

afterFile(() => endWithin())

/** Starts a server on a folder and waits until it serves. Ended after the tests of the file at the latest. */
export async function start(
  data: string,
  { env = admin, args = [] }: { env?: NodeJS.ProcessEnv; args?: readonly string[] } = {},
): Promise<Server> {
  const child = launch(['serve', '--data', data, '--listen', '127.0.0.1:0', ...args], {
    CABINET_LOG_LEVEL: 'none',
    ...env,
  })
  let said = ''
  let logged = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    logged = (logged + chunk).slice(-100_000)
  })
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  const base = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const address = /serves (https?:\/\/[^/\s]+)/.exec(said)
      if (address) resolve(address[1]!)
    })
    void gone.then(() => reject(new Error(`the server did not start: ${said}`)))
  })
  const server: Server = {
    base,
    stderr: () => said,
    stdout: () => logged,
    signal: (name) => void child.kill(name),
    end: (signal) => {
      running.delete(server)
      child.kill(signal)
      return gone
    },
  }
  running.set(server, data)
  return server
}

/** A request with the administrator's token; the answer's status and JSON. */
export async function ask(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  authorization = `Token ${AdminToken}`,
): Promise<{ status: number; json: any }> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text ? JSON.parse(text) : undefined }
}

/** A device with two interfaces and a cable between them, at the site `lab`, which is there. */
export async function cabledDevice(base: string): Promise<void> {
  const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
  for (const [path, body] of [
    ['manufacturers', { name: 'M', slug: 'm' }],
    ['device-types', { manufacturer: { slug: 'm' }, model: 'T', slug: 't' }],
    ['device-roles', { name: 'R', slug: 'r' }],
    ['devices', { name: 'd', site: { slug: 'lab' }, device_type: { slug: 't' }, role: { slug: 'r' } }],
    ['interfaces', { device: { name: 'd' }, name: 'a', type: '1000base-t' }],
    ['interfaces', { device: { name: 'd' }, name: 'b', type: '1000base-t' }],
    ['cables', { a_terminations: end(1), b_terminations: end(2) }],
  ] as const)
    assert.equal((await ask(base, 'POST', `/api/dcim/${path}/`, body)).status, 201, path)
}
