import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { comparisonsOf } from '../../src/graphql/comparisons.ts'
import { inputs } from '../../src/graphql/inputs.ts'
import { membersOf, typeOf } from '../../src/graphql/members.ts'
import { filterName, graphicOf, rootName, shownModels, typeName } from '../../src/graphql/names.ts'
import { wordsOf } from '../../src/graphql/words.ts'

test('what models say in words names members, columns, relations and filters that there are', () => {
  for (const m of shownModels()) {
    assert.ok(membersOf(m).has('display'), m.name)
    assert.ok(comparisonsOf(m).has('id'), m.name)
  }
})

test('words that add are there, and those that take away are not', () => {
  for (const m of shownModels())
    for (const { name, isAway } of wordsOf(graphicOf(m).members))
      assert.equal(membersOf(m).has(name), !isAway, `${m.name} ${name}`)
})

test('names are told apart', () => {
  const names = shownModels().flatMap((m) => [typeName(m), filterName(m)])
  assert.equal(new Set(names).size, names.length)
  const roots = shownModels()
    .filter((m) => graphicOf(m).root !== false)
    .map(rootName)
  assert.equal(new Set(roots).size, roots.length)
  for (const name of Object.keys(inputs)) assert.ok(!names.includes(name), name)
})

test('types are those of the field kinds, and those of words', () => {
  const device = membersOf(allModels.find(({ name }) => name === 'dcim.device')!)
  const types = (...of: string[]) => of.map((name) => typeOf(device.get(name)!))
  assert.deepEqual(types('name', 'serial', 'position', 'status', 'vc_position', 'created', 'interface_count'), [
    'String',
    'String!',
    'Decimal',
    'String!',
    'Int',
    'DateTime',
    'BigInt!',
  ])
  assert.deepEqual(types('site', 'rack', 'interfaces', 'config_context', 'parent_bay', 'changelog'), [
    'SiteType!',
    'RackType',
    '[InterfaceType!]!',
    'JSON!',
    'DeviceBayType',
    '[ObjectChangeType!]!',
  ])
})
