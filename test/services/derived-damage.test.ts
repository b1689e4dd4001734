import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { checks } from '../../src/services/checks.ts'
import { fill } from '../support/inventory.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { store } = client.running
before(() => fill(client.call))

const problems = (): string[] => checks.flatMap(({ run }) => run(store, false).problems)
const repair = (): void => {
  for (const { run } of checks) run(store, true)
}
/** What is worked out, as lists show it. */
async function shown(): Promise<object> {
  const lists: Record<string, unknown> = {}
  for (const path of ['dcim/regions', 'dcim/interfaces', 'dcim/console-ports', 'dcim/front-ports', 'dcim/cables'])
    lists[path] = (await client.call('GET', `/api/${path}/?limit=0`)).json
  return lists
}

const LastPath = '(select max(id) from dcim_cablepath)'
const LastEnd = '(select max(id) from dcim_cabletermination)'

for (const [what, sql] of [
  ['a node of a path is missing', 'delete from dcim_cablepathnode where id = (select max(id) from dcim_cablepathnode)'],
  ['all nodes are missing', 'delete from dcim_cablepathnode'],
  [
    'a path has a node too many',
    `insert into dcim_cablepathnode (path_id, node_type, node_id) values (${LastPath}, 'dcim.interface', 9999)`,
  ],
  ...['{}', '[]', 'garbage', '[["nothing:1"]]', '[[1]]', 'null', '[["dcim.interface:9999"]]'].map((path) => [
    `a path is ${path}`,
    `update dcim_cablepath set path = '${path}' where id = ${LastPath}`,
  ]),
  ['a path leads nowhere', `update dcim_cablepath set destinations = '[]' where id = ${LastPath}`],
  ['a path leads to a rack', `update dcim_cablepath set destination_type = 'dcim.rack' where id = ${LastPath}`],
  [
    'a path is there twice',
    `insert into dcim_cablepath (path, is_complete, is_active, is_split, destination_type, destinations)
      select path, is_complete, is_active, is_split, destination_type, destinations from dcim_cablepath limit 1`,
  ],
  [
    'an interface has the path of another',
    `update dcim_interface set _path_id = ${LastPath}
      where id = (select min(id) from dcim_interface where _path_id > 0)`,
  ],
  [
    'an interface without a cable has a path',
    `update dcim_interface set _path_id = ${LastPath}
      where id = (select min(id) from dcim_interface where cable_id is null)`,
  ],
  ['an end knows nothing opposite', `update dcim_cabletermination set peers = '[]' where id = ${LastEnd}`],
  ['an end knows garbage opposite', `update dcim_cabletermination set peers = 'x' where id = ${LastEnd}`],
  ['an end knows another kind opposite', `update dcim_cabletermination set peer_type = 'x' where id = ${LastEnd}`],
  ['a region stands elsewhere', "update dcim_region set _place = x'ff00' where id = (select min(id) from dcim_region)"],
  ['a region has no bytes for a place', "update dcim_region set _place = 'a' where id = 1"],
] as [string, string][])
  test(`check finds and mends what is worked out: ${what}`, async () => {
    assert.deepEqual(problems(), [])
    const was = await shown()
    const other = openDatabase(join(client.data, 'cabinet.db'))
    other.pragma('foreign_keys = off')
    assert.ok(other.prepare(sql).run().changes > 0)
    other.close()
    assert.notDeepEqual(problems(), [])
    repair()
    assert.deepEqual(problems(), [])
    assert.deepEqual(await shown(), was)
  })

test('regions in a circle are found', () => {
  store.db.raw.prepare('update dcim_region set parent_id = id where id = (select max(id) from dcim_region)').run()
  assert.match(problems().join(), /dcim\.region \d+: depth or place/)
})
