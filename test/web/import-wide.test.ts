import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const browser = await login(client)
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const sent = (text: string, format = 'csv') => browser.post('/dcim/sites/import/', { text, format })

test('a table of many columns is refused in one line, whatever they are called', async () => {
  const head = Array.from({ length: 5000 }, (_, i) => `region.a${i}`)
  const object = `[{${head.map((name) => `"${name}": 1`).join()}}]`
  for (const [text, format] of [
    [`slug,${'name,'.repeat(5000)}status\n${lines(200, () => 'a')}`, 'csv'],
    [`${head.join()}\na`, 'csv'],
    [object, 'json'],
  ] as const) {
    const { status, text: page } = await sent(text, format)
    assert.equal(status, 400)
    assert.match(page, /there are 500\d columns: no more than 1000 are read/)
    assert.ok(page.length < 500_000, String(page.length))
  }
})

test('a preview shows some of many columns that are wrong, and names a column that is there twice once', async () => {
  const { status, text: page } = await sent(`slug,${'name,'.repeat(900)}status\n${lines(200, () => 'a')}`)
  assert.equal(status, 400)
  assert.equal(page.match(/there are two columns of this name/g)!.length, 1)
  assert.ok(page.length < 500_000, String(page.length))
  const wrong = await sent(`name,slug,${Array.from({ length: 900 }, (_, i) => `x${i}`).join()}\na,a`)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /900 values are wrong/)
})

test('a table of too many lines is not tried though its columns are wrong too', async () => {
  const { status, text } = await sent(`slug,name,name\n${lines(5001, (i) => `s${i},n${i},n${i}`)}`)
  assert.equal(status, 400)
  assert.match(text, /These are 5,001 lines\. No more than 5,000 can be imported at once/)
})

test('a path of thousands of attributes is no column', async () => {
  const { status, text } = await sent(`name,slug,region${'.parent'.repeat(9000)}\na,a,a`)
  assert.equal(status, 400)
  assert.match(text, /site has no such column/)
})
