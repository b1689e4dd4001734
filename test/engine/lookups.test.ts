import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../src/engine/actor.ts'
import { allModels } from '../../src/engine/catalog.ts'
import { serve } from '../support/server.ts'

const {
  running: { store },
} = await serve()
const tries: [string, unknown][] = [
  ['', 'x'],
  ['', 5],
  ['', null],
  ['', true],
  ['__in', [1]],
  ['__gt', 5],
  ['__range', ['a', 'b']],
  ['__icontains', 'a'],
  ['__regex', '^a'],
  ['__isnull', true],
  ['__date', '2020-01-01'],
  ['__model', 'x'],
  ['__net_contained', '10.0.0.0/8'],
  ['__net_contains', '10.0.0.0/8'],
  ['__family', 4],
  ['__id', 5],
  ['__name', 'x'],
  ['__x__y', 5],
  ['__contains', [5]],
]

test('a constraint on any field of any model can be judged, whatever it compares with', () => {
  for (const m of allModels) {
    const names = Object.keys(m.fields).flatMap((name) => [name, ...(m.fields[name].keys?.(name) ?? [])])
    for (const name of [
      ...names,
      'id',
      'pk',
      'display',
      'tags',
      'custom_fields',
      'custom_field_data',
      'custom_field_data__x',
      'journal_entries__comments',
    ]) {
      for (const [lookup, value] of tries) {
        const grants = new Map([[m.name.replace('.', '.view_'), [{ [name + lookup]: value }]]])
        const actor: Actor = { userId: 1, username: '', superuser: false, grants, exempt: () => false, writes: true }
        assert.doesNotThrow(() => store.reader.mayOn(actor, 'view', m, 1), `${m.name} ${name}${lookup}`)
      }
    }
  }
})
