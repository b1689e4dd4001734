import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelNamed } from '../../src/engine/catalog.ts'
import { q } from '../../src/lib/sql.ts'
import { Committer } from '../../src/store/commit.ts'
import { clientOf, type Reply } from '../support/launch.ts'
import { send } from '../support/send.ts'
import { creating, serve } from '../support/server.ts'

/** What the writes of one transaction do to each other: whoever refers to what another deletes is refused by itself. */
const client = await serve({ workers: 0 }) // requests are held in this thread
const { call, running } = client
const { commit, db } = running.store
const make = creating(client)

/** Has requests write in one transaction, in this order. */
async function together(...requests: (() => Promise<Reply>)[]): Promise<Reply[]> {
  commit.hold()
  const replies: Promise<Reply>[] = []
  for (const request of requests) {
    replies.push(request())
    while (commit.waiting < replies.length) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  commit.release()
  return Promise.all(replies)
}
const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status)

let n = 0
const named = () => ({ name: `N${++n}`, slug: `n${n}` })
const post = (path: string, body: object) => () => call('POST', `/api/${path}/`, body)
const remove = (path: string, id: number) => () => call('DELETE', `/api/${path}/${id}/`)
const sites = (): string[] => db.raw.prepare('select name from dcim_site order by id').pluck().all() as string[]

test('what one write deletes, the next does not refer to: single, many-to-many, generic, tags', async () => {
  const region = await make('dcim/regions', named())
  const asn = await make('ipam/asns', { asn: 64512, rir: (await make('ipam/rirs', named())).id })
  const tag = await make('extras/tags', named())
  const site = await make('dcim/sites', named())
  const cases: [string, number, string, object][] = [
    ['dcim/regions', region.id, 'dcim/sites', { ...named(), region: region.id }],
    ['ipam/asns', asn.id, 'dcim/sites', { ...named(), asns: [asn.id] }],
    ['extras/tags', tag.id, 'dcim/sites', { ...named(), tags: [tag.id] }],
    ['dcim/sites', site.id, 'ipam/prefixes', { prefix: '10.0.0.0/8', scope_type: 'dcim.site', scope_id: site.id }],
  ]
  for (const [target, id, path, body] of cases) {
    const replies = await together(remove(target, id), post(path, body), post('dcim/sites', named()))
    assert.deepEqual(statuses(replies), [204, 400, 201], `${target} ${replies[1]!.text}`)
  }
})

/** Another administrator, and a client of theirs. */
async function administrator() {
  const token = String(++n).padStart(40, 'a')
  const user = await make('users/users', { username: `u${n}`, password: 'Some-Passw0rd-1' })
  db.run('update users_user set is_superuser = 1 where id = ?', user.id)
  const { id } = await make('users/tokens', { user: user.id, version: 1, token })
  return { user: user.id as number, token: id as number, call: clientOf(running, client.data, `Token ${token}`).call }
}

test('who is deleted, put out of service, or loses a token just before writes nothing; others do', async () => {
  const site = await make('dcim/sites', named())
  const { json } = await call('GET', `/api/core/object-changes/?changed_object_id=${site.id}&limit=1`)
  const bodies: [string, object][] = [
    ['dcim/sites', named()],
    ['dcim/sites', [named(), named()]],
    ['extras/journal-entries', { assigned_object_type: 'dcim.site', assigned_object_id: site.id, comments: 'x' }],
    ['core/object-changes/revert', { id: json.results[0].id }],
  ]
  for (const [path, body] of bodies)
    for (const how of ['user', 'active', 'token', 'read-only']) {
      const other = await administrator()
      const end =
        how === 'user'
          ? remove('users/users', other.user)
          : how === 'token'
            ? remove('users/tokens', other.token)
            : how === 'active'
              ? () => call('PATCH', `/api/users/users/${other.user}/`, { is_active: false })
              : () => call('PATCH', `/api/users/tokens/${other.token}/`, { write_enabled: false })
      const replies = await together(end, () => other.call('POST', `/api/${path}/`, body), post('dcim/sites', named()))
      assert.equal(replies[1]!.status, 403, `${how} ${path} ${replies[1]!.text}`)
      assert.ok(replies[0]!.status < 300 && replies[2]!.status === 201, `${how} ${path}`)
    }
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).status, 200)
})

