import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Headers as Before,
  Request as LateRequest,
  Response as LateResponse,
  putLighter,
} from '../../build/late-fetch.ts'
import * as late from '../../build/late-fetch.ts'

test('what stands in for the classes of fetch takes part before and after they are loaded', async () => {
  class Light {
    light = true
  }
  Object.setPrototypeOf(Light, LateResponse)
  Object.setPrototypeOf(Light.prototype, LateResponse.prototype)
  const light = new Light()
  assert.equal(light instanceof LateResponse, true)
  assert.equal({} instanceof LateResponse, false)
  assert.equal(({} as object) instanceof Before, false)

  class Own extends LateRequest {
    own = 1
  }
  const own = new Own('http://a/b', { method: 'POST', body: 'text' }) as unknown as Request & Own
  assert.deepEqual([own.own, own.method, own.url, await own.text()], [1, 'POST', 'http://a/b', 'text'])
  assert.equal(own instanceof Request, true)
  assert.equal(new Request('http://a/') instanceof LateRequest, true)

  assert.equal(light instanceof LateResponse, true)
  const response = new LateResponse('body', { status: 201, headers: { a: 'b' } }) as unknown as Response
  assert.deepEqual([response.status, response.headers.get('a'), await response.text()], [201, 'b', 'body'])
  assert.equal(response instanceof Response && response instanceof LateResponse && !(response instanceof Light), true)

  const headers = new Before({ x: 'y' }) as unknown as Headers
  assert.equal(headers.get('x'), 'y')
  assert.equal(headers instanceof Headers && headers instanceof Before, true)
  assert.equal(late.Headers, Headers)
})

test('the lighter classes take their places', () => {
  class A {}
  class B {}
  putLighter(A, B)
  assert.deepEqual([late.Request, late.Response], [A, B])
})
