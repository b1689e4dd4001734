import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'
import { fieldsIn, login, loginAs, type Session } from '../support/session.ts'

const client = await serve()
const open = await serve({ loginRequired: false, exemptViewPermissions: ['*'] })

/** Ends the session of a browser, as time or a superuser does. */
const ends = ({ cookie }: Session, { running } = client) => {
  assert.match(cookie, /sessionid=/)
  running.store.db.run('delete from users_session')
}
const slugs = async ({ call } = client) =>
  (await call('GET', '/api/dcim/sites/')).json.results.map(({ slug }: any) => slug)
const typed = { name: 'A "site" & more', slug: 'kept', status: 'active', comments: 'two\r\nlines' }

for (const [where, server] of [
  ['where all log in', client],
  ['where anybody may look', open],
] as const)
  test(`what was typed outlives the session, ${where}`, async () => {
    const one = await login(server)
    ends(one, server)
    const kept = await one.post('/dcim/sites/add/?_back=/dcim/sites/', typed)
    assert.equal(kept.status, 403)
    assert.match(kept.text, /action="\/dcim\/sites\/add\/\?_back=%2Fdcim%2Fsites%2F"/)
    const fields = fieldsIn(kept.text)
    assert.deepEqual([fields.name, fields.slug, fields.comments], [['A "site" & more'], ['kept'], ['two\nlines']])
    assert.deepEqual(await slugs(server), [])
    const again = await login(server)
    const { csrfmiddlewaretoken: _, ...rest } = fields
    assert.equal((await again.post('/dcim/sites/add/', rest)).status, 303)
    assert.deepEqual(await slugs(server), ['kept'])
  })

test('a form of another site, and one that is too large for strangers, only lead to where one logs in', async () => {
  const one = await login(client)
  ends(one)
  const foreign = await fetch(`${client.base}/dcim/sites/add/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: one.cookie },
    body: new URLSearchParams({ ...typed, csrfmiddlewaretoken: 'x'.repeat(32) }),
  })
  const long = await one.post('/dcim/sites/add/', { ...typed, comments: 'x'.repeat(20_000) })
  assert.deepEqual([foreign.status, long.status], [302, 302])
  assert.equal(long.location, '/login/?next=%2Fdcim%2Fsites%2Fadd%2F')
})

test('who is logged in and may not is told so', async () => {
  const ann = await loginAs(client, 'ann', [[['dcim.site'], ['view']]])
  const refused = await ann.post('/dcim/sites/add/', typed)
  assert.equal(refused.status, 403)
  assert.doesNotMatch(refused.text, /logged out/)
})

test('a form with a file asks for the file once more', async () => {
  const one = await login(client)
  ends(one)
  const kept = await one.post('/extras/image-attachments/add/', { name: 'Front', image: new Blob(['x']) })
  assert.equal(kept.status, 403)
  assert.match(kept.text, /multipart\/form-data.*name="name" value="Front".*sample\.png.*type="file" name="image"/s)
})
