import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modules, needless } from '../../build/exports.ts'

test('nothing is exported that no other file imports', () => {
  assert.deepEqual(needless(modules()), [])
})

test('what is imported in any way counts, and what is not is named', () => {
  const said = needless(
    new Map([
      [
        'src/a.ts',
        'export const one = 1\nexport function two() {}\nexport type Three = 3\nconst four = 4\nexport { four }',
      ],
      ['src/b.ts', "import { one } from './a.ts'\nexport { type Three } from './a.ts'\n"],
      ['src/late.ts', 'export const five = 5\nexport const six = 6\n'],
      ['test/c.test.ts', "const { five } = await import('../src/late.ts')\n"],
      ['src/all.ts', 'export const seven = 7\n'],
      ['bench/d.mjs', "import * as all from '../src/all.ts'\nall[name]\n"],
      ['src/same.ts', "import { one } from './other.ts'\nexport const one = 1\n"],
    ]),
  )
  assert.deepEqual(
    said.map((each) => /^(\S+) exports "(\w+)"/.exec(each)!.slice(1).join(' ')),
    ['src/a.ts two', 'src/a.ts four', 'src/late.ts six', 'src/same.ts one'],
  )
})
