import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartOf, ticksOf } from '../../src/rules/chart-svg.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve({ reportTimeout: 60 })
const { call } = client
const create = creating(client)
const page = async (path: string, headers = {}) =>
  (await call('GET', path, undefined, { accept: 'text/html', ...headers })).text

for (const [i, name] of ['Alpha', '<i>Beta</i>', '=1+1'].entries())
  await create('dcim/sites', { name, slug: `s${i}`, status: i ? 'active' : 'planned' })
const report = await create('extras/reports', {
  name: 'Sites <b>',
  sql: "select name, id * 10 as score, null as gap from sites where name <> 'Gamma' order by id",
  chart: 'bar',
  chart_y: 'score',
})

test('the page of a report has its chart and its rows, hostile names as text', async () => {
  const html = await page(`/extras/reports/${report.id}/`)
  assert.match(html, /<svg[^>]*class="chart"[^>]*role="img"/)
  assert.match(html, /Chart of score by name/)
  assert.match(html, /<td class="number">20<\/td>/)
  assert.ok(html.includes('&lt;i&gt;Beta') && html.includes('&#60;i&#62;Beta') && !html.includes('<i>Beta'))
  assert.ok(!/ style=/.test(html))
  assert.match(await page(`/extras/reports/${report.id}/results/`), /<td class="number">30<\/td>/)
})

test('its rows come as files; spreadsheets take no name for a formula', async () => {
  const csv = await call('GET', `/extras/reports/${report.id}/results/?format=csv`)
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="Sites-b-.csv"')
  assert.equal(csv.text, "name,score,gap\nAlpha,10,\n<i>Beta</i>,20,\n'=1+1,30,\n")
  const json = await call('GET', `/extras/reports/${report.id}/results/?format=json`)
  assert.deepEqual(json.json.rows[2], ['=1+1', 30, null])
})

test('what is wrong with a question is on its page, and a form tries it without saving', async () => {
  const wrong = await create('extras/reports', { name: 'Wrong', sql: 'select * from dcim_site' })
  assert.match(await page(`/extras/reports/${wrong.id}/`), /role="alert">no such table: dcim_site</)
  const form = await call('GET', '/extras/reports/add/', undefined, { accept: 'text/html' })
  assert.match(form.text, /<code>ip_addresses<\/code>/)
  const cookie = form.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  assert.ok(cookie && form.text.includes('name="_redraw"'))
})

test('each sees in a shared report what they may view', async () => {
  const { id } = await create('users/users', { username: 'viewer', password: 'Cabinet-Test-Passw0rd' })
  await create('users/permissions', {
    name: 'viewer',
    users: [id],
    actions: ['view'],
    object_types: ['extras.report'],
  })
  await create('users/permissions', {
    name: 'viewer sites',
    users: [id],
    actions: ['view'],
    object_types: ['dcim.site'],
    constraints: { status: 'planned' },
  })
  const key = 'viewer0123456789abcdef0123456789abcdef01'
  await create('users/tokens', { user: id, version: 1, token: key })
  const html = await page(`/extras/reports/${report.id}/`, { authorization: `Token ${key}` })
  assert.ok(html.includes('Alpha') && !html.includes('Beta') && html.includes('1 row in'))
  const own = await create('extras/reports', { name: 'Mine', sql: 'select 1', shared: false })
  const refused = await call('GET', `/extras/reports/${own.id}/results/?format=csv`, undefined, {
    authorization: `Token ${key}`,
  })
  assert.equal(refused.status, 404)
})

test('charts: round numbers along the axis, values below zero, shares with a rest', () => {
  assert.deepEqual(ticksOf(3, 47), [0, 10, 20, 30, 40, 50])
  assert.deepEqual(ticksOf(-4, 11), [-5, 0, 5, 10, 15])
  assert.deepEqual(ticksOf(0, 0), [0, 0.2])
  const columns = ['day', 'a', 'b']
  const rows = [
    ['2026-01-01', 1, -5],
    ['2026-01-03', 2, 5],
  ]
  const line = chartOf({ kind: 'line', columns, rows, x: 'day', y: ['a', 'b', 'c'] })!
  assert.equal(line.svg.match(/<polyline/g)?.length, 2)
  assert.deepEqual(
    line.legend.map(({ label }) => label),
    ['a', 'b'],
  )
  assert.equal(chartOf({ kind: 'bar', columns, rows, x: '', y: [] })!.svg.match(/<rect/g)?.length, 2)
  const share = chartOf({
    kind: 'share',
    columns: ['k', 'n'],
    rows: Array.from({ length: 10 }, (_, i) => [`k${i}`, 10]),
    x: '',
    y: [],
  })!
  assert.deepEqual(share.legend.at(-1), { color: 'var(--chart-8)', label: 'Others: 30 (30 %)' })
  assert.equal(chartOf({ kind: 'bar', columns: ['a'], rows: [['x']], x: '', y: [] }), undefined)
  assert.equal(chartOf({ kind: 'share', columns, rows: [['x', 0]], x: '', y: [] }), undefined)
})
