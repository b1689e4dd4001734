import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { takeKit } from '../support/kit.ts'
import { png } from '../support/samples.ts'
import { type Client, creating, serve } from '../support/server.ts'
import { until } from '../support/until.ts'

/** An image of so many bytes. */
const image = async (bytes: number): Promise<Blob> => {
  const small = await png().arrayBuffer()
  return new Blob([small, Buffer.alloc(bytes - small.byteLength)], { type: 'image/png' })
}
/** Sends an image of a site, as the user of a header. */
async function sending(client: Client) {
  const site = (await creating(client)('dcim/sites', { name: 'S', slug: 's' })).id
  return async (bytes: number, authorization?: string, more: Record<string, string> = {}) => {
    const form = new FormData()
    const fields = { object_type: 'dcim.site', object_id: String(site), name: 'x', ...more }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('image', await image(bytes), 'photo.png')
    return client.call('POST', '/api/extras/image-attachments/', form, authorization ? { authorization } : {})
  }
}

test('a user sends so many bytes of files a day, by any thread; what was refused does not count', async () => {
  for (const workers of [0, 2]) {
    const client = await serve({ maxUploadBytesPerDay: 1_000_000, workers })
    const send = await sending(client)
    const { id } = await creating(client)('users/users', { username: 'ann', password: 'Plain-User-Passw0rd' })
    const token = await creating(client)('users/tokens', { user: id })
    await creating(client)('users/permissions', {
      name: 'images',
      object_types: ['extras.imageattachment', 'dcim.site'],
      actions: ['view', 'add'],
      users: [id],
    })
    const ann = `Bearer nbt_${token.key}.${token.token}`
    assert.equal((await send(600_000, ann)).status, 201)
    assert.equal((await send(300_000, ann, { object_id: '999' })).status, 400, 'refused for something else')
    const refused = await send(500_000, ann)
    assert.equal(refused.status, 400)
    assert.match(
      refused.json.image[0],
      /^You may send 1000000 bytes of files a day, and have sent 600000: this one has 500000/,
    )
    assert.equal((await send(300_000, ann)).status, 201)
    assert.equal((await send(500_000)).status, 201, 'another user')
    const both = await Promise.all([send(90_000, ann), send(90_000, ann)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400], 'at once')
    const { db } = client.running.store
    db.run("update users_uploaduse set day = '2020-01-01'")
    assert.equal((await send(900_000, ann)).status, 201, 'the next day')
    await client.close()
  }
})

test('all uploads have a bound together, files that were there before included', async () => {
  const client = await serve({ maxUploadsBytes: 1_000_000 })
  const send = await sending(client)
  const folder = join(client.running.store.uploads, 'old', 'deep')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'file'), Buffer.alloc(500_000))
  assert.equal((await send(300_000)).status, 201)
  const refused = await send(300_000)
  assert.deepEqual(
    [refused.status, refused.json.image],
    [400, ['There is no room for this file: uploads may take 1000000 bytes together.']],
  )
  const many = await Promise.all(Array.from({ length: 6 }, () => send(90_000)))
  assert.equal(many.filter(({ status }) => status === 201).length, 2, 'and at once')
})

test('the files of a push have the same bound, and one that is too much leaves nothing behind', async () => {
  const source = await serve({ maxUploadsBytes: 1_000_000 })
  const send = await sending(source)
  assert.equal((await send(300_000)).status, 201)
  const kit = await takeKit(source)
  const ids: number[] = []
  for (const name of ['first.png', 'second.png']) {
    const form = new FormData()
    for (const [key, value] of Object.entries({ object_type: 'dcim.site', object_id: '1' })) form.append(key, value)
    form.append('image', await image(500_000), name)
    const made = await kit.call('POST', '/api/extras/image-attachments/', form)
    assert.equal(made.status, 201, made.text)
    ids.push(made.json.id)
  }
  await assert.rejects(kit.sync('push'), /There is no room for this file: uploads may take 1000000 bytes together\./)
  const count = async () => (await source.call('GET', '/api/extras/image-attachments/')).json.count
  assert.equal(await count(), 1)
  const files = () =>
    readdirSync(source.running.store.uploads, { recursive: true }).filter((name) => /png$/.test(`${name}`))
  await until(files, (all) => all.length === 1)
  assert.equal((await kit.call('DELETE', `/api/extras/image-attachments/${ids[0]}/`)).status, 204)
  // Bytes of what was refused count for some seconds.
  await until(
    () =>
      kit.sync('push').then(
        ({ code }) => code === 0,
        () => false,
      ),
    Boolean,
    1000,
  )
  assert.equal(await count(), 2)
  await kit.close()
})

test('the files of a push count for the day of who pushes; what was refused does not', async () => {
  const source = await serve({ maxUploadBytesPerDay: 1_000_000 })
  const send = await sending(source)
  assert.equal((await send(300_000)).status, 201)
  const kit = await takeKit(source)
  const make = async (name: string) => {
    const form = new FormData()
    for (const [key, value] of Object.entries({ object_type: 'dcim.site', object_id: '1' })) form.append(key, value)
    form.append('image', await image(400_000), name)
    const made = await kit.call('POST', '/api/extras/image-attachments/', form)
    assert.equal(made.status, 201, made.text)
    return made.json.id as number
  }
  const [, second] = [await make('first.png'), await make('second.png')]
  await assert.rejects(kit.sync('push'), /You may send 1000000 bytes of files a day, and have sent 700000/)
  assert.equal((await kit.call('DELETE', `/api/extras/image-attachments/${second}/`)).status, 204)
  const pushed = await kit.sync('push')
  assert.equal(pushed.code, 0, pushed.out)
  assert.equal((await source.call('GET', '/api/extras/image-attachments/')).json.count, 2)
  assert.equal((await send(400_000)).status, 400, 'the push was counted')
  await kit.close()
})
