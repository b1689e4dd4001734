import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { png } from '../support/samples.ts'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const { call, running } = server

test('the size of an image is that of the file which is there', async () => {
  const { id: object_id } = await creating(server)('dcim/sites', { name: 'Photos', slug: 'photos' })
  const upload = async (width: number) => {
    const form = new FormData()
    form.append('object_type', 'dcim.site')
    form.append('object_id', String(object_id))
    form.append('image', png(width), 'photo.png')
    const { status, text, json } = await call('POST', '/api/extras/image-attachments/', form)
    assert.equal(status, 201, text)
    return json.id as number
  }
  const images = async () => {
    const { json } = await call('POST', '/graphql/', {
      query: '{ image_attachment_list { image { name width size } } }',
    })
    return json.data.image_attachment_list.map((each: any) => each.image)
  }
  const first = await upload(3)
  const [before] = await images()
  assert.equal(before.width, 3)
  const file = join(running.store.uploads, before.name)
  assert.equal((await call('DELETE', `/api/extras/image-attachments/${first}/`)).status, 204)
  rmSync(file) // as it is once no earlier state can be had that shows it
  await upload(5)
  assert.deepEqual(await images(), [{ ...before, width: 5 }])
  renameSync(file, `${file}.away`)
  assert.deepEqual(await images(), [{ name: before.name, width: 0, size: 0 }])
  renameSync(`${file}.away`, file)
  assert.deepEqual(await images(), [{ ...before, width: 5 }], 'it was brought back')
})
