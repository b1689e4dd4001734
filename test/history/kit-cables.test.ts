import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesHere, countsOf, demandKit } from '../../src/history/kit.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, here, there, sync, areSame, device, end } = sides

test('a cable that comes to what was moved here is found where that is now', async () => {
  const { parts } = sides
  const { site } = parts
  const other = await make('dcim/sites', { name: 'Annex', slug: 'annex' })
  const rack = await make('dcim/racks', { name: 'R9', site })
  const [moved, racked] = [
    await make('dcim/devices', device('moved')),
    await make('dcim/devices', device('racked', { rack: rack.id })),
  ]
  const provider = await make('circuits/providers', { name: 'P', slug: 'p' })
  const type = await make('circuits/circuit-types', { name: 'T', slug: 't' })
  const circuit = await make('circuits/circuits', { cid: 'C1', provider: provider.id, type: type.id })
  const panel = await make('dcim/power-panels', { name: 'PP', site })
  const ends = [
    ['dcim.interface', (await make('dcim/interfaces', { device: moved.id, name: 'm1', type: '1000base-t' })).id],
    ['dcim.interface', (await make('dcim/interfaces', { device: racked.id, name: 'm2', type: '1000base-t' })).id],
    [
      'circuits.circuittermination',
      (
        await make('circuits/circuit-terminations', {
          circuit: circuit.id,
          term_side: 'A',
          termination_type: 'dcim.site',
          termination_id: site,
        })
      ).id,
    ],
    ['dcim.powerfeed', (await make('dcim/power-feeds', { name: 'F', power_panel: panel.id })).id],
  ] as const
  const powerPort = await make('dcim/power-ports', { device: parts.a, name: 'psu' })
  await sync('pull')
  const move = async (ask: typeof here, to: number) => {
    await ask('PATCH', `dcim/devices/${moved.id}`, { site: to })
    await ask('PATCH', `dcim/racks/${rack.id}`, { site: to })
    await ask('PATCH', `circuits/circuit-terminations/${ends[2]![1]}`, {
      termination_type: 'dcim.site',
      termination_id: to,
    })
    await ask('PATCH', `dcim/power-panels/${panel.id}`, { site: to })
  }
  const connect = async (ask: typeof here) => {
    const cables = []
    for (const [i, [object_type, object_id]] of ends.entries()) {
      const b =
        object_type === 'dcim.powerfeed'
          ? [{ object_type: 'dcim.powerport', object_id: powerPort.id }]
          : end(parts[`p${i + 1}`]!)
      cables.push(await ask('POST', 'dcim/cables', { a_terminations: [{ object_type, object_id }], b_terminations: b }))
    }
    return cables
  }
  await move(here, other.id)
  const cables = await connect(there)
  await sync('push')
  await areSame('dcim/cables', 'dcim/devices', 'circuits/circuit-terminations')
  await move(there, site!)
  for (const { id } of cables) await here('DELETE', `dcim/cables/${id}`)
  await connect(here)
  await sync('push')
  await areSame('dcim/cables', 'dcim/devices', 'circuits/circuit-terminations')
})

