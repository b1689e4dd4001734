import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexColor, readableOn } from '../../src/lib/color.ts'
import { element, escapeXml, textElement } from '../../src/lib/xml.ts'

test('texts and attributes are escaped, characters that XML cannot hold are dropped', () => {
  assert.equal(
    escapeXml(`<a href="x">&'${String.fromCharCode(0, 0xd800)}\u{1f600}`),
    '&#60;a href=&#34;x&#34;&#62;&#38;&#39;\u{1f600}',
  )
  assert.equal(
    element('rect', { x: 1, fill: '"><script>', stroke: undefined }),
    '<rect x="1" fill="&#34;&#62;&#60;script&#62;"/>',
  )
  assert.equal(textElement('text', {}, 'a < b'), '<text>a &#60; b</text>')
})

test('text is black on light colours and white on dark ones', () => {
  for (const [color, ink] of [
    ['ffffff', '000000'],
    ['ffeb3b', '000000'],
    ['000000', 'ffffff'],
    ['3f51b5', 'ffffff'],
  ] as const)
    assert.equal(readableOn(color), ink)
  assert.equal(hexColor('AA1409', '9e9e9e'), 'aa1409')
  for (const bad of ['', null, 'red', '#ffffff', '"><script']) assert.equal(hexColor(bad, '9e9e9e'), '9e9e9e')
})
