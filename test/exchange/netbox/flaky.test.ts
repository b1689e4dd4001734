import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { defaults } from '../../../src/config.ts'
import { importNetbox } from '../../../src/exchange/netbox/import.ts'
import { Source } from '../../../src/exchange/netbox/source.ts'
import { openData } from '../../../src/store/data-folder.ts'
import { ask, run, scratch, type Server, start } from '../../support/cli.ts'
import { Pixel } from '../../support/inventory.ts'
import { AdminToken } from '../../support/server.ts'

const folder = scratch()
const only = ['users.user', 'dcim.site', 'dcim.manufacturer', 'dcim.devicetype', 'extras.imageattachment']
let source: Server
let base: string
/** What becomes of an answer on its way; false: it goes through. */
let onTheWay: (url: string, answer: ServerResponse, body: Buffer) => boolean = () => false

/** Answers half of a body, and breaks off. */
function half(answer: ServerResponse, body: Buffer): true {
  answer.writeHead(200, { 'content-length': body.length })
  answer.write(body.subarray(0, body.length >> 1))
  setTimeout(() => answer.destroy(), 20)
  return true
}

before(async () => {
  source = await start(join(folder, 'source'))
  const authorization = `Token ${AdminToken}`
  const post = async (path: string, body: object) => (await ask(source.base, 'POST', path, body)).json.id as number
  const site = await post('/api/dcim/sites/', { name: 'Lab', slug: 'lab' })
  const manufacturer = await post('/api/dcim/manufacturers/', { name: 'Acme', slug: 'acme' })
  const type = await post('/api/dcim/device-types/', { manufacturer, model: 'T1', slug: 't1' })
  const send = async (method: string, path: string, name: string, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, value)
    form.append(name, new Blob([Pixel], { type: 'image/png' }), 'view.png')
    assert.ok((await fetch(source.base + path, { method, headers: { authorization }, body: form })).ok)
  }
  const image = { object_type: 'dcim.site', object_id: String(site), name: 'Front' }
  await send('POST', '/api/extras/image-attachments/', 'image', image)
  await send('PATCH', `/api/dcim/device-types/${type}/`, 'front_image', {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})

const server = createServer(async (request, answer) => {
  const headers = { authorization: request.headers.authorization ?? '' }
  const response = await fetch(source.base + request.url, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  // Links lead here too.
  const body = request.url!.startsWith('/api/') ? Buffer.from(bytes.toString().replaceAll(source.base, base)) : bytes
  if (!onTheWay(request.url!, answer, body)) answer.writeHead(response.status).end(body)
})
after(() => {
  server.closeAllConnections()
  server.close()
})

/** Imports into a folder, trying again almost at once; answers what it warns of. */
async function load(data: string): Promise<string[]> {
  const { store, release } = openData({ ...defaults(), data: join(folder, data) }, { unfinished: true })
  const warnings: string[] = []
  try {
    const from = new Source({ url: base, token: AdminToken, retryPause: 1 })
    const warn = (text: string) => void warnings.push(text)
    const isNew = !store.db.get('select 1 from dcim_site')
    await importNetbox({ store, source: from, isNew, only, warn, progress: () => {} })
  } finally {
    store.close()
    release()
  }
  return warnings
}

/** The images of a copy: 200 where they are there. */
async function images(data: string): Promise<number[]> {
  const env = { CABINET_PASSWORD: 'Cabinet-Test-Passw0rd' }
  await run(['user', 'add', 'boss', '--superuser', '--data', join(folder, data)], { env })
  const authorization = (await run(['token', 'add', 'boss', '--data', join(folder, data)])).stdout.trim()
  const copy = await start(join(folder, data), { env: {} })
  const shown = async (path: string) => (await ask(copy.base, 'GET', path, undefined, authorization)).json.results[0]
  const links = [
    (await shown('/api/extras/image-attachments/')).image,
    (await shown('/api/dcim/device-types/')).front_image,
  ]
  const found = []
  for (const link of links) {
    const url = link && new URL(link, copy.base).href
    found.push(url ? (await fetch(url, { headers: { authorization } })).status : 0)
  }
  await copy.end('SIGTERM')
  return found
}

test('pages and images that break off in the middle are asked for again', async () => {
  const broken = new Set<string>()
  onTheWay = (url, answer, body) => {
    if (broken.has(url) || !/offset=|media/.test(url)) return false
    broken.add(url)
    return half(answer, body)
  }
  assert.deepEqual(await load('broken'), [])
  assert.ok([...broken].some((url) => url.includes('/media/')))
  assert.deepEqual(await images('broken'), [200, 200])
})

test('a source that goes while images are read ends the import, and what goes on has them', async () => {
  let isGone = false
  onTheWay = (url, answer) => {
    isGone ||= url.includes('/media/')
    if (isGone) answer.destroy()
    return isGone
  }
  await assert.rejects(load('gone'), /status.*: other side closed/)
  onTheWay = () => false
  assert.deepEqual(await load('gone'), [])
  assert.deepEqual(await images('gone'), [200, 200])
})

test('images that the source did not have come with the next import, once it has them', async () => {
  onTheWay = (url, answer) => url.includes('/media/') && Boolean(answer.writeHead(404).end())
  assert.equal((await load('later')).length, 2)
  onTheWay = () => false
  assert.deepEqual(await load('later'), [])
  assert.deepEqual(await images('later'), [200, 200])
})

test('an object without an id, or with one that cannot be kept, ends the import', async () => {
  for (const id of [null, 0, -3, 1.5, '7', 2 ** 38, 2 ** 53]) {
    onTheWay = (url, answer, body) => {
      if (!/sites.*offset=/.test(url)) return false
      const page = JSON.parse(body.toString())
      page.results = id === null ? [null] : [{ ...page.results[0], id }]
      return Boolean(answer.end(JSON.stringify(page)))
    }
    await assert.rejects(load(`ids ${id}`), /sites.* answers an object without an id that can be kept/)
  }
})

test('an answer without end is not waited for', async () => {
  onTheWay = (url, answer) => {
    if (!url.includes('/media/')) return false
    const more = () => void (answer.destroyed || (answer.write(Buffer.alloc(1 << 20)) ? setImmediate(more) : 0))
    answer.writeHead(200).on('drain', more)
    more()
    return true
  }
  for (const warning of await load('endless')) assert.match(warning, /image cannot be read: .* has more than \d+ bytes/)
})
