import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, byFile, areSame, conflicts } = sides

const object_types = ['dcim.site', 'dcim.rack']
const field = async (name: string, more: object = {}): Promise<number> =>
  (await make('extras/custom-fields', { name, type: 'text', object_types, ...more })).id
const stored = async (id: number, name: string) => (await there('GET', `dcim/sites/${id}`)).custom_fields[name]
let count = 0
const sited = (custom_fields: object) => {
  const name = `s${++count}`
  return { name, slug: name, custom_fields }
}
const Takes = ['ours', 'theirs'] as const
const decide = (take: 'ours' | 'theirs', way: string) =>
  way === 'file' ? byFile(take) : sync('push', { [take]: true })

/** One conflict is open, with both sides' values, and either can be taken. */
async function isAsked(keys: readonly string[], value: unknown): Promise<void> {
  const said = await sides.kit.sync('push')
  assert.equal(said.code, 1, said.out)
  const [conflict, ...others] = conflicts()
  assert.ok(keys.includes(conflict.key) && others.length === 0, said.out)
  assert.ok(conflict.ours !== null && conflict.theirs !== null, JSON.stringify(conflict))
  assert.ok(JSON.stringify([conflict.ours, conflict.theirs]).includes(JSON.stringify(value)), JSON.stringify(conflict))
  assert.doesNotMatch(conflict.if_theirs + conflict.if_ours, /nothing can be done/)
}

test('a value that a rule of its custom field refuses, which the other side changed: old and new ones', async () => {
  const choices = async (name: string) =>
    (
      await make('extras/custom-field-choice-sets', {
        name,
        extra_choices: [
          ['a', 'A'],
          ['b', 'B'],
        ],
      })
    ).id
  const rules = {
    regex: [{ type: 'text' }, { validation_regex: '^[0-9]+$' }, 'abc', '12'],
    most: [{ type: 'integer' }, { validation_maximum: 50 }, 99, 12],
    required: [{ type: 'text' }, { required: true }, null, 'x'],
    set: [{ type: 'select' }, undefined, 'b', 'a'],
  } as const
  for (const [rule, [type, change, wrong, right]] of Object.entries(rules))
    for (const [rules, writes, creates, winner] of [
      [there, here, makeHere, 'theirs'],
      [here, there, make, 'ours'],
    ] as const)
      for (const take of Takes)
        for (const way of [take === winner ? 'flag' : 'file']) {
          const name = `${rule}_${winner}_${take}_${way}`
          const choice_set = change ? undefined : await choices(name)
          const set = `extras.customfieldchoiceset:${choice_set}` // which refuses to lose a choice that is used
          const id = await field(name, { ...type, choice_set })
          const old = (await make('dcim/sites', sited({ [name]: right }))).id
          await sync('pull')
          if (change) await rules('PATCH', `extras/custom-fields/${id}`, change)
          else await rules('PATCH', `extras/custom-field-choice-sets/${choice_set}`, { extra_choices: [['a', 'A']] })
          await writes('PATCH', `dcim/sites/${old}`, { facility: 'kept', custom_fields: { [name]: wrong } })
          await isAsked([set, `dcim.site:${old}.custom_fields.${name}`], wrong)
          await decide(take, way)
          assert.deepEqual(await stored(old, name), take === winner ? right : wrong, name)
          assert.equal((await there('GET', `dcim/sites/${old}`)).facility, 'kept')
          if (rule !== 'required') {
            if (take === winner) {
              if (change) await there('PATCH', `extras/custom-fields/${id}`, unchange(change))
              else
                await there('PATCH', `extras/custom-field-choice-sets/${choice_set}`, {
                  extra_choices: [
                    ['a', 'A'],
                    ['b', 'B'],
                  ],
                })
            } else await there('PATCH', `dcim/sites/${old}`, { custom_fields: { [name]: right } })
            await sync('pull')
            if (change) await rules('PATCH', `extras/custom-fields/${id}`, change)
            else await rules('PATCH', `extras/custom-field-choice-sets/${choice_set}`, { extra_choices: [['a', 'A']] })
            const fresh = (await creates('dcim/sites', sited({ [name]: wrong }))).id
            await isAsked([set, `dcim.site:${fresh}.custom_fields.${name}`], wrong)
            await decide(take, way)
            assert.deepEqual(await stored(fresh, name), take === winner ? null : wrong, name)
          }
          await areSame('dcim/sites', 'extras/custom-fields', 'extras/custom-field-choice-sets')
          await there('DELETE', `extras/custom-fields/${id}`)
        }
})
const unchange = (change: object): object =>
  Object.fromEntries(Object.keys(change).map((key) => [key, key === 'validation_regex' ? '' : null]))

test('a unique value of a custom field that both sides gave', async () => {
  for (const take of Takes)
    for (const way of ['flag', 'file']) {
      const name = `unique_${take}_${way}`
      await field(name, { unique: true })
      const old = (await make('dcim/sites', sited({ [name]: 'before' }))).id
      await sync('pull')
      const mine = (await makeHere('dcim/sites', sited({ [name]: 'same' }))).id
      await there('PATCH', `dcim/sites/${old}`, { custom_fields: { [name]: 'same' } })
      await isAsked([`dcim.site:${old}.custom_fields.${name}`], 'same')
      await decide(take, way)
      assert.deepEqual(
        [await stored(mine, name), await stored(old, name)],
        take === 'ours' ? ['same', 'before'] : [null, 'same'],
      )
      await areSame('dcim/sites')
    }
})

test('a default that many objects have is no value that somebody gave twice', async () => {
  for (const [name, gives, makes] of [
    ['once_there', there, makeHere],
    ['once_here', here, make],
  ] as const) {
    await gives('POST', 'extras/custom-fields', { name, type: 'text', object_types, unique: true, default: 'preset' })
    const made = [await makes('dcim/sites', sited({})), await makes('dcim/sites', sited({}))]
    await sync('push')
    for (const { id } of made) assert.equal(await stored(id, name), 'preset', name)
    await areSame('dcim/sites')
  }
})
