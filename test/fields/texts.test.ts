import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { FieldError } from '../../src/fields/field.ts'
import { byIds } from '../../src/fields/texts.ts'
import { allModels, fieldsOf, modelNamed } from '../../src/engine/catalog.ts'
import { sample } from '../support/samples.ts'

const field = (model: string, name: string) => modelNamed(model).fields[name]
const read = (model: string, name: string, text: string | string[], key = name) =>
  field(model, name).fromText(text, byIds, key)

test('every field that a body may set is read from texts and written to them, files and reverse lists apart', () => {
  for (const m of allModels) {
    for (const [name, field] of fieldsOf(m)) {
      if (
        !field.input ||
        field.readOnly ||
        name === 'custom_fields' ||
        field.describe(name)[name]?.type === 'image upload'
      )
        continue
      if (field.kind === 'reverse') continue // the other side says it
      if (field.options.hidden || /file upload/.test(String(field.describe(name)[name]?.type))) continue
      assert.ok(field.fromText && field.toText, `${m.name}.${name}`)
      const value = sample(field, 7)
      if (value === undefined) continue
      const text = field.toText(value, byIds, name)
      const again = v.safeParse(field.input(), field.fromText(text, byIds, name))
      assert.deepEqual(again.output, v.safeParse(field.input(), value).output, `${m.name}.${name}: ${text}`)
    }
  }
})

test('texts of each kind', () => {
  assert.equal(read('dcim.device', 'site', '12'), 12)
  assert.equal(read('dcim.device', 'tenant', ''), null)
  assert.equal(read('dcim.device', 'site', ''), null)
  assert.deepEqual(read('dcim.interface', 'tagged_vlans', ['3', '4']), [3, 4])
  assert.deepEqual(read('dcim.interface', 'tagged_vlans', '3, 4'), [3, 4])
  assert.deepEqual(read('dcim.device', 'tags', '[{"slug":"core"},7]'), [{ slug: 'core' }, 7])
  assert.deepEqual(read('dcim.interface', 'tagged_vlans', []), [])
  assert.deepEqual(read('ipam.service', 'ports', '22, 80'), [22, 80])
  assert.deepEqual(read('ipam.vlangroup', 'vid_ranges', '[[1,9]]'), [[1, 9]])
  assert.equal(read('ipam.prefix', 'scope', 'dcim.site', 'scope_type'), 'dcim.site')
  assert.equal(read('ipam.prefix', 'scope', '', 'scope_id'), null)
  assert.equal(read('dcim.device', 'face', ''), '')
  assert.equal(field('dcim.device', 'face').toText({ value: 'front', label: 'Front' }, byIds, 'face'), 'front')
  assert.equal(field('dcim.device', 'site').toText({ id: 4, name: 'x' }, byIds, 'site'), '4')
  assert.equal(read('dcim.device', 'local_context_data', ''), null)
  assert.throws(() => read('dcim.device', 'local_context_data', '{'), FieldError)
  assert.throws(() => read('dcim.interface', 'tagged_vlans', '[1'), FieldError)
  assert.equal(read('dcim.interface', 'enabled', ['false', 'true']), true)
})
