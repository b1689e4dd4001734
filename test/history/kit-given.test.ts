import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../support/samples.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, here, there, sync, areSame } = sides

const Racks = 'dcim/racks'
let count = 0
const type = async (u_height: number): Promise<number> => {
  const name = `type${++count}`
  const { id } = await make('dcim/manufacturers', { name, slug: name })
  const body = { manufacturer: id, model: name, slug: name, form_factor: '4-post-cabinet', u_height }
  return (await make('dcim/rack-types', body)).id
}
const rack = async (more: object = {}): Promise<number> =>
  (await make(Racks, { name: `rack${++count}`, site: sides.parts.site, ...more })).id
/** What both sides have, once they are the same and sound. */
const heightOf = async (id: number): Promise<number> => {
  await areSame(Racks, 'dcim/rack-types')
  return (await there('GET', `${Racks}/${id}`)).u_height
}
const ways = [
  [here, there, 'theirs'],
  [there, here, 'ours'],
] as const

test('a rack that gets another type has its height, whatever the other side did to the type before', async () => {
  for (const [one, other] of ways) {
    const [old, next] = [await type(40), await type(44)]
    const id = await rack({ rack_type: old })
    await sync('pull')
    await one('PATCH', `dcim/rack-types/${old}`, { u_height: 41 })
    await other('PATCH', `${Racks}/${id}`, { rack_type: next })
    assert.doesNotMatch(await sync('push'), /decided/)
    assert.equal(await heightOf(id), 44)
  }
})

test('a rack that gets a type which the other side changed has what the type has now', async () => {
  for (const [one, other] of ways) {
    const of = await type(40)
    const id = await rack()
    await sync('pull')
    await one('PATCH', `dcim/rack-types/${of}`, { u_height: 45, weight: 10, weight_unit: 'kg' })
    await other('PATCH', `${Racks}/${id}`, { rack_type: of })
    assert.doesNotMatch(await sync('push'), /decided/)
    assert.equal(await heightOf(id), 45)
  }
})

test('a height that was written gives way to that of a type that the other side gave, and is told of', async () => {
  for (const [one, other, side] of ways)
    for (const height of [42, 30]) {
      const of = await type(height)
      const id = await rack({ u_height: 42 })
      await sync('pull')
      await one('PATCH', `${Racks}/${id}`, { u_height: 47 })
      await other('PATCH', `${Racks}/${id}`, { rack_type: of })
      const said = await sync('push')
      assert.match(said, new RegExp(`decided for ${side}: .*u_height`))
      assert.match(said, /47/)
      assert.equal(await heightOf(id), height)
    }
})

test('a height of a rack without a type is asked about', async () => {
  const id = await rack()
  await sync('pull')
  await here('PATCH', `${Racks}/${id}`, { u_height: 30 })
  await there('PATCH', `${Racks}/${id}`, { u_height: 31 })
  assert.equal((await sides.kit.sync('push')).code, 1)
  await sync('push', { ours: true })
  assert.equal(await heightOf(id), 30)
})

test('an image that both sides replaced is one conflict, and its size is that of the one that stays', async () => {
  const { kit, source } = sides
  const form = (width: number, more: Record<string, string> = {}) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(more)) data.set(name, value)
    data.set('image', png(width), `w${width}.png`)
    return data
  }
  const parent = { object_type: 'dcim.device', object_id: String(sides.parts.a), name: 'front' }
  const { id } = (await source.call('POST', '/api/extras/image-attachments/', form(2, parent))).json
  for (const [take, width] of [
    ['ours', 30],
    ['theirs', 40],
  ] as const) {
    await sync('pull')
    assert.equal((await kit.call('PATCH', `/api/extras/image-attachments/${id}/`, form(30))).status, 200)
    assert.equal((await source.call('PATCH', `/api/extras/image-attachments/${id}/`, form(40))).status, 200)
    assert.equal((await kit.sync('push')).code, 1)
    assert.deepEqual(
      sides.conflicts().map(({ key }) => key),
      [`extras.imageattachment:${id}.image`],
    )
    await sync('push', { [take]: true })
    assert.equal((await there('GET', `extras/image-attachments/${id}`)).image_width, width)
    await areSame('extras/image-attachments')
  }
})
