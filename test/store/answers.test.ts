import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createApp } from '../../src/server/app.ts'
import { allModels, fieldsOf, genericsTo, linksTo, modelNamed, referencesTo } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { openStore } from '../../src/store/open.ts'
import { AdminToken } from '../support/launch.ts'
import { type Extent, Maker, writable } from '../support/maker.ts'
import type { Asked, Told } from '../support/other-process.ts'
import { questionsOf, withOwn } from '../support/questions.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

/**
 * What the server remembers never differs from what a process finds that remembers nothing. Asked is a draw of what the
 * matrix asks; CABINET_TEST_QUESTIONS is how much of each model (`all` for everything), CABINET_TEST_WRITES how often
 * is written between them; CABINET_TEST_SEED repeats a draw.
 */
const seed = seedOf()
const random = new Random(seed)
const perModel =
  process.env.CABINET_TEST_QUESTIONS === 'all' ? Infinity : Number(process.env.CABINET_TEST_QUESTIONS) || 2
const writes = Number(process.env.CABINET_TEST_WRITES) || (perModel === Infinity ? 600 : perModel * 20)

const { call, base, data, running } = await serve()
const { store } = running
const make = new Maker(call)
await make.everything()
const served = allModels.filter((m) => !m.internal)
for (const second of [130, 131]) {
  await make.fresh('ipam.prefix', { prefix: `10.${second}.0.0/16` })
  await make.fresh('ipam.prefix', { prefix: `10.${second}.4.0/24` })
  await make.fresh('ipam.ipaddress', { address: `10.${second}.4.1/24` })
  await make.fresh('ipam.iprange', { start_address: `10.${second}.4.8/24`, end_address: `10.${second}.4.9/24` })
  await make.fresh('ipam.aggregate', { prefix: `10.${second}.0.0/16` })
}

/** A user who sees of every model what some constraint leaves, and of networks those inside one. */
async function reader(name: string, network: string, others: object): Promise<Record<string, string>> {
  const user = await make.fresh('users.user', { username: name })
  const token = (await call('POST', '/api/users/tokens/', { user })).json
  const fields: Record<string, string> = {
    'ipam.prefix': 'prefix',
    'ipam.aggregate': 'prefix',
    'ipam.ipaddress': 'address',
    'ipam.iprange': 'start_address',
  }
  for (const m of served) {
    const constraints = fields[m.name] ? { [`${fields[m.name]}__net_contained_or_equal`]: network } : others
    const body = { name: `${name} ${m.name}`, object_types: [m.name], actions: ['view'], users: [user], constraints }
    await call('POST', '/api/users/permissions/', body) // refused for models without permissions of their own
  }
  return { authorization: `Bearer nbt_${token.key}.${token.token}` }
}
const users = [
  { authorization: `Token ${AdminToken}` },
  await reader('eve', '10.130.0.0/16', { id__lt: 3 }),
  await reader('bob', '10.131.0.0/16', { id__gte: 2 }),
]

const place = { file: join(data, 'cabinet.db'), uploads: store.uploads, config: store.config }
const process_ = fork(join(import.meta.dirname, '../support/other-process.ts'), [JSON.stringify(place)])
await once(process_, 'message')
const connection = openStore(place)
const app = createApp(connection, store.config)
after(() => {
  process_.disconnect()
  connection.close()
})

/** Who may answer: the server, another connection in this process, and another process, which remembers nothing. */
const answerers: Record<string, (asked: Asked[]) => Promise<Told[]>> = {
  server: (asked) =>
    Promise.all(
      asked.map(async ({ url, ...request }) => {
        const response = await fetch(url, request)
        return { status: response.status, text: await response.text() }
      }),
    ),
  connection: (asked) =>
    Promise.all(
      asked.map(async ({ url, ...request }) => {
        const response = await app.fetch(new Request(url, request))
        return { status: response.status, text: await response.text() }
      }),
    ),
  process: async (asked) => {
    process_.send(asked)
    const [told] = (await once(process_, 'message')) as [Told[]]
    return told
  },
}
const asking = (paths: readonly string[], headers: Record<string, string>): Asked[] =>
  paths.map((path) => ({ method: 'GET', url: base + path, headers }))

