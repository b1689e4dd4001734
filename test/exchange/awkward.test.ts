import assert from 'node:assert/strict'
import { test } from 'node:test'
import { System } from '../../src/engine/actor.ts'
import { allModels } from '../../src/engine/catalog.ts'
import { Export } from '../../src/exchange/export.ts'
import { importTable } from '../../src/exchange/import.ts'
import { now } from '../../src/lib/datetime.ts'
import { tableIn } from '../../src/lib/parse-thread.ts'
import { Formats, parse } from '../../src/lib/tables.ts'
import { Writing } from '../../src/store/write.ts'
import { Maker, writable } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call, running } = await serve()
const make = new Maker(call)
await make.everything()

/** JSON of texts and data that a table writes otherwise than they are stored, by the kind of field. */
const Awkward: Readonly<Record<string, readonly string[]>> = {
  text: [
    '"  lead\\r\\none, \\"two\\"\\n\\n- x: y\\tz\\n"',
    '"=1+1"',
    '"1.0"',
    '"null"',
    '"[1]"',
    '"x\\u2028\\u0085y"',
    `"'=1"`,
    '"+1 555"',
    '"-3"',
  ],
  json: [
    '{"a":1.0,"long":9007199254740993,"t":"1.0","n":null,"":"x","o":{"=":"\\r\\n"}}',
    '[1.0,"null",[],{}]',
    '"1.0"',
    '"a text"',
    '"null"',
    '[]',
  ],
}
/** What is imported again: of spreadsheets too, which must not take a text for a formula. */
const Ways = [...Formats.map((format) => ({ format })), { format: 'csv', harmless: true } as const]
/** The values of one object: each field another one of its kind. */
const Rounds = 3

test('what is exported is imported as it was, whatever it looks like, of every model', async () => {
  let awkward = 0
  for (const m of allModels) {
    if (m.internal || (m.methods && !m.methods.includes('POST')) || m.name === 'users.token') continue
    const id = (await call('GET', `/api/${m.path}/?limit=1&ordering=-id`)).json.results[0]?.id
    if (id === undefined) continue
    for (let round = 0; round < Rounds; round++) {
      let count = 0
      for (const [name, { kind }] of writable(m)) {
        const values = Awkward[kind]
        const value = values?.[(2 * round + name.length) % values.length]
        if (!value) continue
        const { status } = await call('PATCH', `/api/${m.path}/${id}/`, `{${JSON.stringify(name)}:${value}}`)
        if (status === 200) count++
      }
      if (count === 0) continue
      awkward += count
      const state = async () =>
        (await call('GET', `/api/${m.path}/?limit=0&ordering=id`)).text.replaceAll(/"last_updated":"[^"]*"/g, '')
      const was = await state()
      for (const way of Ways) {
        const text = [...new Export(running.store, m, { actor: System, ...way, ids: true })].join('')
        const table = await tableIn(text, way.format, '') // in a thread, as pages and commands have it
        const by = { userId: null, username: '', requestId: 'r', message: '', now: now() }
        const { lines: _, ...result } = importTable(new Writing(running.store, System, by), m, table, {})
        const about = `${m.name} as ${JSON.stringify(way)}`
        assert.deepEqual([result.created, result.changed, result.wrong], [0, 0, []], about)
        assert.equal(await state(), was, about)
      }
    }
  }
  assert.ok(awkward > 500, `${awkward}`)
})

test('lines are told by their number in the file, whatever blank ones and breaks in values stand before them', () => {
  const { lines, wrong } = parse('name,slug\na,a\n\n\n"b\nb",b\n\nc,c\nd,d,d\n', 'csv')
  assert.deepEqual(
    lines.map(({ number, cells }) => [number, cells.slug]),
    [
      [2, 'a'],
      [5, 'b'],
      [8, 'c'],
      [9, 'd'],
    ],
  )
  assert.deepEqual(
    wrong.map(({ line }) => line),
    [9],
  )
})
