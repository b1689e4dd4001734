import assert from 'node:assert/strict'
import { createServer, type Server as HttpServer } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { spawn } from 'node:child_process'
import { allModels } from '../../../src/engine/catalog.ts'
import { ask, run, scratch, type Server, start } from '../../support/cli.ts'
import { fill, Pixel } from '../../support/inventory.ts'
import { main } from '../../support/program.ts'
import { AdminToken } from '../../support/server.ts'

const folder = scratch()
let source: Server
let ids: Record<string, number>

/** What every list of a server shows, by model; links without the server's address. */
async function lists(base: string, authorization?: string): Promise<Record<string, any[]>> {
  const all: Record<string, any[]> = {}
  for (const m of allModels) {
    if (m.internal || ['core.objectchange', 'core.objecttype', 'users.token', 'core.job'].includes(m.name)) continue
    const { status, json } = await ask(base, 'GET', `/api/${m.path}/?limit=0&ordering=id`, undefined, authorization)
    assert.equal(status, 200, m.path)
    all[m.name] = JSON.parse(JSON.stringify(json.results).replaceAll(base, ''))
  }
  return all
}

const upload = async (
  base: string,
  method: string,
  path: string,
  fields: Record<string, string>,
  name: string,
): Promise<void> => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  form.append(name, new Blob([Pixel], { type: 'image/png' }), 'view.png')
  const response = await fetch(base + path, { method, headers: { authorization: `Token ${AdminToken}` }, body: form })
  assert.ok(response.ok, await response.text())
}

