import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)
const cable = async (a: [string, number], b: [string, number]) => {
  const end = ([object_type, object_id]: [string, number]) => [{ object_type, object_id }]
  const made = await call('POST', '/api/dcim/cables/', { a_terminations: end(a), b_terminations: end(b) })
  assert.equal(made.status, 201, made.text)
}

test('a power strip draws what is plugged into it, of what its feed can give', async () => {
  const feed = await make.fresh('dcim.powerfeed', { voltage: 230, amperage: 10, max_utilization: 100 })
  const strip = await make.fresh('dcim.device')
  const input = await make.fresh('dcim.powerport', { device: strip, name: 'In' })
  await cable(['dcim.powerport', input], ['dcim.powerfeed', feed])
  for (const [i, draw] of [300, 160].entries()) {
    const outlet = await make.fresh('dcim.poweroutlet', { device: strip, name: `Out ${i}`, power_port: input })
    const port = await make.fresh('dcim.powerport', { allocated_draw: draw, maximum_draw: draw * 2 })
    await cable(['dcim.poweroutlet', outlet], ['dcim.powerport', port])
  }
  const page = (await browser.get(`/dcim/devices/${strip}/`)).text
  const panel = /<h2>Power<\/h2>[\s\S]*?<\/section>/.exec(page)![0]
  const numbers = [...panel.matchAll(/<td class="number">(\d+)/g)].map(([, text]) => Number(text))
  assert.deepEqual(numbers, [2, 460, 920, 2300])
  assert.match(panel, /20 %/)
  const bare = await make.fresh('dcim.device')
  assert.doesNotMatch((await browser.get(`/dcim/devices/${bare}/`)).text, /<h2>Power<\/h2>/)
})

test('a token shows how it is used, and not what it is', async () => {
  const token = (await call('GET', '/api/users/tokens/')).json.results[0]
  const page = (await browser.get(`/users/tokens/${token.id}/`)).text
  assert.match(page, /curl -H "Authorization: (?:Token|Bearer)/)
  assert.doesNotMatch(page, /0123456789abcdef0123456789abcdef01234567/)
})
