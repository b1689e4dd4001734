import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { housekeep } from '../../src/services/housekeeping.ts'
import { modelNamed } from '../../src/engine/catalog.ts'
import { discard } from '../../src/store/uploads.ts'
import { Maker } from '../support/maker.ts'
import { png } from '../support/samples.ts'
import { AdminToken, serve } from '../support/server.ts'
import { until } from '../support/until.ts'

const { call, running } = await serve()
const make = new Maker(call)
/** Files below the uploads folder. */
const files = (): string[] =>
  readdirSync(running.store.uploads, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => each.name)
    .sort()
/** Waits until these files are there, and no others: what is to go goes after the answer. */
const are = (...names: string[]) => until(files, (all) => all.join() === names.join())
const areSoMany = (count: number) => until(files, (all) => all.length === count)
const form = (fields: Record<string, string>, name: string, file: string) => {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.append(key, value)
  data.append(name, png(), file)
  return data
}

/** What housekeeping does when the change log forgets all that was done so far. */
const afterRetention = () => housekeep(running.store, Date.now() + 91 * 86_400_000)

test('a refused device type leaves no image behind, a changed or deleted one none past the retention', async () => {
  const manufacturer = String(await make.shared('dcim.manufacturer'))
  const path = '/api/dcim/device-types/'
  const made = await call('POST', path, form({ manufacturer, model: 'M', slug: 'm' }, 'front_image', 'front.png'))
  assert.equal(made.status, 201)
  await are('front.png')
  assert.equal(
    (
      await call(
        'POST',
        path,
        form({ manufacturer, model: 'N', slug: 'm', u_height: '-1' }, 'front_image', 'other.png'),
      )
    ).status,
    400,
  )
  assert.equal(
    (await call('POST', path, form({ manufacturer: '999', model: 'N', slug: 'n' }, 'front_image', 'other.png'))).status,
    400,
  )
  await are('front.png')
  const one = `${path}${made.json.id}/`
  assert.equal((await call('PATCH', one, form({}, 'front_image', 'new.png'))).status, 200)
  await are('front.png', 'new.png')
  await afterRetention()
  await are('new.png')
  assert.equal((await call('PATCH', one, form({}, 'rear_image', 'rear.png'))).status, 200)
  assert.equal((await call('PATCH', one, { front_image: null })).json.front_image, null)
  await afterRetention()
  await are('rear.png')
  assert.equal((await call('DELETE', one)).status, 204)
  await are('rear.png')
  await afterRetention()
  await are()
})

test('image attachments go with their object', async () => {
  const site = await make.fresh('dcim.site')
  const reply = await make.post(modelNamed('extras.imageattachment'), {
    object_type: 'dcim.site',
    object_id: site,
    image: png(),
  })
  assert.equal(reply.status, 201)
  await areSoMany(1)
  assert.equal((await call('DELETE', `/api/dcim/sites/${site}/`)).status, 204)
  await areSoMany(1)
  await afterRetention()
  await are()
})

test('a large image is kept whole, beside one of its name, and goes when its write is refused', async () => {
  const bytes = Buffer.concat([Buffer.from(await png().arrayBuffer()), Buffer.alloc(3_000_000, 7)])
  const manufacturer = String(await make.shared('dcim.manufacturer'))
  const send = (model: string, more: Record<string, string> = {}) => {
    const data = form({ manufacturer, model, slug: model, ...more }, 'front_image', 'none.png')
    data.set('front_image', new Blob([bytes]), 'large.png')
    return call('POST', '/api/dcim/device-types/', data)
  }
  const refused = await send('refused', { u_height: '-1' })
  assert.deepEqual([refused.status, Object.keys(refused.json)], [400, ['u_height']])
  await are()
  const both = await Promise.all([send('one'), send('two')])
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 201],
  )
  assert.equal(new Set(both.map(({ json }) => json.front_image)).size, 2)
  for (const { json } of both) {
    const shown = await fetch(json.front_image, { headers: { authorization: `Token ${AdminToken}` } })
    assert.ok(Buffer.from(await shown.arrayBuffer()).equals(bytes))
  }
  await areSoMany(2)
  for (const { json } of both) assert.equal((await call('DELETE', `/api/dcim/device-types/${json.id}/`)).status, 204)
  await afterRetention()
  await are()
})

test('a file that cannot be removed stays, and the server with it', async () => {
  const path = 'image-attachments/held.png'
  mkdirSync(join(running.store.uploads, path, 'x'), { recursive: true }) // rmSync refuses a folder
  discard(running.store.db, running.store.uploads, path)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await call('GET', '/api/status/')).status, 200)
  rmSync(join(running.store.uploads, path), { recursive: true })
})
