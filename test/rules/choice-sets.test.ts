import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseChoices } from '../../src/rules/choice-sets.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const sets = '/api/extras/custom-field-choice-sets/'

test('a set must have choices, none twice, and keeps those in use', async () => {
  assert.equal((await call('POST', sets, { name: 'None', extra_choices: [] })).status, 400)
  assert.equal(
    (
      await call('POST', sets, {
        name: 'Twice',
        extra_choices: [
          ['a', 'A'],
          ['a', 'B'],
        ],
      })
    ).status,
    400,
  )
  const { json: set } = await call('POST', sets, {
    name: 'Tiers',
    extra_choices: [
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ],
  })
  for (const [name, type] of [
    ['tier', 'select'],
    ['tiers', 'multiselect'],
  ])
    await call('POST', '/api/extras/custom-fields/', { name, type, object_types: ['dcim.site'], choice_set: set.id })
  assert.equal(
    (await call('POST', '/api/dcim/sites/', { name: 'S', slug: 's', custom_fields: { tier: 'a', tiers: ['b'] } }))
      .status,
    201,
  )
  for (const rest of [[['b', 'B']], [['a', 'A']]])
    assert.equal((await call('PATCH', `${sets}${set.id}/`, { extra_choices: rest })).status, 400)
  assert.equal(
    (
      await call('PATCH', `${sets}${set.id}/`, {
        extra_choices: [
          ['b', 'B'],
          ['a', 'A'],
        ],
      })
    ).status,
    200,
  )
})

test('choices in pages, searched and in order', async () => {
  const { json: set } = await call('POST', sets, {
    name: 'Letters',
    extra_choices: [
      ['z', 'Zulu'],
      ['a', 'Alpha'],
    ],
    order_alphabetically: true,
  })
  assert.equal(set.choices_count, 2)
  assert.deepEqual((await call('GET', `${sets}${set.id}/choices/`)).json, {
    count: 2,
    next: null,
    previous: null,
    results: [
      { id: 'a', display: 'Alpha' },
      { id: 'z', display: 'Zulu' },
    ],
  })
  assert.deepEqual((await call('GET', `${sets}${set.id}/choices/?q=ULU`)).json.results, [{ id: 'z', display: 'Zulu' }])
  const first = (await call('GET', `${sets}${set.id}/choices/?limit=1`)).json
  assert.deepEqual((await call('GET', new URL(first.next).pathname + new URL(first.next).search)).json.results, [
    { id: 'z', display: 'Zulu' },
  ])
})

test('countries and airports come as a base', async () => {
  assert.equal(new Map(baseChoices('IATA')).get('AAA'), 'AAA (Anaa, PF)')
  for (const [base, value] of [
    ['ISO_3166', 'DE'],
    ['IATA', 'FRA'],
  ] as const) {
    const { json: set } = await call('POST', sets, {
      name: base,
      base_choices: base,
      extra_choices: [['xx', 'Elsewhere']],
    })
    assert.equal(set.choices_count, baseChoices(base).length + 1)
    assert.ok(
      (await call('GET', `${sets}${set.id}/choices/?q=${value}`)).json.results.some(
        ({ id }: { id: string }) => id === value,
      ),
    )
    for (const [code, label] of baseChoices(base)) {
      assert.match(code, base === 'IATA' ? /^[A-Z]{3}$/ : /^[A-Z]{2}$/)
      if (base === 'IATA') assert.match(label, /^[A-Z]{3} \(\S.*, [A-Z]{2}\)$/)
    }
    const name = base.toLowerCase()
    assert.equal(
      (
        await call('POST', '/api/extras/custom-fields/', {
          name,
          type: 'select',
          object_types: ['dcim.region'],
          choice_set: set.id,
        })
      ).status,
      201,
    )
    assert.equal(
      (
        await call('POST', '/api/dcim/regions/', {
          name,
          slug: name.replace('_', '-'),
          custom_fields: { [name]: value },
        })
      ).status,
      201,
    )
    assert.equal(
      (await call('POST', '/api/dcim/regions/', { name: 'x', slug: 'x', custom_fields: { [name]: '--' } })).status,
      400,
    )
  }
})
