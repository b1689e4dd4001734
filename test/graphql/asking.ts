import assert from 'node:assert/strict'
import type { Client } from '../support/server.ts'

/** An answer to a query. */
interface Told {
  data: any
  errors?: { message: string; path?: (string | number)[] }[]
}

/** Asks queries of a server; what comes back must be an answer. */
export const asking =
  ({ call }: Pick<Client, 'call'>) =>
  async (query: string, variables?: object, headers: Record<string, string> = {}): Promise<Told> => {
    const reply = await call('POST', '/graphql/', { query, variables }, headers)
    assert.equal(reply.status, 200, `${query.slice(0, 200)} ${reply.text}`)
    return reply.json as Told
  }

/** Asks queries that must not fail, and answers their data. */
export const getting = (client: Pick<Client, 'call'>) => {
  const ask = asking(client)
  return async (query: string, variables?: object, headers: Record<string, string> = {}): Promise<any> => {
    const { data, errors } = await ask(query, variables, headers)
    assert.equal(errors, undefined, `${query.slice(0, 300)} ${JSON.stringify(errors)}`)
    return data
  }
}
