import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { document } from '../../src/http/schema.ts'
import { serve } from '../support/server.ts'

const { base, call } = await serve()

test('the schema says the same in YAML and JSON, with the address asked, while others are answered', async (t) => {
  let isMade = false
  const both = Promise.all([call('GET', '/api/schema/'), call('GET', '/api/schema/?format=json')]).finally(() => {
    isMade = true
  })
  let answered = 0
  while (!isMade) {
    assert.equal((await call('GET', '/api/dcim/sites/')).status, 200)
    answered++
  }
  t.diagnostic(`${answered} other requests were answered meanwhile`)
  assert.ok(answered > 5)
  const [yaml, json] = await both
  assert.deepEqual(
    [yaml.headers.get('content-type'), json.headers.get('content-type')],
    ['application/vnd.oai.openapi', 'application/vnd.oai.openapi+json'],
  )
  const wanted = JSON.stringify(document(base))
  assert.equal(json.text, wanted)
  assert.equal(JSON.stringify(parse(yaml.text, { uniqueKeys: false })), wanted)
  const other = await call('GET', '/api/schema/?format=json', undefined, { host: 'elsewhere.example' })
  assert.match(other.text.slice(0, 300), /"servers":\[\{"url":"/)
})

test('format and Accept choose what the schema comes as; a format that there is not is not found', async () => {
  const typeOf = async (format: string, accept: string) => {
    const { status, headers } = await call('GET', `/api/schema/${format}`, undefined, { accept })
    return status === 200 ? headers.get('content-type') : status
  }
  assert.equal(await typeOf('', '*/*'), 'application/vnd.oai.openapi')
  assert.equal(await typeOf('', 'text/html, application/json;q=0.9'), 'application/json')
  assert.equal(await typeOf('?format=', 'Application/YAML'), 'application/yaml')
  assert.equal(await typeOf('?format=json', '*/*'), 'application/vnd.oai.openapi+json')
  assert.equal(await typeOf('?format=json', 'application/json'), 'application/json')
  assert.equal(await typeOf('?format=yaml', 'application/json'), 'application/vnd.oai.openapi')
  assert.equal(await typeOf('?format=openapi', 'application/json'), 404)
})

test('below a base path the paths have it and the server has not, as clients look paths up whole', async (t) => {
  const below = await serve({ basePath: '/inventory' })
  t.after(() => below.close())
  const { json } = await below.call('GET', '/inventory/api/schema/?format=json')
  assert.deepEqual(json.servers, [{ url: below.base }])
  assert.ok(json.paths['/inventory/api/dcim/devices/'])
  assert.deepEqual(
    Object.keys(json.paths).filter((path) => !path.startsWith('/inventory/api/')),
    [],
  )
  const yaml = await below.call('GET', '/inventory/api/schema/')
  const ofYaml = yaml.text.match(/^ {2}\/\S*(?=:$)/gm)!.map((line) => line.trim())
  assert.deepEqual(ofYaml, Object.keys(json.paths))
  const byCommand: any = document('/inventory')
  assert.ok(byCommand.paths['/inventory/api/dcim/devices/'] && byCommand.servers[0].url === '/')
})
