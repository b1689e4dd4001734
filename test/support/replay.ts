import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { defaults } from '../../src/config.ts'
import { openDatabase } from '../../src/lib/addons.ts'
import { startServer } from '../../src/server/start.ts'
import { AdminToken, type Client, clientOf } from './launch.ts'

type Sequences = { name: string; seq: number }[]
/** A request that changed something, and the last ids that its server had given before. */
export interface Sent {
  method: string
  path: string
  body: unknown
  sequences: Sequences
}

/** A client that keeps in mind what changed something. */
export function recorded<C extends Pick<Client, 'call' | 'running'>>(client: C): C & { sent: Sent[] } {
  const sent: Sent[] = []
  const call: Client['call'] = async (method, path, body, headers) => {
    const sequences = method === 'GET' ? [] : sequencesOf(client)
    const reply = await client.call(method, path, body, headers)
    if (method !== 'GET' && reply.status < 300) sent.push({ method, path, body, sequences })
    return reply
  }
  return { ...client, call, sent }
}

/** The last ids that a database gave. */
const sequencesOf = ({ running }: Pick<Client, 'running'>): Sequences =>
  running.store.db.all<Sequences[number]>('select name, seq from sqlite_sequence')
/** Has a server give the ids that follow others. */
function giveIds({ running }: Pick<Client, 'running'>, sequences: Sequences): void {
  const { raw } = running.store.db
  const remove = raw.prepare('delete from sqlite_sequence where name = ?')
  const insert = raw.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
  for (const { name, seq } of sequences) {
    remove.run(name)
    insert.run(name, seq)
  }
}

/** A copy of a data folder as it is at this moment, below the folder of temporary files. */
export function copyOf({ data, running }: Pick<Client, 'data' | 'running'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-one-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, 'data')
  cpSync(data, copy, { recursive: true, filter: (path) => !/cabinet\.db(-wal|-shm)?$|\.sock$|cache$/.test(path) })
  running.store.db.raw.prepare('vacuum into ?').run(join(copy, 'cabinet.db'))
  return copy
}

/** What one of two sides was asked. */
interface Part {
  isKit: boolean
  sent: readonly Sent[]
}

/**
 * One server that does what a source (`isKit` false) and its first kit did, part after part, with the ids that each
 * gave; `data` is what both began with, and stays. Answers what `look` sees at its end, and the requests that it
 * refused: what one side did to what the other had deleted, and undid again, cannot be repeated there.
 */
export async function onOneServer<T>(
  data: string,
  parts: readonly Part[],
  look: (client: Omit<Client, 'close'>) => T,
): Promise<{ seen: T; refused: string[] }> {
  const refused: string[] = []
  const own = mkdtempSync(join(tmpdir(), 'cabinet-one-'))
  cpSync(data, own, { recursive: true })
  let seen: T | undefined
  try {
    for (const { isKit, sent } of parts) {
      beKit(own, isKit)
      const config = { ...defaults(), listen: '127.0.0.1:0', data: own, logLevel: 'none' as const, workers: 0 }
      const running = await startServer({ ...config, maxConnectionsPerAddress: 0 })
      running.store.db.raw.pragma('synchronous = off')
      const client = clientOf(running, own, `Token ${AdminToken}`)
      for (const each of sent) await repeat(client, each, refused)
      seen = look(client)
      await running.close()
    }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return { seen: seen!, refused }
}

/** Has a server that is not running give the ids of a kit from here on, or its own. */
function beKit(data: string, isKit: boolean): void {
  const raw = openDatabase(join(data, 'cabinet.db'))
  raw.exec('drop table if exists kit_self; drop table if exists kit_parted; drop table if exists kit_pull')
  if (isKit)
    raw.exec(
      `create table kit_self (number, name, key, url, there, there_time, here, sent, taken, told);
       create table kit_parted (name, row_id, row); create table kit_pull (first, last);
       insert into kit_self values (1, 'one', '', '', 0, '', 0, 0, 0, 0)`,
    )
  raw.close()
}

/** A body without values of custom fields that are refused: the other side took these fields away, or limited them. */
function withoutRefused(body: unknown, refused: unknown): unknown {
  const items = [body].flat() as { custom_fields?: Record<string, unknown> }[]
  const names = typeof refused === 'object' && refused !== null ? Object.keys(refused) : []
  const [item, ...others] = items
  if (others.length || !names.some((name) => name in (item?.custom_fields ?? {}))) return undefined
  const left = Object.entries(item!.custom_fields!).filter(([name]) => !names.includes(name))
  const rest = { ...item, custom_fields: Object.fromEntries(left) }
  return Array.isArray(body) ? [rest] : rest
}

async function repeat(client: Pick<Client, 'call' | 'running'>, sent: Sent, refused: string[]): Promise<void> {
  const { method, path, body, sequences } = sent
  giveIds(client, sequences)
  const reply = await client.call(method, path, body)
  if (reply.status < 300) return
  const rest = withoutRefused(body, reply.json?.custom_fields)
  if (rest) return repeat(client, { ...sent, body: rest }, refused)
  refused.push(`${method} ${path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`)
  if (method === 'POST' || !Array.isArray(body) || body.length < 2) return
  for (const item of body) await repeat(client, { ...sent, body: [item] }, refused) // one of them is not there
}
