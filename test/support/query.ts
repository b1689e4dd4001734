import assert from 'node:assert/strict'
import { type Client, creating } from './server.ts'

type Values = readonly unknown[] | object

/** What a test of questions in SQL asks of a server. */
export function asking(client: Pick<Client, 'call'>) {
  const { call } = client
  const create = creating(client)

  /** The rows of a question; fails where it is refused. */
  async function rows(sql: string, params: Values = [], headers: Record<string, string> = {}): Promise<unknown[][]> {
    const reply = await call('POST', '/api/query/', { sql, params }, headers)
    assert.equal(reply.status, 200, `${sql}: ${reply.text}`)
    return reply.json.rows
  }

  /** What is said to be wrong with a question. */
  async function refusal(sql: string, headers: Record<string, string> = {}): Promise<string> {
    const reply = await call('POST', '/api/query/', { sql }, headers)
    assert.equal(reply.status, 400, `${sql}: ${reply.text.slice(0, 200)}`)
    assert.deepEqual(Object.keys(reply.json), ['sql'], reply.text)
    return reply.json.sql[0]
  }

  /** A user with permissions, as headers of their token, and the permissions' ids. */
  async function person(name: string, permissions: readonly object[]) {
    const { id } = await create('users/users', { username: name, password: 'Cabinet-Test-Passw0rd' })
    const made = []
    for (const [i, permission] of permissions.entries())
      made.push(
        (await create('users/permissions', { name: `${name}-${i}`, users: [id], actions: ['view'], ...permission })).id,
      )
    const key = `${name}0123456789abcdef0123456789abcdef01234567`.slice(0, 40)
    await create('users/tokens', { user: id, version: 1, token: key, write_enabled: false })
    return { id, permissions: made as number[], headers: { authorization: `Token ${key}` } }
  }

  return { rows, refusal, person }
}
