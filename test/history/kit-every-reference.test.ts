import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemsOf } from '../support/problems.ts'
import { type Body, Maker } from '../support/maker.ts'
import { type Decided, lostValues } from '../support/merge-judge.ts'
import { type Place, placesWith, valuesOfBoth } from '../support/places.ts'
import { Random, seedOf } from '../support/random.ts'
import { Sides } from '../support/sides.ts'
import { changesBetween, type Values } from '../support/values.ts'

const sides = new Sides()
const { sync, make } = sides

const seed = seedOf()
const random = new Random(seed)
/** What generic references that take many models are tried with; of those that take a few, as many are drawn. */
const Some = ['dcim.site', 'dcim.interface', 'virtualization.virtualmachine']
const places = placesWith(({ onDelete, models }) => {
  if (onDelete !== 'cascade') return []
  return typeof models === 'string' ? Some : random.shuffled(models).slice(0, Some.length)
})

const values = (of: 'source' | 'kit'): Values => valuesOfBoth(sides[of].running.store)
let makers = 0
/** What makes objects on one side, with names of its own. */
const makerOf = ({ call }: Pick<Maker, 'call'>) => new Maker(call, makers++ * 4000)
/** Makes an object; undefined where rules refuse what is drawn. */
async function made(maker: Maker, name: string, more: Body = {}): Promise<number | undefined> {
  try {
    return await maker.fresh(name, more)
  } catch (error) {
    if (!/cannot make/.test((error as Error).message)) throw error
    return undefined
  }
}

/**
 * By every reference there is, one side has an old and a new object refer to others, which the other side deletes.
 * Answers the state where both parted, and how many references were made.
 */
async function refer(moves: 'here' | 'there'): Promise<{ parted: Values; count: number }> {
  const [from, other] = moves === 'here' ? [sides.kit, sides.source] : [sides.source, sides.kit]
  const [first, own] = [makerOf(sides.source), makerOf(from)]
  const all: { place: Place; old: number; targets: [number, number] }[] = []
  for (const place of places) {
    const [a, b, old] = [
      await made(first, place.to.name),
      await made(first, place.to.name),
      await made(first, place.m.name),
    ]
    if (a && b && old) all.push({ place, old, targets: [a, b] })
  }
  await sync('pull')
  const parted = values('source')
  let count = 0
  for (const { place, old, targets } of all) {
    const { m, body } = place
    const more = m.fields.user ? { user: 1 } : {} // accounts that are made in a kit stay there
    if ((await from.call('PATCH', `/api/${m.path}/${old}/`, body(targets[0]))).status < 300) count++
    if (await made(own, m.name, { ...more, ...body(targets[1]) })) count++
  }
  for (const { place, targets } of all)
    for (const id of targets) await other.call('DELETE', `/api/${place.to.path}/${id}/`)
  return { parted, count }
}

for (const moves of ['here', 'there'] as const) {
  const take = random.pick(['ours', 'theirs'] as const)
  test(`every reference ${moves} to what the other side deleted, decided for ${take} (seed ${seed})`, async () => {
    const { source, kit } = sides
    if (moves === 'here')
      await make('extras/custom-fields', { name: 'matrix', type: 'text', object_types: ['dcim.site'] })
    const { parted, count } = await refer(moves)
    assert.ok(count > 100, `${count} references`)
    const [ours, theirs] = [values('kit'), values('source')]
    const file = join(kit.data, 'decided.json')
    const decidedIn = () =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { conflicts: Decided[] }).conflicts : []
    const known = decidedIn().length
    const said = await kit.sync('push', { [take]: true })
    assert.equal(said.code, 0, said.out)
    assert.deepEqual(problemsOf(source.running.store), [], 'the source')
    assert.deepEqual(problemsOf(kit.running.store), [], 'the kit')
    const result = values('source')
    assert.deepEqual(changesBetween(values('kit'), result), [])
    const decided = decidedIn()
    const told = decided.slice(0, decided.length - known)
    assert.deepEqual(lostValues({ parted, ours, theirs, result }, told), [])
  })
}