/**
 * Fails where the server answers otherwise than the process that remembers nothing; what depends on the moment is asked
 * again.
 */
async function compare(asked: Asked[], when: string): Promise<void> {
  const [warm, cold] = await Promise.all([answerers.server!(asked), answerers.process!(asked)])
  for (const [i, { url, headers }] of asked.entries()) {
    let [got, wanted] = [warm[i]!, cold[i]!]
    for (let tries = 0; tries < 2 && got.text !== wanted.text; tries++) {
      got = (await answerers.server!([asked[i]!]))[0]!
      wanted = (await answerers.process!([asked[i]!]))[0]!
    }
    const who = users.findIndex((user) => user.authorization === headers.authorization)
    assert.ok(got.status < 500 && wanted.status < 500, `${when}: ${url}: ${got.text} ${wanted.text}`)
    assert.equal(got.text, wanted.text, `seed ${seed}, ${when}, user ${who}: ${url}`)
  }
}

const openapi = withOwn((await call('GET', '/api/schema/?format=json')).json)
const newest = async (m: AnyModel) =>
  (await call('GET', `/api/${m.path}/?limit=1&ordering=-id`)).json.results[0] as Record<string, any> | undefined
const asked: { m: AnyModel; paths: string[] }[] = []
for (const m of served) {
  const all = questionsOf(openapi, m, (await newest(m)) ?? {})
  const isOfNetworks = m.name.startsWith('ipam.') ? ['parent', 'within', 'contains', 'within_include'] : []
  const networks = isOfNetworks.flatMap((name) => [130, 131].map((n) => `/api/${m.path}/?${name}=10.${n}.0.0/16`))
  asked.push({ m, paths: [...networks, ...random.shuffled(all).slice(0, perModel)] })
}

test(`each question asked by each user in turn, twice (seed ${seed})`, async () => {
  for (const { m, paths } of asked) {
    for (const user of users) await answerers.server!(asking(paths, user))
    for (const user of users.toReversed()) await compare(asking(paths, user), `${m.name} warm`)
  }
})

/** Models whose objects are shown inside those of a model, or show them. */
function around(m: AnyModel): AnyModel[] {
  const shown = fieldsOf(m).flatMap(([, { target, links }]) =>
    (target ?? links) ? [modelNamed((target ?? links)!.model)] : [],
  )
  const showing = [...referencesTo(m), ...linksTo(m), ...genericsTo(m)].map(({ from }) => from)
  return [...new Set([...shown, ...showing])].filter((each) => each !== m && !each.internal)
}

