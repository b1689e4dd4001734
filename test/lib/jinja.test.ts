import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render, TemplateError } from '../../src/lib/jinja.ts'
import { format, wordWrap } from '../../src/lib/workers/jinja-filters.ts'

const shown = (source: string, context: object = {}, params: object = {}, asker = '') =>
  render({ source, context: JSON.stringify(context), params: params as Record<string, unknown> }, asker)

test('variables, loops, filters, methods of Python', async () => {
  assert.equal(await shown('Foo: {{ foo }}', { foo: 'bar' }), 'Foo: bar')
  assert.equal(
    await shown('{% for o in rows %}{{ o.name|upper }}\n{% endfor %}', { rows: [{ name: 'a' }, { name: 'b' }] }),
    'A\nB\n',
  )
  assert.equal(
    await shown('{% for k, v in x.items() %}{{ k }}={{ v }};{% endfor %}{{ "a b".split()|join("-") }}', {
      x: { a: 1 },
    }),
    'a=1;a-b',
  )
  assert.equal(
    await shown(
      '{{ "%05.1f %s"|format(3.14159, "x") }} {{ "a"|center(3) }}| {{ "a b"|wordcount }} {{ "a/b c"|urlencode }}',
    ),
    '003.1 x  a | 2 a/b%20c',
  )
})

test('environment parameters', async () => {
  const source = 'a\n  {% if true %}\nb\n  {% endif %}\n'
  assert.equal(await shown(source, {}, { trim_blocks: true, lstrip_blocks: true }), 'a\nb\n')
  assert.equal(await shown('x\n', {}, { keep_trailing_newline: true, newline_sequence: '\r\n' }), 'x\r\n')
  assert.equal(await shown('{{ "<" }}', {}, { autoescape: true }), '&lt;')
  assert.equal(await shown('[{{ nope }}]', {}, { undefined: 'jinja2.Undefined' }), '[]')
})

test('undefined names, broken syntax and foreign templates are refused, and the next one works', async () => {
  for (const source of [
    '{{ nope }}',
    '{{ x.nope }}',
    '{% if %}',
    '{% include "/etc/passwd" %}',
    '{{ 1 + "a" }}',
    '{{ x.__class__ }}',
    '{{ x.constructor }}',
    '{{ "%d"|format("x") }}',
  ]) {
    await assert.rejects(shown(source, { x: {} }), TemplateError, source)
  }
  assert.equal(await shown('ok'), 'ok')
})

test('a division by nothing is refused, as Python does it, and others are as they were', async () => {
  const context = { n: 0, a: { b: { c: 4 } }, rows: [], x: 1.5 }
  for (const source of [
    '{{ 1/0 }}',
    '{{ 1.5 // 0 }}',
    '{{ 1 / 0.0 }}',
    '{{ 1 / n }}',
    '{{ 8 / -n }}',
    '{{ x / rows|length }}',
    '{{ 1 / (x - 1.5) }}',
    '{{ 1 / (2 / (n)) }}',
    '{{ "a" ~ x/n }}',
    '{% if 1/n > 3 %}y{% endif %}',
    '{% set y = 4 / a.b["d"]|default(0) %}',
  ])
    await assert.rejects(shown(source, context), /^(?:Template)?Error: division by zero/, source)
  const sums = [
    ['{{ 7 // 2 }} {{ 7 // 2.0 }} {{ 4/2 }} {{ 6 / 2 / 3 }}', '3 3.0 2.0 1.0'],
    ['{{ 8 / a.b["c"] }} {{ 8 / a.b.c|int + 1 }} {{ 9 / (a.b.c - 1) }}', '2.0 3.0 3.0'],
    ['{{ "a/0" }} {{ 2 * 3 / -2 }} {{ 1 / (1 / (1 / 2)) }} {{ 3/x }}', 'a/0 -3.0 0.5 2.0'],
    ['{{ 18446744073709551615 // 9007199254740993 }}', '2047'],
  ]
  for (const [source, text] of sums) assert.equal(await shown(source!, context), text)
  const nested = `${'1/('.repeat(200)}2${')'.repeat(200)}`
  assert.match(await shown(`{{ ${nested} }}`).catch(String), /^[\d.]+$|recursion/)
})