test('who is deleted while logging in, or asking for a token, gets neither', async () => {
  const Password = 'Some-Passw0rd-1'
  const form = await send(`${client.base}/login/`)
  const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie') ?? '')![1]!
  const before = db.get('select count(*) as n from users_session')
  for (const path of ['/login/', '/api/users/tokens/provision/']) {
    const { id, username } = await make('users/users', { username: `u${++n}`, password: Password })
    const body = { username, password: Password, csrfmiddlewaretoken: token }
    const replies = await together(remove('users/users', id), async () => {
      const isForm = path === '/login/'
      const answer = await send(client.base + path, {
        method: 'POST',
        headers: isForm ? { cookie: `csrftoken=${token}` } : { 'content-type': 'application/json' },
        body: isForm ? new URLSearchParams(body) : JSON.stringify({ username, password: Password }),
      })
      return { ...answer, json: undefined }
    })
    assert.deepEqual(statuses(replies), [204, 403], `${path} ${replies[1]!.text}`)
  }
  assert.deepEqual(db.get('select count(*) as n from users_session'), before)
})

/** A write that SQLite finds out about only at the commit: a row that refers to nothing. */
const dangling = (name: string) => () => {
  db.run('pragma defer_foreign_keys = on')
  db.run("insert into dcim_site (name, name_sort, slug, region_id) values (?, x'00', ?, 987654)", name, name)
}
const insert = (name: string) => () => {
  db.run("insert into dcim_site (name, name_sort, slug) values (?, x'00', ?)", name, name)
  return name
}

test('what fails only at the commit fails alone, and says what it would refer to', async () => {
  for (const manner of ['brief', 'plain'] as const)
    for (const [i, order] of [
      ['good', 'bad', 'fine'],
      ['bad', 'good'],
      ['good', 'fine', 'bad'],
      ['bad', 'bad', 'good'],
    ].entries()) {
      const names = order.map((kind, j) => `${kind} ${manner} ${i} ${j}`)
      const outcomes = await Promise.allSettled(
        names.map((name) => commit.run((name.startsWith('bad') ? dangling : insert)(name), '', manner)),
      )
      for (const [j, outcome] of outcomes.entries())
        if (order[j] === 'bad') {
          assert.equal(outcome.status, 'rejected', names[j])
          const { status, body } = (outcome as PromiseRejectedResult).reason
          assert.equal(status, 409)
          assert.match(body.detail, /: dcim\.site \d+ \(region\) to dcim\.region 987654\.$/)
        } else assert.equal((outcome as PromiseFulfilledResult<unknown>).value, names[j])
      assert.deepEqual(
        sites().filter((name) => names.includes(name)),
        names.filter((name) => !name.startsWith('bad')),
      )
    }
})

test('so it is where a row goes that others refer to, and where there is one write', async () => {
  const region = await make('dcim/regions', named())
  const site = await make('dcim/sites', { ...named(), region: region.id })
  const gone = () => {
    db.run('pragma defer_foreign_keys = on')
    db.run(`delete from ${q('dcim_region')} where id = ?`, region.id)
  }
  for (const others of [[], [insert('beside')]]) {
    const [outcome, ...rest] = await Promise.allSettled([commit.run(gone), ...others.map((work) => commit.run(work))])
    const { body } = (outcome as PromiseRejectedResult).reason
    assert.ok(body.detail.endsWith(`: dcim.site ${site.id} (region) to dcim.region ${region.id}.`), body.detail)
    for (const each of rest) assert.equal(each.status, 'fulfilled')
  }
  assert.deepEqual(db.raw.pragma('foreign_key_check'), [])
})

