import type { Client } from './launch.ts'

/** What a server answers at an address, and the statements that it prepares for that, with nothing kept from before. */
export async function statementsOf(
  { call, running }: Pick<Client, 'call' | 'running'>,
  path: string,
): Promise<{ json: any; statements: string[] }> {
  const { db } = running.store
  db.touchAll()
  const prepare = db.prepare.bind(db)
  const statements: string[] = []
  db.prepare = (sql: string) => {
    statements.push(sql)
    return prepare(sql)
  }
  try {
    const { json } = await call('GET', path)
    return { json, statements }
  } finally {
    db.prepare = prepare
  }
}
