import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AnyModel } from '../../src/declare/model.ts'
import { problemsOf } from '../support/problems.ts'
import { type Body, Maker, writable } from '../support/maker.ts'
import { type Decided, type Listed, lostValues } from '../support/merge-judge.ts'
import { type Place, placesWith, valuesOfBoth } from '../support/places.ts'
import { Random, seedOf } from '../support/random.ts'
import { Sides } from '../support/sides.ts'
import { changesBetween, type Values } from '../support/values.ts'

/** CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer, CABINET_TEST_SIZE its rounds. */
const seed = seedOf()
const random = new Random(seed)
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 2
const most = Number(process.env.CABINET_TEST_SIZE) || 25
const sides = new Sides()
const { sync } = sides

const places = placesWith(({ models }) => (typeof models === 'string' ? ['dcim.site', 'dcim.interface'] : models))

const values = (of: 'source' | 'kit'): Values => valuesOfBoth(sides[of].running.store)

/** An object, and the body that made it, which makes it anew. */
interface Made {
  m: AnyModel
  id: number
  body: Body
}
type Maybe = Made | undefined

let makers = 0
/** One who works at a side; what rules refuse is left. */
class Worker {
  readonly #call: Maker['call']
  readonly #maker: Maker

  constructor({ call }: Pick<Maker, 'call'>) {
    this.#call = call
    this.#maker = new Maker(call, makers++ * 4000)
  }

  async #send(method: string, m: AnyModel, body?: Body, id?: number) {
    const reply = await this.#call(method, `/api/${m.path}/${id === undefined ? '' : `${id}/`}`, body)
    assert.ok(reply.status < 500, `${method} ${m.path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`)
    return reply
  }

  async #body(m: AnyModel, extent: 'minimal' | 'full'): Promise<Body | undefined> {
    try {
      const all = Object.entries(await this.#maker.body(m, extent)).filter(([, value]) => !(value instanceof Blob))
      return { ...Object.fromEntries(all), ...(m.fields.user && !m.fields.user.readOnly ? { user: 1 } : {}) }
    } catch (error) {
      if (!/cannot make/.test((error as Error).message)) throw error
      return undefined
    }
  }

  async add(m: AnyModel, more: Body = {}): Promise<Maybe> {
    const body = await this.#body(m, 'minimal')
    return body && this.again({ m, body }, more)
  }

  /** Makes something as it was made before. */
  async again({ m, body: known }: Pick<Made, 'm' | 'body'>, more: Body = {}): Promise<Maybe> {
    const body = { ...known, ...more }
    const reply = await this.#send('POST', m, body)
    return reply.status === 201 ? { m, id: (reply.json as { id: number }).id, body } : undefined
  }

  async remove(...made: Maybe[]): Promise<void> {
    for (const each of made) if (each) await this.#send('DELETE', each.m, undefined, each.id)
  }

  async patch(made: Maybe, body: Body): Promise<void> {
    if (made) await this.#send('PATCH', made.m, body, made.id)
  }

  /** Gives an object some other values. */
  async edit({ m, id }: Made): Promise<void> {
    const fresh = (await this.#body(m, random.chance(0.5) ? 'full' : 'minimal')) ?? {}
    const body: Body = 'description' in m.fields ? { description: `edited ${random.below(1000)}` } : {}
    for (const [name, field] of random.shuffled(writable(m)).slice(0, 1 + random.below(3)))
      for (const key of field.keys?.(name) ?? [name]) if (key in fresh) body[key] = fresh[key]
    await this.#send('PATCH', m, body, id)
  }
}

/** Two objects, and what refers to the first. */
interface Scene {
  place: Place
  first: Made
  second: Made
  one: Made
  two: Maybe
}

async function begin(w: Worker, place: Place): Promise<Scene[]> {
  const [first, second] = [await w.add(place.to), await w.add(place.to)]
  if (!first || !second) return []
  const [one, two] = [await w.add(place.m, place.body(first.id)), await w.add(place.m, place.body(first.id))]
  return one ? [{ place, first, second, one, two }] : []
}

/** What somebody does to an object and to what refers to it. */
const Acts: readonly ((w: Worker, scene: Scene) => Promise<unknown>)[] = [
  (w, { first }) => w.edit(first),
  (w, { one }) => w.edit(one),
  (w, { place, first }) => w.add(place.m, place.body(first.id)),
  (w, { place, one, second }) => w.again(one, place.body(second.id)),
  (w, { place, one, second }) => w.patch(one, place.body(second.id)),
  (w, { first }) => w.remove(first),
  (w, { first, one, two }) => w.remove(one, two, first),
  (w, { one }) => w.remove(one),
  async (w, { place, first, second, one, two }) => {
    for (const each of [one, two]) await w.patch(each, place.body(second.id))
    await w.remove(first)
  },
  async (w, { first }) => {
    await w.remove(first)
    await w.again(first)
  },
  async (w, { place, first, one, two }) => {
    await w.remove(one, two, first)
    const next = await w.again(first)
    for (const each of next ? [one, two] : []) if (each) await w.again(each, place.body(next!.id))
  },
  async (w, { one }) => {
    await w.remove(one)
    await w.again(one)
  },
  async (w, { place, second, one }) => {
    await w.remove(one)
    await w.again(one, place.body(second.id))
  },
  async (w, { place, first, second, one, two }) => {
    for (const each of [one, two]) await w.patch(each, place.body(second.id))
    await w.remove(first)
    const next = await w.again(first)
    for (const each of next ? [one, two] : []) await w.patch(each, place.body(next!.id))
  },
]

/** Pushes, and decides all by a flag, or each conflict by the file. */
async function pushSettling(): Promise<void> {
  const { kit } = sides
  const way = random.pick(['ours', 'theirs', 'file'] as const)
  for (let tries = 0; ; tries++) {
    const said = await kit.sync('push', way === 'file' ? {} : { [way]: true })
    if (said.code === 0) return
    assert.ok(way === 'file' && tries < 20, `it never ends (${way}): ${said.out}`)
    const conflicts = (sides.conflicts() as (Listed & { take?: string })[]).map((each) => ({
      ...each,
      take: each.take ?? random.pick(['ours', 'theirs']),
    }))
    writeFileSync(join(kit.data, 'conflicts.json'), JSON.stringify({ conflicts }))
  }
}

for (let round = 0; round < rounds; round++)
  test(`what one side moves, deletes or makes anew, the other works at (seed ${seed}, round ${round})`, async () => {
    const { source, kit } = sides
    await sync('push')
    const maker = new Worker(source)
    const scenes: Scene[] = []
    for (const place of random.shuffled(places).slice(0, most)) scenes.push(...(await begin(maker, place)))
    await sync('pull')
    const parted = values('source')
    const [here, there] = [new Worker(kit), new Worker(source)]
    for (const scene of scenes) {
      const [ours, theirs] = [random.pick(Acts), random.pick(Acts)]
      await ours(here, scene)
      await theirs(there, scene)
    }
    const [ours, theirs] = [values('kit'), values('source')]
    const file = join(kit.data, 'decided.json')
    const decidedIn = () =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { conflicts: Decided[] }).conflicts : []
    const known = decidedIn().length
    await pushSettling()
    assert.deepEqual(problemsOf(source.running.store), [], 'the source')
    assert.deepEqual(problemsOf(kit.running.store), [], 'the kit')
    const result = values('source')
    assert.deepEqual(changesBetween(values('kit'), result), [])
    const decided = decidedIn()
    const told = decided.slice(0, decided.length - known)
    assert.deepEqual(lostValues({ parted, ours, theirs, result }, told), [])
  })