test('a client hears of it, and so do others of their own', async () => {
  const { name, slug } = named()
  db.raw.exec(`create trigger broken after insert on dcim_site when new.name = '${name}'
    begin update dcim_site set region_id = 987654 where id = new.id; end`)
  const replies = await together(post('dcim/sites', { name, slug }), post('dcim/sites', named()))
  assert.deepEqual(statuses(replies), [409, 201])
  assert.equal(typeof replies[0]!.json.detail, 'string')
  db.raw.exec('drop trigger broken')
  assert.ok(!sites().includes(name))
})

test('while reads of others come, writes share a transaction; where none come, they do not wait', async () => {
  const fresh = new Committer(db) // which has seen nothing yet
  fresh.ending = commit.ending
  fresh.committed = commit.committed
  const works: number[] = []
  fresh.took = (n) => works.push(n)
  const turns = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  fresh.aside = { most: 1000, between: 3_600_000 } // so that a slow machine shows the same
  fresh.lastRead = performance.now()
  const first = fresh.run(insert('first of two'))
  await turns()
  assert.equal(fresh.waiting, 1)
  await Promise.all([first, fresh.run(insert('second of two'))])
  fresh.lastRead = -Infinity
  await fresh.run(insert('alone'))
  assert.deepEqual(works, [2, 1])

  fresh.aside = { most: 3_600_000, between: 3_600_000 } // once as many came as lately, they wait no longer
  const third = fresh.run(insert('third'))
  fresh.lastRead = performance.now()
  await turns()
  assert.deepEqual([...works, fresh.waiting], [2, 1, 1])
  await Promise.all([third, fresh.run(insert('fourth'))])
  assert.deepEqual(works, [2, 1, 2])
})

test('who reads and writes alone waits once to see whether others come, not each time', async () => {
  const fresh = new Committer(db)
  fresh.ending = commit.ending
  fresh.committed = commit.committed
  fresh.aside = { most: 3_600_000, between: 20 }
  fresh.lastRead = performance.now()
  await fresh.run(insert('waited until no more reads came'))
  fresh.aside.between = 3_600_000
  fresh.lastRead = performance.now()
  await fresh.run(insert('waited for nobody'))
})

test('each is answered as the object was by its own write, also where the next one changes or deletes it', async () => {
  const patch = (id: number, body: object) => () => call('PATCH', `/api/dcim/sites/${id}/`, body)
  const { id } = await make('dcim/sites', named())
  const replies = await together(
    patch(id, { description: 'one' }),
    patch(id, { description: 'two', comments: 'later' }),
    remove('dcim/sites', id),
  )
  assert.deepEqual(statuses(replies), [200, 200, 204])
  assert.deepEqual(
    replies.slice(0, 2).map(({ json }) => [json.description, json.comments]),
    [
      ['one', ''],
      ['two', 'later'],
    ],
  )
  assert.notEqual(replies[0]!.headers.get('etag'), replies[1]!.headers.get('etag'))
  const body = named()
  const [made, changed] = await together(post('dcim/sites', body), patch(id + 1, { name: 'Changed' }))
  assert.deepEqual([made!.status, made!.json.name, changed!.json.name], [201, body.name, 'Changed'])
  assert.equal((await call('GET', `/api/dcim/sites/${id + 1}/`)).json.name, 'Changed', 'nothing else is kept')
})

test('what was shown within a write that is refused later is kept by nobody', async () => {
  const { id, name } = await make('dcim/sites', named())
  const get = async () => (await call('GET', `/api/dcim/sites/${id}/`)).json.name
  assert.equal(await get(), name)
  const work = () => {
    db.run('update dcim_site set name = ? where id = ?', 'Undone', id)
    const shown = running.store.reader.one(modelNamed('dcim.site'), id, {}, client.base)
    assert.match(String(shown), /Undone/)
    throw new Error('refused')
  }
  for (const manner of ['plain', 'brief'] as const) {
    await assert.rejects(commit.run(work, '', manner))
    assert.equal(await get(), name)
    await Promise.allSettled([commit.run(work, '', manner), commit.run(() => db.get('select 1'), '', manner)])
    assert.equal(await get(), name)
  }
})
