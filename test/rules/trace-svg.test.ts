import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceSvg } from '../../src/rules/trace-svg.ts'

const base = 'http://cabinet.test/api'
const device = (id: number, display: string) => ({ id, url: `${base}/dcim/devices/${id}/`, display })
const port = (id: number, display: string, owner: object) => ({
  id,
  url: `${base}/dcim/interfaces/${id}/`,
  display,
  device: owner,
})
const cable = (more: object) => ({
  id: 9,
  url: `${base}/dcim/cables/9/`,
  display_url: 'http://cabinet.test/dcim/cables/9/',
  type: 'cat6',
  status: 'connected',
  label: '',
  color: 'f44336',
  length: 3,
  length_unit: 'm',
  description: '',
  ...more,
})
const [a, b] = [device(1, 'switch <1>'), device(2, 'router & co')]

test('a cable has its colour, name, type, status and length; names are escaped', () => {
  const svg = traceSvg([[[port(1, 'eth0', a)], cable({ label: '"><script>alert(1)</script>' }), [port(2, 'eth1', b)]]])
  for (const part of [
    'switch &#60;1&#62;',
    'router &#38; co',
    '>CAT6<',
    '>Connected · 3 m<',
    'stroke="#f44336"',
    'href="http://cabinet.test/dcim/devices/1/"',
  ])
    assert.ok(svg.includes(part), part)
  assert.ok(!svg.includes('<script'))
})

test('a planned cable is dashed, a cable without a colour grey, an unnamed one has its number', () => {
  const svg = traceSvg([[[port(1, 'eth0', a)], cable({ status: 'planned', color: '' }), [port(2, 'eth1', b)]]])
  for (const part of ['stroke-dasharray="9 7"', 'stroke="#606060"', 'Cable #9']) assert.ok(svg.includes(part), part)
})

test('what a path goes through is one box with terminations above and below', () => {
  const panel = device(3, 'panel')
  const svg = traceSvg([
    [[port(1, 'eth0', a)], cable({}), [port(5, 'front', panel)]],
    [[port(6, 'rear', panel)], cable({}), [port(2, 'eth1', b)]],
  ])
  assert.equal(svg.match(/<title>panel/g)!.length, 1)
})

test('open ends, breakouts, objects without a parent and nothing at all are drawn', () => {
  assert.ok(traceSvg([[[port(1, 'eth0', a)], cable({}), []]]).includes('no further connection'))
  assert.ok(traceSvg([]).includes('Not connected'))
  const network = { id: 4, url: `${base}/circuits/provider-networks/4/`, display: 'Cloud' }
  assert.ok(
    traceSvg([
      [[port(1, 'eth0', a)], cable({}), [port(2, 'x1', b), port(3, 'x2', b)]],
      [[port(2, 'x1', b)], [], [network]],
    ]).includes('Provider network'),
  )
  assert.ok(traceSvg([[[], null, [network]]]).startsWith('<svg'))
})

test('links side by side are drawn from and to their own ends, each with its label', () => {
  const near = [port(1, 'LC1', a), port(2, 'LC2', a), port(3, 'LC3', a)]
  const far = [port(4, 'Te1', b), port(5, 'Te2', b)]
  const strands = [
    [[near[0]], cable({ id: 7, color: 'aa0000' }), [far[0]]],
    [[near[1]], cable({ id: 8, color: '0000bb', status: 'planned' }), [far[1]]],
    [[near[2]], [], []],
  ]
  const svg = traceSvg([[near, strands, far]])
  const lineIn = (color: string) => new RegExp(`<path d="([^"]+)"[^>]* stroke="#${color}"`).exec(svg)![1]!
  const [seven, eight] = [lineIn('aa0000'), lineIn('0000bb')]
  const placesOf = (path: string) => [/^M([\d.]+) /.exec(path)![1], /H([\d.]+)V[\d.]+$/.exec(path)![1]].map(Number)
  const [[from, to], [otherFrom, otherTo]] = [placesOf(seven), placesOf(eight)] as [[number, number], [number, number]]
  assert.ok(from < otherFrom && to < otherTo, `${seven} ${eight}`)
  assert.equal(seven.match(/M/g)!.length, 3, 'from one to one')
  for (const part of ['Cable #7', 'Cable #8', 'stroke-dasharray="9 7"']) assert.ok(svg.includes(part), part)
  assert.equal(svg.match(/no further connection/g)!.length, 1, 'of the end that is not cabled')
})
