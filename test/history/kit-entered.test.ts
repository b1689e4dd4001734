import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsIn, login, type Session } from '../support/session.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, sync } = sides

test('what people enter and the API does not say comes along in both ways, conflicts, and is undone', async () => {
  const { tag } = sides.parts
  const { id: group } = await make('users/owner-groups', { name: 'All' })
  const mine = await make('users/owners', { name: 'Mine', group })
  const yours = await make('users/owners', { name: 'Yours', group })
  const [at, page] = [`/extras/tags/${tag}/edit/`, `/extras/tags/${tag}/`]
  await sync('pull')
  const [there, here] = [await login(sides.source), await login(sides.kit, 'admin', sides.kit.password)]
  const give = async (side: Session, owner: string) => {
    const form = fieldsIn((await side.get(at)).text)
    assert.equal((await side.post(at, { ...form, owner })).status, 303)
  }
  const ownerAt = async (side: Session) =>
    /owned by <a href="\/users\/owners\/(\d+)\//.exec((await side.get(page)).text)?.[1]

  await give(here, String(mine.id))
  await sync('push')
  assert.equal(await ownerAt(there), String(mine.id))
  await give(there, String(yours.id))
  await sync('pull')
  assert.equal(await ownerAt(here), String(yours.id))

  await give(here, String(mine.id))
  await give(there, '')
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    sides.conflicts().map(({ key }) => key),
    [`extras.tag:${tag}.owner`],
  )
  await sync('push', { ours: true })
  assert.equal(await ownerAt(there), String(mine.id))

  const [{ request_id }] = (await sides.source.call('GET', '/api/core/object-changes/?limit=1&ordering=-id')).json
    .results
  const undone = await sides.source.call('POST', '/api/core/object-changes/revert/', { request_id })
  assert.equal(undone.status, 200, undone.text)
  assert.equal(await ownerAt(there), undefined)
})
