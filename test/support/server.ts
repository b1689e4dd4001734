import { after } from 'node:test'
import type { Config } from '../../src/config.ts'
import { type Client, launch } from './launch.ts'

export { AdminToken, type Client, type Reply } from './launch.ts'

/** A server on an empty data folder, and a client with the administrator's token. Closed after the tests of the file. */
export async function serve(changes: Partial<Config> = {}): Promise<Client> {
  const client = await launch(changes)
  after(client.close)
  return client
}
