import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaults } from '../../src/config.ts'
import { openDatabase } from '../../src/lib/addons.ts'
import { startServer } from '../../src/server/start.ts'
import { AdminToken, type Client, clientOf } from './launch.ts'

/** A request that changed something. */
export interface Sent {
  method: string
  path: string
  body: unknown
}

/** A client that keeps in mind what changed something. */
export function recorded<C extends Pick<Client, 'call' | 'running'>>(client: C): C & { sent: Sent[] } {
  const sent: Sent[] = []
  const call: Client['call'] = async (method, path, body, headers) => {
    const reply = await client.call(method, path, body, headers)
    if (method !== 'GET' && reply.status < 300) sent.push({ method, path, body })
    return reply
  }
  return { ...client, call, sent }
}

type Sequences = { name: string; seq: number }[]
/** The last ids that a database gave. */
export const sequencesOf = ({ running }: Pick<Client, 'running'>): Sequences =>
  running.store.db.all<Sequences[number]>('select name, seq from sqlite_sequence')

/** A copy of a data folder as it is at this moment, below the folder of temporary files. */
export function copyOf({ data, running }: Pick<Client, 'data' | 'running'>): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'cabinet-one-')), 'data')
  cpSync(data, copy, { recursive: true, filter: (path) => !/cabinet\.db(-wal|-shm)?$|\.sock$|cache$/.test(path) })
  running.store.db.raw.prepare('vacuum into ?').run(join(copy, 'cabinet.db'))
  return copy
}

/**
 * One server that does what a source did, and then what a kit of it did, with the ids that each gave. Answers what
 * `look` sees at its end, and the requests that it refused.
 */
export async function onOneServer<T>(
  data: string,
  there: readonly Sent[],
  here: readonly Sent[],
  kit: { number: number; sequences: Sequences },
  look: (client: Omit<Client, 'close'>) => T,
): Promise<{ seen: T; refused: string[] }> {
  const refused: string[] = []
  const run = async (requests: readonly Sent[], last: (client: Omit<Client, 'close'>) => void): Promise<void> => {
    const config = { ...defaults(), listen: '127.0.0.1:0', data, logLevel: 'none' as const, workers: 0 }
    const running = await startServer({ ...config, maxConnectionsPerAddress: 0 })
    running.store.db.raw.pragma('synchronous = off')
    const client = clientOf(running, data, `Token ${AdminToken}`)
    for (const { method, path, body } of requests) {
      const reply = await client.call(method, path, body)
      if (reply.status >= 300) refused.push(`${method} ${path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`)
    }
    last(client)
    await running.close()
  }
  let seen: T | undefined
  try {
    await run(there, () => {})
    const raw = openDatabase(join(data, 'cabinet.db'))
    // From here on it gives the ids of the kit.
    raw.exec(
      `create table kit_self (number, name, key, url, there, there_time, here, sent, taken, told);
       create table kit_parted (name, row_id, row); create table kit_pull (first, last);
       insert into kit_self values (${kit.number}, 'one', '', '', 0, '', 0, 0, 0, 0)`,
    )
    for (const { name, seq } of kit.sequences) {
      raw.prepare('delete from sqlite_sequence where name = ?').run(name)
      raw.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, seq)
    }
    raw.close()
    await run(here, (client) => {
      seen = look(client)
    })
  } finally {
    rmSync(join(data, '..'), { recursive: true, force: true })
  }
  return { seen: seen!, refused }
}
