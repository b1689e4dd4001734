import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { makeFresh } from '../../build/fresh.ts'
import { defaults } from '../../src/config.ts'
import { openStore, type Store } from '../../src/store/open.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-fresh-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const open = (name: string): Store =>
  openStore({ file: join(folder, name), uploads: join(folder, 'uploads'), config: defaults() })

/** The schema, and the rows of every table but what tells times. */
function content({ db }: Store): Record<string, unknown> {
  const objects = db.all<{ name: string; type: string; sql: string | null }>(
    "select name, type, sql from sqlite_schema where name not like 'sqlite_stat%' order by type, name",
  )
  const rows = objects
    .filter(({ type, name, sql }) => type === 'table' && !name.startsWith('search_') && !sql?.includes('virtual'))
    .map(({ name }) => [
      name,
      db.all<Record<string, unknown>>(`select * from "${name}"`).map((row) => ({
        ...row,
        ...Object.fromEntries(
          ['created', 'last_updated', 'applied', ...(name === 'history_step' ? ['time', 'request_id'] : [])]
            .filter((each) => each in row)
            .map((each) => [each, row[each] !== '']),
        ),
      })),
    ])
  return { objects, rows: Object.fromEntries(rows), version: db.raw.pragma('user_version', { simple: true }) }
}

test('the database that the executable carries becomes the one that the migrations make', () => {
  makeFresh(join(folder, 'fresh.zst'))
  writeFileSync(join(folder, 'carried.db'), zstdDecompressSync(readFileSync(join(folder, 'fresh.zst'))))
  const carried = open('carried.db')
  const made = open('made.db')
  assert.deepEqual(content(carried), content(made))
  carried.close()
  made.close()
  const again = open('carried.db')
  assert.deepEqual(again.migrated, [])
  again.close()
})
