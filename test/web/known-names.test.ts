import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { AnyModel } from '../../src/declare/model.ts'
import { allModels, fieldsOf, genericPrefix, modelNamed } from '../../src/engine/catalog.ts'
import { filterGroups } from '../../src/web/filter-panel.ts'
import { columnPaths } from '../../src/web/table.ts'
import { words } from '../../src/web/words.ts'
import { Absent, Elsewhere } from '../support/known-names.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

// What people who come from the reference look for, by the names that its API has for it.
type Part = 'columns' | 'filters' | 'form' | 'bulk' | 'import'
const known = JSON.parse(readFileSync(new URL('known-names.json', import.meta.url), 'utf8')) as Record<
  string,
  Partial<Record<Part, string>>
>
const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)

/** Names of the controls of a page's form. */
const controlsIn = (page: string): string[] => {
  const form = /<form class="form[\s\S]*?<\/form>/.exec(page)?.[0] ?? ''
  return [...form.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name]) => name!)
}

async function offered(m: AnyModel, part: Part): Promise<Set<string>> {
  const at = `/${m.displayUrl || m.path}/`
  if (part === 'columns') return new Set(columnPaths(m))
  if (part === 'filters') return new Set(filterGroups(m).flatMap(([, names]) => names))
  if (part === 'form') return new Set(controlsIn((await browser.get(`${at}add/`)).text))
  if (part === 'bulk') {
    const id = await make.fresh(m.name)
    return new Set(controlsIn((await browser.post(`${at}edit/`, { pk: String(id) })).text))
  }
  const page = (await browser.get(`${at}import/`)).text
  return new Set([...page.matchAll(/<code>([\w.]+)<\/code>/g)].map(([, name]) => name!))
}

/** Other names under which pages have what a name means. */
function otherNames(m: AnyModel, part: Part, name: string): string[] {
  const generic = fieldsOf(m).flatMap(([own, field]) =>
    field.generic ? [[own, genericPrefix(field, own)] as const] : [],
  )
  return [
    ...(Elsewhere[part]?.[name] ?? []),
    ...(Elsewhere[part]?.[`${m.name} ${name}`] ?? []),
    ...generic.flatMap(([own, as]) =>
      name.startsWith(`${as}_`) || name === own ? [own, `${own}_type`, `${own}_id`] : [],
    ),
  ]
}

for (const part of ['columns', 'filters', 'form', 'bulk', 'import'] as const)
  test(`pages have the ${part} that people know, or a reason why not`, async () => {
    const missing: string[] = []
    const needless = new Set(Object.keys(Absent[part]!))
    for (const [model, parts] of Object.entries(known)) {
      const m = allModels.find(({ name }) => name === model)
      const names = words(parts[part])
      if (!m || names.length === 0) continue
      const methods = m.methods ?? ['POST', 'PATCH']
      if ((part === 'form' || part === 'import') && !methods.includes('POST')) continue
      if (part === 'bulk' && !methods.includes('PATCH')) continue
      const here = await offered(modelNamed(model), part)
      for (const name of names) {
        if (here.has(name) || otherNames(m, part, name).some((other) => here.has(other))) continue
        const key = [`${model} ${name}`, name].find((each) => each in Absent[part]!)
        if (key) needless.delete(key)
        else missing.push(`${model} ${name}`)
      }
    }
    assert.deepEqual(missing, [])
    assert.deepEqual([...needless], [], 'reasons for what is there')
  })

test('every column that a list offers can be shown', async () => {
  for (const model of Object.keys(known)) {
    const m = allModels.find(({ name, internal }) => name === model && !internal)
    if (!m) continue
    const at = `/${m.displayUrl || m.path}/`
    const paths = columnPaths(m)
    const kept = await browser.post(`${at}columns/`, { column: paths, order: paths })
    assert.equal(kept.status, 303, `${model} ${kept.text.slice(0, 300)}`)
    const list = await browser.get(at)
    assert.equal(list.status, 200, `${model} ${list.text.slice(0, 300)}`)
    const file = await browser.get(`${at}export/?_as=csv&_of=shown`)
    assert.equal(file.status, 200, `${model} ${file.text.slice(0, 300)}`)
    await browser.post(`${at}columns/`, { _reset: '1' })
  }
})