test('an end that comes back with its port does not fit what its cable was connected to meanwhile', async () => {
  const { a } = sides.parts
  for (const [take, isWritten] of [
    ['ours', true],
    ['theirs', true],
    ['ours', false],
    ['theirs', false],
  ] as const) {
    const name = `${take} ${isWritten}`
    const outlet = await make('dcim/power-outlets', { device: a, name })
    const port = await make('dcim/power-ports', { device: a, name })
    const console = await make('dcim/console-server-ports', { device: a, name })
    const at = (model: string, object_id: number) => [{ object_type: `dcim.${model}`, object_id }]
    const cable = await make('dcim/cables', {
      a_terminations: at('powerport', port.id),
      b_terminations: at('poweroutlet', outlet.id),
    })
    await sync('pull')
    await here('DELETE', `dcim/power-outlets/${outlet.id}`)
    const other = { a_terminations: at('consoleserverport', console.id) }
    await here('PATCH', `dcim/cables/${cable.id}`, isWritten ? { ...other, status: 'planned' } : other)
    await there('PATCH', `dcim/power-outlets/${outlet.id}`, { description: 'changed' })
    const decisions = { theirs: true, [`${take}-of`]: `dcim.cable:${cable.id}` }
    await sync('push', take === 'ours' ? decisions : { theirs: true })
    assert.equal((await there('GET', `dcim/power-outlets/${outlet.id}`)).description, 'changed')
    const ends = await there('GET', `dcim/cables/${cable.id}`)
    assert.deepEqual(
      [ends.a_terminations[0].object_type, ends.b_terminations.length],
      take === 'ours' ? ['dcim.consoleserverport', 0] : ['dcim.powerport', 1],
    )
    await areSame('dcim/cables', 'dcim/power-outlets', 'dcim/power-ports', 'dcim/console-server-ports')
  }
})

test('an end taken from a cable that lost another with its port on the other side is told of', async () => {
  const { a } = sides.parts
  for (const take of ['ours', 'theirs'] as const) {
    const ports = []
    for (const name of ['a', 'b', 'c'])
      ports.push((await make('dcim/interfaces', { device: a, name: `${name} ${take}`, type: '1000base-t' })).id)
    const [one, two, three] = ports as [number, number, number]
    const b_terminations = [...end(two), ...end(three)]
    const cable = await make('dcim/cables', { a_terminations: end(one), b_terminations })
    await sync('pull')
    await here('DELETE', `dcim/interfaces/${three}`)
    await there('PATCH', `dcim/cables/${cable.id}`, { b_terminations: end(three) })
    const said = await sync('push', { [take]: true })
    assert.match(said, new RegExp(`cable ${cable.id} `))
    const { b_terminations: left } = await there('GET', `dcim/cables/${cable.id}`)
    assert.deepEqual(
      left.map((each: any) => each.object_id),
      take === 'ours' ? [two] : [three], // the port comes back with its end
    )
    await areSame('dcim/cables', 'dcim/interfaces')
  }
})

test('a cable whose new place and old one are both given to others by decisions is connected to neither', async () => {
  const port = async (name: string) => (await make('dcim/interfaces', { device: parts.a, name, type: '1000base-t' })).id
  const { parts } = sides
  const cable = (a: number, b: number) => ({ a_terminations: end(a), b_terminations: end(b) })
  for (const decision of ['ours', 'theirs'] as const) {
    const [p1, p2, p3, p4, p5, p6] = (await Promise.all([1, 2, 3, 4, 5, 6].map((n) => port(`${decision} ${n}`)))) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const [first, second] = [await make('dcim/cables', cable(p1, p2)), await make('dcim/cables', cable(p3, p4))]
    await sync('pull')
    await here('PATCH', `dcim/cables/${first.id}`, { a_terminations: end(p5) })
    await here('PATCH', `dcim/cables/${second.id}`, { a_terminations: end(p1) })
    const third = await make('dcim/cables', cable(p5, p6))
    const key = ({ id }: { id: number }) => `dcim.cable:${id}.terminations`
    const settled = { 'theirs-of': key(third) }
    assert.equal((await sides.kit.sync('push', settled)).code, 1)
    await sync('push', {
      ...settled,
      [`${decision}-of`]: decision === 'ours' ? key(first) : `${key(third)},${key(first)}`,
    })
    const ends = async ({ id }: { id: number }) => {
      const { a_terminations, b_terminations } = await there('GET', `dcim/cables/${id}`)
      return [...a_terminations, ...b_terminations].map(({ object_id }: { object_id: number }) => object_id)
    }
    assert.deepEqual(
      [await ends(first), await ends(second), await ends(third)],
      decision === 'ours'
        ? [[p2], [p1, p4], [p5, p6]]
        : [
            [p1, p2],
            [p3, p4],
            [p5, p6],
          ],
    )
    await areSame('dcim/cables', 'dcim/interfaces')
  }
})