/** A server between: it counts the pages that go through, and answers no more of them once it is stopped. */
async function between(
  target: string,
): Promise<{ base: string; pages: string[]; stopAfter: (pages: number) => Promise<void>; goOn: () => void }> {
  const pages: string[] = []
  let limit = Infinity
  let reached = () => {}
  const server: HttpServer = createServer(async (request, response) => {
    if (request.url!.includes('offset=') && pages.push(request.url!) > limit) return reached()
    if (pages.length === 3) return response.writeHead(503).end() // a failure of the moment
    const answer = await fetch(target + request.url, {
      headers: { authorization: request.headers.authorization ?? '' },
    })
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      .end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    base: `http://127.0.0.1:${port}`,
    pages,
    goOn: () => (limit = Infinity),
    stopAfter: (most) =>
      new Promise((resolve) => {
        limit = most
        reached = resolve
      }),
  }
}

before(async () => {
  source = await start(join(folder, 'source'))
  ids = await fill((method, path, body) => ask(source.base, method, path, body))
  await upload(
    source.base,
    'POST',
    '/api/extras/image-attachments/',
    { object_type: 'dcim.site', object_id: String(ids.lab), name: 'Front' },
    'image',
  )
  await upload(source.base, 'PATCH', `/api/dcim/device-types/${ids.switchType}/`, {}, 'front_image')
})

test('an import goes on after it was killed, and ends with the same lists, ids and images', async () => {
  const data = join(folder, 'copy')
  const proxy = await between(source.base)
  const stopped = proxy.stopAfter(40)
  const child = spawn(process.execPath, [main, 'import', 'netbox', proxy.base, '--token', AdminToken, '--data', data], {
    stdio: 'ignore',
  })
  await stopped
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await gone
  const early = await run(['serve', '--listen', '127.0.0.1:0', '--data', data])
  assert.deepEqual(
    [early.code, /did not end: cabinet import netbox http.* goes on, .* --unfinished/.test(early.stderr)],
    [1, true],
  )
  await (await start(data, { args: ['--unfinished'] })).end('SIGTERM')
  const read = new Set(proxy.pages.slice(0, 40))
  proxy.pages.length = 10
  proxy.goOn()
  const done = await run(['import', 'netbox', proxy.base, '--token', AdminToken, '--data', data])
  assert.equal(done.code, 0, done.stderr + done.stdout)
  assert.deepEqual(
    proxy.pages.slice(10).filter((url) => read.has(url)),
    [],
    'what was there is not read again',
  )
  assert.match(done.stdout, /^dcim\.device\t6\t6\t$/m)

  assert.equal((await run(['check', '--data', data])).code, 0)
  assert.equal(
    (
      await run(['user', 'add', 'boss', '--superuser', '--data', data], {
        env: { CABINET_PASSWORD: 'Cabinet-Test-Passw0rd' },
      })
    ).code,
    0,
  )
  const authorization = (await run(['token', 'add', 'boss', '--data', data])).stdout.trim()
  const copy = await start(data, { env: {} })
  const [here, there] = [await lists(copy.base, authorization), await lists(source.base)]
  assert.equal(here['users.user']!.pop().username, 'boss')
  for (const [model, rows] of Object.entries(there)) {
    if (model === 'users.user') for (const row of [...rows, ...here[model]!]) delete row.last_login
    assert.deepEqual(here[model], rows, model)
  }
  const image = await fetch(copy.base + here['extras.imageattachment']![0].image, { headers: { authorization } })
  assert.deepEqual(Buffer.from(await image.arrayBuffer()), Pixel)

  const trace = async (base: string, token?: string) =>
    JSON.parse(
      JSON.stringify((await ask(base, 'GET', `/api/dcim/interfaces/1/trace/`, undefined, token)).json).replaceAll(
        base,
        '',
      ),
    )
  assert.deepEqual(await trace(copy.base, authorization), await trace(source.base))
  const depot = await ask(copy.base, 'POST', '/api/dcim/sites/', { name: 'New', slug: 'new' }, authorization)
  assert.equal(depot.json.id, there['dcim.site']!.at(-1).id + 1)
  await copy.end('SIGTERM')
  for (const name of ['ipam.service', 'dcim.powerfeed']) {
    const file = join(folder, `${name}.csv`) // what the source does not show is worked out: a write finds it so
    assert.equal((await run(['export', 'csv', name, file, '--ids', '--data', data])).code, 0)
    assert.match((await run(['import', 'csv', name, file, '--data', data])).stdout, /0 created, 0 changed, 1 unchanged/)
  }
})

test('into a folder with data: what has the same name is the same, ids that are taken are replaced', async () => {
  const data = join(folder, 'merged')
  const target = await start(data)
  await ask(target.base, 'POST', '/api/dcim/sites/', { name: 'Ours', slug: 'ours' })
  const twin = (await ask(target.base, 'POST', '/api/dcim/sites/', { name: 'Ours too', slug: 'ours-too' })).json.id
  const lab = (
    await ask(target.base, 'POST', '/api/dcim/sites/', { name: 'Lab', slug: 'lab', description: 'our own words' })
  ).json.id
  await ask(target.base, 'POST', '/api/dcim/regions/', { name: 'Oceania', slug: 'oceania' })
  await target.end('SIGTERM')
  const done = await run(['import', 'netbox', source.base, '--token', AdminToken, '--data', data])
  assert.equal(done.code, 0, done.stderr + done.stdout)
  const again = await run(['import', 'netbox', `${source.base}/api/`, '--data', data], {
    env: { CABINET_SOURCE_TOKEN: AdminToken },
  })
  assert.equal(again.code, 0, again.stderr + again.stdout)
  assert.equal((await run(['check', '--data', data])).code, 0)

  const merged = await start(data)
  const sites = (await ask(merged.base, 'GET', '/api/dcim/sites/?ordering=id')).json.results
  assert.deepEqual(sites.map((site: any) => site.name).sort(), ['Depot', 'Lab', 'Ours', 'Ours too'])
  assert.deepEqual(sites.find((site: any) => site.id === twin).name, 'Ours too')
  assert.equal(sites.find((site: any) => site.id === lab).description, 'our own words')
  const device = (await ask(merged.base, 'GET', '/api/dcim/devices/?name=sw2')).json.results[0]
  assert.equal(device.site.id, lab)
  assert.deepEqual(
    [device.custom_fields.backup.name, device.custom_fields.partners.map((site: any) => site.name).sort()],
    ['sw1', ['Depot', 'Lab']],
  )
  const regions = (await ask(merged.base, 'GET', '/api/dcim/regions/')).json.results
  assert.deepEqual(
    regions.map((region: any) => [region.name, region._depth]),
    [
      ['Africa', 0],
      ['Europe', 0],
      ['Alps', 1],
      ['Oceania', 0],
    ],
  )
  await merged.end('SIGTERM')
})

test('some models alone: references to what is not here are taken back and named', async () => {
  const data = join(folder, 'part')
  const done = await run([
    'import',
    'netbox',
    source.base,
    '--token',
    AdminToken,
    '--data',
    data,
    '--only',
    'dcim.region,dcim.site',
  ])
  assert.equal(done.code, 1)
  assert.match(done.stderr, /^--only cut \d+ references to what is not copied: .*dcim\.site: group \d+/m)
  assert.equal((await run(['check', '--data', data])).code, 0)
  assert.match(done.stdout, /^dcim\.site\t2\t2\t$/m)
})

test('wrong calls and a source that cannot be read are named', async () => {
  const data = join(folder, 'none')
  const call = (...args: string[]) => run(['import', 'netbox', ...args, '--data', data])
  assert.deepEqual(
    [
      (await call(source.base)).code,
      (await call('ftp://x', '--token', 'x')).code,
      (await call(source.base, '--token', AdminToken, '--only', 'dcim.nothing')).code,
    ],
    [2, 2, 2],
  )
  const refused = await call(source.base, '--token', 'f'.repeat(40))
  assert.deepEqual([refused.code, /may not be read with this token/.test(refused.stderr)], [1, true])
})

test('a token that does not see everything: what it may not view is named first, the rest ends whole', async () => {
  const allow = (await ask(source.base, 'POST', '/api/users/users/', { username: 'half', password: 'Half-Passw0rd-1' }))
    .json.id
  const token = (await ask(source.base, 'POST', '/api/users/tokens/', { user: allow, version: 1 })).json.token
  const all = (await ask(source.base, 'GET', '/api/core/object-types/?limit=0')).json.results.map(
    (type: any) => `${type.app_label}.${type.model}`,
  )
  const hidden = ['dcim.interface', 'dcim.site']
  const grant = async (types: string[], constraints: object | null, name: string) =>
    ask(source.base, 'POST', '/api/users/permissions/', {
      name,
      object_types: types,
      actions: ['view'],
      users: [allow],
      constraints,
    })
  const known = new Set(allModels.filter((m) => !m.internal).map(({ name }) => name))
  assert.equal(
    (
      await grant(
        all.filter((type: string) => known.has(type) && !hidden.includes(type)),
        null,
        'most',
      )
    ).status,
    201,
  )
  const data = join(folder, 'half')
  const refused = await run(['import', 'netbox', source.base, '--token', token, '--data', data])
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /may not view dcim\.interface, dcim\.site: give|may not view dcim\.site, dcim\.interface: give/,
  )
  assert.equal((await run(['user', 'list', '--data', data])).code, 1) // nothing was made

  for (const type of hidden) assert.equal((await grant([type], { id__lt: 2 }, type)).status, 201)
  const done = await run(['import', 'netbox', source.base, '--token', token, '--data', data])
  assert.equal(done.code, 1)
  assert.match(done.stderr, /^dcim\.device: left out, because its dcim\.site is not here: \d+$/m)
  assert.ok(done.stderr.split('\n').length < 80, done.stderr)
  const checked = await run(['check', '--data', data])
  assert.equal(checked.code, 0, checked.stdout)
  const [, name] = /cabinet user promote (\S+) make/.exec(done.stderr) ?? []
  assert.ok(name, done.stderr)
  assert.equal((await run(['user', 'promote', name, '--data', data])).code, 0)
  const users = JSON.parse((await run(['user', 'list', '--json', '--data', data])).stdout)
  assert.deepEqual(
    users.filter((user: any) => user.superuser).map((user: any) => user.username),
    [name],
  )
  assert.equal((await run(['user', 'demote', name, '--data', data])).code, 1) // the only one
  await (await start(data, { env: {} })).end('SIGTERM')
})
