import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame } = sides

let count = 0
const circuit = async (): Promise<number> => {
  const name = `c${++count}`
  const provider = (await make('circuits/providers', { name, slug: name })).id
  const type = (await make('circuits/circuit-types', { name, slug: name })).id
  return (await make('circuits/circuits', { cid: name, provider, type })).id
}
const end = async (makes: typeof make, of: number, term_side: string): Promise<number> => {
  const place = { termination_type: 'dcim.site', termination_id: sides.parts.site }
  return (await makes('circuits/circuit-terminations', { circuit: of, term_side, ...place })).id
}
/** The ends that a circuit names, once both sides are the same and these are its terminations. */
const endsOf = async (id: number): Promise<(number | null)[]> => {
  await areSame('circuits/circuits', 'circuits/circuit-terminations')
  const { termination_a, termination_z } = await there('GET', `circuits/circuits/${id}`)
  const named = [termination_a?.id ?? null, termination_z?.id ?? null]
  const rows = sides.source.running.store.db.all<any>(
    'select * from circuits_circuittermination where circuit_id = ?',
    id,
  )
  assert.deepEqual(
    named,
    ['A', 'Z'].map((side) => rows.find((row) => row.term_side === side)?.id ?? null),
  )
  return named
}

test('ends of a circuit that both sides made are one conflict, and the circuit names the one that stays', async () => {
  for (const take of ['ours', 'theirs'] as const) {
    const id = await circuit()
    await sync('pull')
    const [theirs, ours] = [await end(make, id, 'A'), await end(makeHere, id, 'A')]
    assert.equal((await sides.kit.sync('push')).code, 1)
    const conflicts = sides.conflicts()
    assert.deepEqual(
      conflicts.map(({ object_type }) => object_type),
      ['circuits.circuittermination'],
    )
    const decided = conflicts.map((each) => ({ ...each, take }))
    writeFileSync(join(sides.kit.data, 'conflicts.json'), JSON.stringify({ conflicts: decided }))
    await sync('push')
    assert.deepEqual(await endsOf(id), [take === 'ours' ? ours : theirs, null])
  }
})

test('a circuit names the end that moved on one side and the one that came on the other', async () => {
  for (const [one, makes] of [
    [here, make],
    [there, makeHere],
  ] as const) {
    const id = await circuit()
    const old = await end(make, id, 'A')
    await sync('pull')
    await one('PATCH', `circuits/circuit-terminations/${old}`, { term_side: 'Z' })
    await end(makes, id, 'Z')
    for (const take of ['ours', 'theirs'] as const) await sides.kit.sync('push', { [take]: true })
    assert.equal((await endsOf(id)).filter((each) => each !== null).length > 0, true)
  }
})

test('an end that one side deleted and the other changed is named where it stays', async () => {
  for (const [one, other] of [
    [here, there],
    [there, here],
  ] as const)
    for (const take of ['ours', 'theirs'] as const) {
      const id = await circuit()
      const old = await end(make, id, 'A')
      await sync('pull')
      await one('DELETE', `circuits/circuit-terminations/${old}`)
      await other('PATCH', `circuits/circuit-terminations/${old}`, { description: 'seen' })
      await sync('push', { [take]: true })
      assert.deepEqual(await endsOf(id), [(take === 'ours') === (one === here) ? null : old, null])
    }
})
