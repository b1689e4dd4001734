import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { hasPage } from '../../src/web/links.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)

/** The links by which the tables of a page add objects. */
async function addsAt(path: string): Promise<string[]> {
  const { status, text } = await browser.get(path)
  assert.equal(status, 200, path)
  return [...text.matchAll(/href="([^"]+\/add\/\?[^"]*)">Add<\/a>/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
}

/** Tables and tabs of an object that show others, by where they stand and by what they find these. */
const relatedTo = (m: AnyModel) => [
  ...(m.pages?.tables ?? []).map(([of, query]) => ({ of, query, tab: '' })),
  ...Object.entries(m.pages?.tabs ?? {}).flatMap(([name, each]) =>
    each === true ? [] : [{ of: each[0], query: each[1], tab: `${name}/` }],
  ),
]

test('what a table adds on the page of any object is begun as one of that object', async () => {
  let begun = 0
  const isMade = (m: AnyModel) => (m.methods ?? ['POST']).includes('POST')
  for (const m of allModels.filter((each) => hasPage(each) && isMade(each) && relatedTo(each).length)) {
    const id = await make.fresh(m.name)
    for (const tab of new Set(relatedTo(m).map(({ tab }) => tab)))
      for (const href of await addsAt(`/${m.path}/${id}/${tab}`)) {
        const queries = relatedTo(m).filter(({ of }) => href.startsWith(`/${modelNamed(of).path}/add/`))
        // Others find what is like the object, by a value of it, or are parts with a form of their own.
        if (!queries.some(({ query }) => query.split('&').some((part) => /^\w+_id$/.test(part)))) continue
        const { status, text } = await browser.get(href)
        assert.equal(status, 200, href)
        const { _back, ...fields } = fieldsIn(text)
        assert.ok(
          Object.values(fields).some((values) => values.includes(`${id}`)),
          `${m.name} ${id}: ${href}`,
        )
        begun++
      }
  }
  assert.ok(begun > 60, `${begun} forms`)
})

test('an object is added to many that it belongs to, and its ends to an interface', async () => {
  const group = await make.fresh('users.group')
  const add = (await addsAt(`/users/groups/${group}/`)).find((href) => href.startsWith('/users/users/'))!
  assert.deepEqual(fieldsIn((await browser.get(add)).text).groups, [`${group}`])
  const own = await make.fresh('virtualization.vminterface')
  await make.fresh('vpn.tunneltermination', { termination_type: 'virtualization.vminterface', termination_id: own })
  const end = (await addsAt(`/virtualization/interfaces/${own}/`)).find((href) => href.includes('tunnel-terminations'))!
  const { termination_type: type, termination_id: id } = fieldsIn((await browser.get(end)).text)
  assert.deepEqual([type, id], [['virtualization.vminterface'], [`${own}`]])
})

test('a table adds nothing whose form cannot say that it belongs there', async () => {
  for (const [owner, others] of Object.entries({
    'vpn.l2vpn': 'route-targets',
    'ipam.vrf': 'route-targets',
    'vpn.ikepolicy': 'ike-proposals',
    'circuits.providernetwork': '/circuits/circuits/',
  })) {
    const m = modelNamed(owner)
    const adds = await addsAt(`/${m.path}/${await make.fresh(owner)}/`)
    assert.deepEqual(
      adds.filter((href) => href.includes(others)),
      [],
      owner,
    )
  }
})
