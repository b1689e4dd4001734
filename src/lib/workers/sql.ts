// Long statements on a database of which no request needs the connection.
import { parentPort, workerData } from 'node:worker_threads'
import { keepAddonsIn, openDatabase } from '../addons.ts'
import { sqlFunctions } from '../sql-functions.ts'
import type { SqlJob } from '../sql-thread.ts'

const { file, addons, steps } = workerData as SqlJob
if (addons !== undefined) keepAddonsIn(addons)
const raw = openDatabase(file, { fileMustExist: true })
try {
  for (const [name, run] of Object.entries(sqlFunctions)) raw.function(name, { deterministic: true }, run)
  raw.function('prefers_ipv4', { deterministic: true }, () => 0)
  const rows = steps.map(({ sql, values = [] }) => {
    const statement = raw.prepare(sql)
    if (statement.reader) return statement.all(...values)
    statement.run(...values)
    return []
  })
  parentPort!.postMessage(rows)
} finally {
  raw.close()
}