type Row = Record<string, any>
type Deed = (m: AnyModel, row: Row, i: number) => Promise<{ method: string; path: string; body?: unknown } | undefined>
const one = (m: AnyModel, row: Row) => `/api/${m.path}/${row.id}/`
const wordOf = (m: AnyModel) => ['description', 'comments', 'name', 'label'].find((each) => m.fields[each]?.input)
/** A body of new values for all fields, with what they refer to; without files. */
const values = async (m: AnyModel, extent: Extent) => {
  const body = await make.body(m, extent)
  return Object.values(body).some((value) => value instanceof Blob) ? undefined : body
}
/** What is done between the questions; undefined where a model has no such thing. */
const deeds: Record<string, Deed> = {
  text: async (m, row, i) => {
    const name = wordOf(m)
    return { method: 'PATCH', path: one(m, row), body: name ? { [name]: `Written ${i}` } : {} }
  },
  'a value': async (m, row) => {
    const [name, field] = random.pick(writable(m))
    if (field.upload) return undefined
    return { method: 'PATCH', path: one(m, row), body: await make.value(m, name, field) }
  },
  'all values': async (m, row) => ({ method: 'PATCH', path: one(m, row), body: await values(m, 'full') }),
  'a new one': async (m) => ({
    method: 'POST',
    path: `/api/${m.path}/`,
    body: await values(m, random.pick(['minimal', 'full'])),
  }),
  tags: async (m, row) =>
    m.features?.includes('tags') && {
      method: 'PATCH',
      path: one(m, row),
      body: { tags: random.chance(0.5) ? [] : [await make.shared('extras.tag'), await make.fresh('extras.tag')] },
    },
  'a custom field': async (m, row, i) =>
    m.fields.custom_fields && { method: 'PATCH', path: one(m, row), body: { custom_fields: { matrix: `value ${i}` } } },
  'a definition': async (_m, _row, i) => ({
    method: 'POST',
    path: '/api/extras/custom-fields/',
    body: { name: `field_${i}`, type: 'text', object_types: ['dcim.device', 'dcim.site', 'ipam.prefix'], default: 'x' },
  }),
  parent: async (m, row) =>
    m.tree && {
      method: 'PATCH',
      path: one(m, row),
      body: { [m.tree.parent]: random.chance(0.3) ? null : await make.fresh(m.name) },
    },
  'several rows': async (m, row, i) => {
    const name = wordOf(m)
    const body = [row.id, await make.fresh(m.name)].map((id) => ({
      id,
      ...(name ? { [name]: `Together ${i} ${id}` } : {}),
    }))
    return { method: 'PATCH', path: `/api/${m.path}/`, body }
  },
  'several rows, one of them refused': async (m, row, i) => {
    const name = wordOf(m)
    return (
      name && {
        method: 'PATCH',
        path: `/api/${m.path}/`,
        body: [
          { id: row.id, [name]: `Undone ${i}` },
          { id: row.id, [name]: [7] },
        ],
      }
    )
  },
  'a deletion': async (m, row) => ({ method: 'DELETE', path: one(m, row) }),
  'a deletion of several': async (m, row) => ({
    method: 'DELETE',
    path: `/api/${m.path}/`,
    body: [{ id: row.id }, { id: await make.fresh(m.name) }],
  }),
} as Record<string, Deed>

test(`between writes of this server, another connection and another process (seed ${seed})`, async (t) => {
  const done: Record<string, number> = {}
  const changed = served.filter(
    (m) => !m.methods && !['users.user', 'users.token', 'users.permission'].includes(m.name),
  )
  for (let i = 0; i < writes; i++) {
    const m = random.pick(changed)
    const row = await newest(m)
    if (!row) continue
    const kind = random.pick(Object.keys(deeds))
    const deed = await deeds[kind]!(m, row, i)
    if (!deed) continue
    const sample = [{ m, paths: asked.find((each) => each.m === m)!.paths }, ...random.shuffled(asked).slice(0, 6)]
    const questions = sample.flatMap(({ paths }) => asking(random.shuffled(paths).slice(0, 6), random.pick(users)))
    const near = random.shuffled(around(m)).slice(0, 8)
    const lists = near.map((each) => `/api/${each.path}/?limit=30${random.chance(0.3) ? '&brief=1' : ''}`)
    const own = [`/api/${m.path}/`, `/api/${m.path}/?limit=500&ordering=-id`, `/api/${m.path}/?brief=1`, one(m, row)]
    const about = asking([...own, ...lists], users[0]!)
    await answerers.server!([...questions, ...about])
    const writer = random.pick(['server', 'connection', 'process'])
    const { method, path, body } = deed
    const [told] = await answerers[writer]!([
      {
        method,
        url: base + path,
        headers: { ...users[0], 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    ])
    assert.ok(told!.status < 500, `${writer} ${kind} ${m.name}: ${told!.text}`)
    const outcome = `${writer} ${told!.status}`
    done[outcome] = (done[outcome] ?? 0) + 1
    await compare([...questions, ...about], `after ${kind} of ${m.name} ${row.id} by ${writer}: ${told!.status}`)
  }
  t.diagnostic(JSON.stringify(done))
})
