import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Config } from '../../src/config.ts'
import { type Client, launch } from './launch.ts'

export { AdminToken, type Client, type Reply } from './launch.ts'

/**
 * A server on an empty data folder, and a client with the administrator's token. Closed after the tests of the file.
 */
export async function serve(changes: Partial<Config> = {}): Promise<Client> {
  const client = await launch(changes)
  after(client.close)
  return client
}

/** Creates an object at an endpoint (`dcim/sites`) and answers it as it came back; fails when it was refused. */
export const creating =
  ({ call }: Pick<Client, 'call'>) =>
  async (path: string, body: object): Promise<any> => {
    const reply = await call('POST', `/api/${path}/`, body)
    assert.equal(reply.status, 201, `${path} ${reply.text}`)
    return reply.json
  }
