import type { Client } from './launch.ts'

/** What a server answers at an address, and the statements that it prepares for that: `anew`, with nothing kept. */
export async function statementsOf(
  { call, running }: Pick<Client, 'call' | 'running'>,
  path: string,
  { anew = true } = {},
): Promise<{ json: any; statements: string[] }> {
  const { db } = running.store
  if (anew) db.touchAll()
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