test('two cables of the kit, and what came to their ends: connected as the decisions say, or nowhere', async () => {
  const cable = async (a: number[], b: number[], ask = there): Promise<number> =>
    (await ask('POST', 'dcim/cables', { a_terminations: a.flatMap(end), b_terminations: b.flatMap(end) })).id
  for (const [first, second, ends] of [
    ['theirs', 'theirs', [['e1'], ['e3']]],
    ['ours', 'theirs', [[], ['e2']]],
    ['theirs', 'ours', [['e1'], ['e3']]],
    ['ours', 'ours', [['e4', 'e5'], ['e2']]],
  ] as const) {
    const holder = await make('dcim/devices', device(`${first} ${second}`))
    const ports: number[] = []
    for (let i = 0; i < 10; i++)
      ports.push((await make('dcim/interfaces', { device: holder.id, name: `e${i}`, type: '1000base-t' })).id)
    const at = (...numbers: number[]) => numbers.map((i) => ports[i]!)
    const [moved, torn] = [await cable(at(4), at(6)), await cable(at(1), at(2))]
    await sync('pull')
    await here('PATCH', `dcim/cables/${moved}`, { a_terminations: at(7).flatMap(end) })
    await here('PATCH', `dcim/cables/${torn}`, { a_terminations: at(4, 5).flatMap(end) })
    await cable(at(3), at(8), here)
    const rival = await cable(at(7), at(5))
    await there('PATCH', `dcim/cables/${torn}`, { b_terminations: at(3).flatMap(end) })
    const [one, other] = [`dcim.cable:${torn}.terminations`, `dcim.cable:${rival}.terminations`]
    const options =
      first === second ? { [`${first}-of`]: `${one},${other}` } : { [`${first}-of`]: one, [`${second}-of`]: other }
    await sync('push', options)
    const is = await there('GET', `dcim/cables/${torn}`)
    const names = (of: any[]) => of.map(({ object }) => object.name).sort()
    assert.deepEqual([names(is.a_terminations), names(is.b_terminations)], ends, `${first} ${second}`)
    await areSame('dcim/cables', 'dcim/interfaces')
  }
})

test('a circuit termination in the place of another one that goes, with a cable at it', async () => {
  const provider = await make('circuits/providers', { name: 'Carrier', slug: 'carrier' })
  const type = await make('circuits/circuit-types', { name: 'Line', slug: 'line' })
  for (const writes of [here, there]) {
    const cid = writes === here ? 'of the kit' : 'of the source'
    const circuit = await make('circuits/circuits', { cid, provider: provider.id, type: type.id })
    const end = (term_side: string) => ({
      circuit: circuit.id,
      term_side,
      termination_type: 'dcim.site',
      termination_id: sides.parts.site,
    })
    const old = await make('circuits/circuit-terminations', end('A'))
    await make('circuits/circuit-terminations', end('Z'))
    const port = await make('dcim/interfaces', { device: sides.parts.a, name: cid, type: '1000base-t' })
    await sync('pull')
    await writes('DELETE', `circuits/circuit-terminations/${old.id}`)
    const { id } = await writes('POST', 'circuits/circuit-terminations', end('A'))
    await writes('POST', 'dcim/cables', {
      a_terminations: sides.end(port.id),
      b_terminations: [{ object_type: 'circuits.circuittermination', object_id: id }],
    })
    await sync(writes === here ? 'push' : 'pull')
    for (const side of [here, there]) {
      const [path] = await side('GET', `dcim/interfaces/${port.id}/trace`)
      assert.equal(path[2][0].id, id)
    }
    await areSame('circuits/circuit-terminations', 'dcim/cables', 'dcim/interfaces')
  }
})

