import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { misplaced, sources } from '../../build/rooms.ts'

test('imports of values go one way through the rooms of src', () => {
  assert.deepEqual(misplaced(sources()), [])
})

test('a value from a room above is named with its cure; a type is not', () => {
  const said = misplaced(
    new Map([
      ['fields/new.ts', "import { create } from '../store/write.ts'\n"],
      ['fields/typed.ts', "import type { Store } from '../store/open.ts'\nimport { q } from '../lib/sql.ts'\n"],
      ['models/late.ts', "const { app } = await import('../http/router.ts')\n"],
      ['fields/passed.ts', "export {\n  a,\n  b,\n} from '../models/index.ts'\n"],
      ['attic/new.ts', ''],
    ]),
  )
  assert.equal(said.length, 4)
  assert.match(said[0]!, /^src\/fields\/new\.ts is in the room "fields" and imports src\/store\/write\.ts/)
  assert.match(said[0]!, /import type.*handed in.*lib < choices/s)
  assert.match(said[1]!, /^src\/models\/late\.ts .* imports src\/http\/router\.ts/)
  assert.match(said[2]!, /^src\/fields\/passed\.ts .* imports src\/models\/index\.ts/)
  assert.match(said[3]!, /^src\/attic\/new\.ts is in no room/)
})

test('no file outside src/fields tells fields apart by their kind', () => {
  const telling = [...sources()].filter(
    ([path, text]) => !path.startsWith('fields/') && /\b(field|fields\[[^\]]*\])[?!]?\.kind\b/.test(text),
  )
  assert.deepEqual(
    telling.map(([path]) => path),
    [],
  )
})

test('any file may be the first that is imported', () => {
  for (const first of ['models/index.ts', 'engine/catalog.ts', 'store/cascade.ts', 'fields/index.ts']) {
    const path = join(import.meta.dirname, '../../src', first)
    execFileSync(process.execPath, ['-e', `import(${JSON.stringify(path)})`], { stdio: 'pipe' })
  }
})