test('a hostile template ends, without stopping anything else', async () => {
  const nested = `${'{% for a in range(90000) %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`
  const doubling =
    '{% set n = namespace(x="aaaaaaaaaaaaaaaa") %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}' +
    '{% endfor %}{{ n.x }}'
  const recursion = '{% macro f(n) %}{{ g(n) }}{% endmacro %}{% macro g(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(1) }}'
  let isOver = false
  const hostile = Promise.all([
    assert.rejects(shown(nested), /too long/),
    assert.rejects(shown(doubling), /memory/),
    assert.rejects(shown(recursion), TemplateError),
  ]).then(() => {
    isOver = true
  })
  assert.equal(await shown('{{ 1 + 1 }}', {}, {}, 'another'), '2')
  assert.equal(isOver, false, 'another asker has an answer while they run')
  await hostile
  assert.equal(await shown('{{ 1 + 1 }}'), '2')
})

test('objects are printed as they are called, in all that joins or holds them; data as in Python', async () => {
  const site = { id: 2, url: 'u', display: 'FRA1', name: 'FRA1', status: { value: 'active', label: 'Active' } }
  const device = { id: 1, display: 'sw1', name: 'sw1', site, rack: null, tags: [site], custom_fields: { a: 1 } }
  const context = JSON.stringify({ device, data: { a: [1, "it's"], b: null }, yes: true })
  const shown = (source: string, params = {}) => render({ source, context, objects: ['device'], params })
  for (const [source, text] of [
    ['{{ device }} {{device.site}}', 'sw1 FRA1'],
    ['{{ device.rack }} {{ yes }} {{ not yes }}', 'None True False'],
    ['{{ data }}', `{'a': [1, "it's"], 'b': None}`],
    ['{{ device ~ "-" ~ device.site ~ 1 }}', 'sw1-FRA11'],
    ['{{ "~ x" ~ device.site|upper }}', '~ xFRA1'],
    ['{% set x = "at " ~ device.site %}{{ x }}', 'at FRA1'],
    ['{{ device|string|length }}', '3'],
    ['{{ device.site.get_status_display() }} {{ device.site.status }}', 'Active active'],
    ['{{ device.custom_field_data.a }}{{ device.cf.a }}', '11'],
    ['{{ "}}" }}{{ {"a": {"b": 1}}.a.b }}', '}}1'],
    ['{% raw %}{{ device }}{% endraw %}{# {{ nope }} #}', '{{ device }}'],
    ['  {{- device -}}  !', 'sw1!'],
    ['{% for t in device.tags.all() %}{{ t }},{{ loop.last }};{% endfor %}', 'FRA1,True;'],
    ['{% for x in [1, [2]] recursive %}{{ loop(x) if x is sequence else x }}{% endfor %}', '12'],
    ['{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(device) }}', '<sw1>'],
    ['{{ nope is defined }}{{ nope|default("d") }}', 'Falsed'],
  ] as const)
    assert.equal(await shown(source), text, source)
  assert.equal(await shown('a\n  {{ device }}\nb\n', { lstrip_blocks: true, trim_blocks: true }), 'a\n  sw1\nb')
  assert.equal(await shown('{{ device.display }}', { autoescape: true }), 'sw1')
  for (const source of ['{{ nope }}', '{{ device.nope }}', '{{ nope|string }}', '{{ device', '{% if'])
    await assert.rejects(shown(source), TemplateError, source)
})

test('format and wordWrap', () => {
  assert.equal(format('%-4s|%4d|%+d|%x|%%', ['a', 7, 3, 255]), 'a   |   7|+3|ff|%')
  assert.equal(wordWrap('aa bb cc', 5), 'aa bb\ncc')
})