test('a cable that stays by a decision, and one in its place from the side where it was deleted', async () => {
  const others = { ours: 'theirs', theirs: 'ours' } as const
  for (const [by, at] of ['ours', 'theirs'].flatMap((side) => [
    [side, 'b'],
    [side, 'c'],
  ]) as ['ours' | 'theirs', string][]) {
    const [writes, deletes] = by === 'ours' ? [here, there] : [there, here]
    const other = others[by]
    for (const [stays, place, ends] of [
      [by, by, [['c'], ['b']]],
      [by, other, at === 'b' ? [['c'], []] : [[], ['b']]],
      [other, other, undefined],
    ] as const) {
      const holder = await make('dcim/devices', device(`${by} ${at} ${stays} ${place}`))
      const ports: Record<string, object[]> = {}
      for (const name of ['a', 'b', 'c', 'd'])
        ports[name] = end((await make('dcim/interfaces', { device: holder.id, name, type: '1000base-t' })).id)
      const old = await make('dcim/cables', { a_terminations: ports.a, b_terminations: ports.b })
      await sync('pull')
      await writes('PATCH', `dcim/cables/${old.id}`, { a_terminations: ports.c, label: 'moved' })
      await deletes('DELETE', `dcim/cables/${old.id}`)
      const next = await deletes('POST', 'dcim/cables', { a_terminations: ports.d, b_terminations: ports[at] })
      const decisions = { ours: '', theirs: '' }
      decisions[stays] += `dcim.cable:${old.id},`
      decisions[place] += `dcim.cable:${old.id}.terminations,dcim.cable:${next.id}.terminations,`
      await sync('push', { 'ours-of': decisions.ours, 'theirs-of': decisions.theirs })
      const { status, json: is } = await sides.source.call('GET', `/api/dcim/cables/${old.id}/`)
      const names = (rows: any[]) => rows.map(({ object }) => object.name)
      const ended = status === 200 ? [names(is.a_terminations), names(is.b_terminations)] : undefined
      assert.deepEqual(ended, ends, `${by}, ${at}: ${stays} ${place}`)
      await areSame('dcim/cables', 'dcim/interfaces')
    }
  }
})

test('what else changes of a connected port is no change of its cable, and what connects it is', async () => {
  const port = (name: string) => make('dcim/interfaces', { device: sides.parts.a, name, type: '1000base-t' })
  const [one, other] = [await port('n1'), await port('n2')]
  const body = { a_terminations: end(one.id), b_terminations: end(other.id) }
  const cable = await make('dcim/cables', body)
  await sync('pull')
  const { db } = sides.kit.running.store
  const counts = () => Object.fromEntries(countsOf(changesHere(db, demandKit(db)).values()))
  await here('PATCH', `dcim/interfaces/${one.id}`, { description: 'up' })
  assert.deepEqual(counts(), { 'dcim.interface': 1 })
  await here('DELETE', `dcim/cables/${cable.id}`)
  assert.deepEqual(counts(), { 'dcim.interface': 1, 'dcim.cable': 1 })
  await here('POST', 'dcim/cables', body)
  assert.deepEqual(counts(), { 'dcim.interface': 1, 'dcim.cable': 2 })
  await sync('push')
  await areSame('dcim/cables', 'dcim/interfaces')
})

test('paths stay as they are where something else changed of what they go through', async () => {
  const port = (name: string) => make('dcim/interfaces', { device: sides.parts.a, name, type: '1000base-t' })
  const [one, other] = [await port('m1'), await port('m2')]
  const cable = await make('dcim/cables', { a_terminations: end(one.id), b_terminations: end(other.id) })
  await sync('pull')
  const { db } = sides.source.running.store
  const paths = () =>
    db.all(
      'select distinct path_id from dcim_cablepathnode where node_type = ? and node_id = ? order by 1',
      'dcim.cable',
      cable.id,
    )
  const before = paths()
  assert.equal(before.length, 2)
  for (const { id } of [one, other]) await here('PATCH', `dcim/interfaces/${id}`, { description: 'up' })
  await sync('push')
  assert.deepEqual(paths(), before)
  await here('PATCH', `dcim/cables/${cable.id}`, { status: 'planned' })
  await sync('push')
  assert.notDeepEqual(paths(), before)
  await areSame('dcim/cables', 'dcim/interfaces')
})
