import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createApp } from '../../src/server/app.ts'
import { allModels } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { openStore } from '../../src/store/open.ts'
import { AdminToken } from '../support/launch.ts'
import { Maker } from '../support/maker.ts'
import type { Asked, Told } from '../support/other-process.ts'
import { questionsOf } from '../support/questions.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

/**
 * What the server remembers never differs from what a process finds that remembers nothing. Asked is a draw of what the matrix asks;
 * CABINET_TEST_QUESTIONS is how much of each model (`all` for everything), CABINET_TEST_SEED repeats a draw.
 */
const seed = seedOf()
const random = new Random(seed)
const perModel =
  process.env.CABINET_TEST_QUESTIONS === 'all' ? Infinity : Number(process.env.CABINET_TEST_QUESTIONS) || 2
const writes = perModel === Infinity ? 300 : perModel * 8

const { call, base, data, running } = await serve()
const { store } = running
store.db.raw.pragma('synchronous = off')
const make = new Maker(call)
await make.fresh('extras.customfield', {
  name: 'matrix',
  type: 'text',
  object_types: allModels.filter((m) => m.fields.custom_fields).map((m) => m.name),
})
const served = allModels.filter((m) => !m.internal)
for (const m of served.filter((each) => !each.methods))
  for (const extent of ['minimal', 'full'] as const)
    assert.equal((await make.post(m, await make.body(m, extent))).status, 201, m.name)
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

/** Fails where the server answers otherwise than the process that remembers nothing; what depends on the moment is asked again. */
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

const openapi = (await call('GET', '/api/schema/?format=json')).json
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

test(`between writes of this server, another connection and another process (seed ${seed})`, async (t) => {
  const done: Record<string, number> = {}
  const writable = served.filter((m) => !m.methods && !['users.user', 'users.token'].includes(m.name))
  for (let i = 0; i < writes; i++) {
    const m = random.pick(writable)
    const row = await newest(m)
    if (!row) continue
    const sample = [{ m, paths: asked.find((each) => each.m === m)!.paths }, ...random.shuffled(asked).slice(0, 8)]
    const questions = sample.flatMap(({ paths }) => asking(random.shuffled(paths).slice(0, 6), random.pick(users)))
    const about = asking([`/api/${m.path}/`, `/api/${m.path}/${row.id}/`], users[0]!)
    await answerers.server!([...questions, ...about])
    const writer = random.pick(['server', 'connection', 'process'])
    const name = ['description', 'comments', 'name', 'label'].find((each) => m.fields[each]?.input) ?? 'custom_fields'
    const body = name === 'custom_fields' ? {} : { [name]: `Written ${i}` }
    const isDelete = random.chance(0.2)
    const [told] = await answerers[writer]!([
      {
        method: isDelete ? 'DELETE' : 'PATCH',
        url: `${base}/api/${m.path}/${row.id}/`,
        headers: { ...users[0], 'content-type': 'application/json' },
        ...(isDelete ? {} : { body: JSON.stringify(body) }),
      },
    ])
    assert.ok(told!.status < 500, `${writer} ${m.name}: ${told!.text}`)
    done[`${writer} ${told!.status}`] = (done[`${writer} ${told!.status}`] ?? 0) + 1
    await compare([...questions, ...about], `after ${isDelete ? 'DELETE' : 'PATCH'} ${m.name} ${row.id} by ${writer}`)
  }
  t.diagnostic(JSON.stringify(done))
})
