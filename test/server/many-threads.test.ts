import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { AnyModel } from '../../src/declare/model.ts'
import { rootName } from '../../src/graphql/names.ts'
import { allModels, fieldsOf, genericsTo, linksTo, modelNamed, referencesTo } from '../../src/engine/catalog.ts'
import { AdminToken, launch } from '../support/launch.ts'
import { Maker, writable } from '../support/maker.ts'
import type { Asked, Told } from '../support/other-process.ts'
import { questionsOf, withOwn } from '../support/questions.ts'
import { Random, seedOf } from '../support/random.ts'

/**
 * Whatever was answered to a write, every connection to every thread sees it at once, whatever the threads kept before:
 * all is compared with a process that remembers nothing. CABINET_TEST_SEED repeats a draw, CABINET_TEST_WRITES says how
 * many writes there are; with CABINET_TEST_SHARES=1 or 0 threads take what others hand on, or the first one does.
 */
const seed = seedOf()
const random = new Random(seed)
const writes = Number(process.env.CABINET_TEST_WRITES) || 20
const sharesAll = process.env.CABINET_TEST_SHARES ? process.env.CABINET_TEST_SHARES === '1' : seed % 2 === 0

const server = await launch({ workers: 2 }, { count: 2, alone: random.chance(0.7), sharesAll })
after(server.close)
const { call, base, data, running } = server
const make = new Maker(call)
await make.everything()
const served = allModels.filter((m) => !m.internal)

type Row = Record<string, any>
/** What is asked: a path, or of GraphQL a query. */
interface Question {
  path: string
  headers: Record<string, string>
  query?: string | undefined
}
interface Heard {
  status: number
  body: string
  etag: string | undefined
}
/** A client with a connection of its own. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly had = new Map<string, Heard>()
  async ask(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Heard> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    for (let tries = 0; ; tries++)
      try {
        const asking = request(base + path, {
          agent: this.#agent,
          method,
          headers: {
            ...headers,
            ...(sent === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          },
        })
        const [message] = (await once(asking.end(sent), 'response')) as [IncomingMessage]
        return { status: message.statusCode!, body: await text(message), etag: message.headers.etag }
      } catch (error) {
        if (method !== 'GET' || tries > 2) throw error
      }
  }
  /** Asks by what it has: of a 304, that. */
  async get({ path, headers, query }: Question): Promise<Heard> {
    if (query !== undefined) return this.ask('POST', path, headers, { query })
    if (headers.accept) return this.ask('GET', path, headers)
    const key = `${headers.authorization} ${path}`
    const had = this.had.get(key)
    const heard = await this.ask('GET', path, { ...headers, 'if-none-match': had?.etag ?? '"none"' })
    if (heard.status === 304) return { ...had!, etag: heard.etag }
    this.had.set(key, heard)
    return heard
  }
  close() {
    this.#agent.destroy()
  }
}
const clients = Array.from({ length: 8 }, () => new Client())
after(() => {
  for (const client of clients) client.close()
})

const place = { file: join(data, 'cabinet.db'), uploads: running.store.uploads, config: running.store.config }
const other = fork(join(import.meta.dirname, '../support/other-process.ts'), [JSON.stringify(place)])
await once(other, 'message')
after(() => other.disconnect())
async function cold(asked: Asked[]): Promise<Told[]> {
  other.send(asked)
  const [told] = (await once(other, 'message')) as [Told[]]
  return told
}

/** Does something in another process, perhaps after a transaction of the server that changed nothing. */
async function byOther({ method, path, body }: Deed): Promise<Heard> {
  const cookie = { cookie: `sessionid=none; csrftoken=${'c'.repeat(32)}`, 'x-csrftoken': 'c'.repeat(32) }
  if (random.chance(0.5)) await clients[7]!.ask('POST', '/logout/', cookie, {})
  const headers = { ...admin, 'content-type': 'application/json' }
  const [told] = await cold([
    { method, url: base + path, headers, body: body === undefined ? '' : JSON.stringify(body) },
  ])
  return { status: told!.status, body: told!.text, etag: undefined }
}

const admin = { authorization: `Token ${AdminToken}` }
/** Users with grants that change meanwhile. */
async function reader(name: string, constraints: object) {
  const group = await make.fresh('users.group', { name })
  const user = await make.fresh('users.user', { username: name, groups: [group] })
  const token = (await call('POST', '/api/users/tokens/', { user })).json
  const grants: number[] = []
  for (const m of served) {
    const body = { name: `${name} ${m.name}`, object_types: [m.name], actions: ['view'], groups: [group], constraints }
    const { json, status } = await call('POST', '/api/users/permissions/', body)
    if (status === 201) grants.push(json.id)
  }
  return { user, group, grants, token: token.id, headers: { authorization: `Bearer nbt_${token.key}.${token.token}` } }
}
const readers = [await reader('eve', { id__lt: 3 }), await reader('bob', { id__gte: 2 })]
const headersOf = [admin, ...readers.map(({ headers }) => headers)]

const openapi = withOwn((await call('GET', '/api/schema/?format=json')).json)
const newest = async (m: AnyModel): Promise<Row | undefined> =>
  (await call('GET', `/api/${m.path}/?limit=1&ordering=-id`)).json.results[0]
const some = async (m: AnyModel): Promise<Row | undefined> => {
  const { results } = (await call('GET', `/api/${m.path}/?limit=8&ordering=-id`)).json
  return results.length ? random.pick(results as Row[]) : undefined
}
const moving = ['users.token', 'users.user', 'core.job', 'core.objectchange']
const questions = new Map<string, string[]>()
for (const m of served)
  if (!moving.includes(m.name)) questions.set(m.name, questionsOf(openapi, m, (await newest(m)) ?? {}))

function around(m: AnyModel): AnyModel[] {
  const shown = fieldsOf(m).flatMap(([, { target, links }]) =>
    (target ?? links) ? [modelNamed((target ?? links)!.model)] : [],
  )
  const showing = [...referencesTo(m), ...linksTo(m), ...genericsTo(m)].map(({ from }) => from)
  return [...new Set([...shown, ...showing])].filter((each) => each !== m && questions.has(each.name))
}

interface Deed {
  method: string
  path: string
  body?: unknown
}
const one = (m: AnyModel, row: Row) => `/api/${m.path}/${row.id}/`
const wordOf = (m: AnyModel) => ['name', 'description', 'comments', 'label'].find((each) => m.fields[each]?.input)
const values = async (m: AnyModel) => {
  const body = await make.body(m, random.pick(['minimal', 'full']))
  return Object.values(body).some((value) => value instanceof Blob) ? undefined : body
}
const toggled = new Map<string, boolean>()
const toggle = (key: string): boolean => {
  const next = !toggled.get(key)
  toggled.set(key, next)
  return next
}
const deeds: Record<string, (m: AnyModel, row: Row, i: number) => Promise<Deed | false | undefined>> = {
  word: async (m, row, i) => {
    const name = wordOf(m)
    return name !== undefined && { method: 'PATCH', path: one(m, row), body: { [name]: `Written ${i}` } }
  },
  value: async (m, row) => {
    const [name, field] = random.pick(writable(m))
    return !field.upload && { method: 'PATCH', path: one(m, row), body: await make.value(m, name, field) }
  },
  values: async (m, row) => ({ method: 'PATCH', path: one(m, row), body: await values(m) }),
  create: async (m) => ({ method: 'POST', path: `/api/${m.path}/`, body: await values(m) }),
  many: async (m) => {
    const body = []
    for (let i = 0; i < 12; i++) body.push(await values(m))
    return { method: 'POST', path: `/api/${m.path}/`, body }
  },
  large: async (m, row, i) =>
    m.fields.comments && { method: 'PATCH', path: one(m, row), body: { comments: `${i} `.repeat(5000) } },
  parent: async (m, row) =>
    m.tree && {
      method: 'PATCH',
      path: one(m, row),
      body: { [m.tree.parent]: random.chance(0.3) ? null : await make.fresh(m.name) },
    },
  tags: async (m, row) =>
    m.features?.includes('tags') && {
      method: 'PATCH',
      path: one(m, row),
      body: { tags: random.chance(0.5) ? [] : [await make.shared('extras.tag'), await make.fresh('extras.tag')] },
    },
  'tag renamed': async (_m, _row, i) => ({
    method: 'PATCH',
    path: `/api/extras/tags/${await make.shared('extras.tag')}/`,
    body: { name: `Tag ${i}` },
  }),
  'custom value': async (m, row, i) =>
    m.fields.custom_fields && { method: 'PATCH', path: one(m, row), body: { custom_fields: { matrix: `v ${i}` } } },
  definition: async (m, _row, i) =>
    m.fields.custom_fields && {
      method: 'POST',
      path: '/api/extras/custom-fields/',
      body: { name: `field_${i}`, type: 'text', object_types: [m.name, 'dcim.site'], default: 'x' },
    },
  'definition gone': async () => {
    const { results } = (await call('GET', '/api/extras/custom-fields/?name__isw=field_')).json
    return (
      results.length > 0 && { method: 'DELETE', path: `/api/extras/custom-fields/${random.pick(results as Row[]).id}/` }
    )
  },
  deletion: async (m, row) => ({ method: 'DELETE', path: one(m, row) }),
  deletions: async (m, row) => ({
    method: 'DELETE',
    path: `/api/${m.path}/`,
    body: [{ id: row.id }, { id: await make.fresh(m.name) }],
  }),
  refused: async (m, row, i) => {
    const name = wordOf(m)
    return (
      name !== undefined && {
        method: 'PATCH',
        path: `/api/${m.path}/`,
        body: [
          { id: row.id, [name]: `Undone ${i}` },
          { id: row.id, [name]: [7] },
        ],
      }
    )
  },
  undo: async () => {
    const { results } = (await call('GET', '/api/core/object-changes/?limit=5&ordering=-id')).json
    const change = random.pick(results as Row[])
    return {
      method: 'POST',
      path: '/api/core/object-changes/revert/',
      body: random.chance(0.5) ? { id: change.id } : { request_id: change.request_id },
    }
  },
  'user off': async () => {
    const { user } = random.pick(readers)
    return { method: 'PATCH', path: `/api/users/users/${user}/`, body: { is_active: !toggle(`user ${user}`) } }
  },
  'token off': async () => {
    const { token } = random.pick(readers)
    return { method: 'PATCH', path: `/api/users/tokens/${token}/`, body: { enabled: !toggle(`token ${token}`) } }
  },
  'group left': async () => {
    const { user, group } = random.pick(readers)
    return {
      method: 'PATCH',
      path: `/api/users/users/${user}/`,
      body: { groups: toggle(`group ${user}`) ? [] : [group] },
    }
  },
  grant: async (_m, _row, i) => {
    const { grants } = random.pick(readers)
    return {
      method: 'PATCH',
      path: `/api/users/permissions/${random.pick(grants)}/`,
      body: random.pick<object>([
        { enabled: toggle(`${i}`) },
        { constraints: { id__lt: i } },
        { constraints: null },
        { actions: ['view', 'change'] },
      ]),
    }
  },
}

const done: Record<string, number> = {}
const stale: string[] = []

/** Asks all clients, and compares where the process that remembers nothing says the same before and after. */
async function compare(paths: Question[], when: string): Promise<void> {
  const asked = paths.map(
    ({ path, headers, query }): Asked => ({
      method: query === undefined ? 'GET' : 'POST',
      url: base + path,
      headers: { ...headers, ...(query === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(query === undefined ? {} : { body: JSON.stringify({ query }) }),
    }),
  )
  const before = await cold(asked)
  const heard: Heard[][] = []
  for (const question of paths) heard.push(await Promise.all(clients.map((each) => each.get(question))))
  const behind = await cold(asked)
  for (const told of [before, behind]) for (const each of told) each.text = still(each.text)
  for (const [i, { path, headers, query }] of paths.entries()) {
    if (before[i]!.text !== behind[i]!.text) continue
    for (const [n, each] of heard[i]!.entries()) {
      done.compared = (done.compared ?? 0) + 1
      if (each.status >= 500) stale.push(`${when}: ${path}: ${each.status} ${each.body.slice(0, 300)}`)
      const body = still(each.body)
      if (body === before[i]!.text && each.status === before[i]!.status) continue
      const who = headersOf.findIndex(({ authorization }) => authorization === headers.authorization)
      stale.push(
        `${when}: user ${who}, client ${n}: ${path} ${query ?? ''}
          got  ${each.status} ${diff(body, before[i]!.text)}
          want ${before[i]!.status} ${diff(before[i]!.text, body)}`,
      )
      break
    }
  }
}
/** A page without what is another each time: what a form shows that it is ours by. */
const still = (body: string): string => body.replaceAll(/value="[\w-]{32}"/g, '')
function diff(one: string, two: string): string {
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  return `${at}: ${one.slice(Math.max(0, at - 60), at + 100)}`
}

test(`every connection sees what was answered (seed ${seed})`, async (t) => {
  const changed = served.filter((m) => !m.methods && questions.has(m.name) && !m.name.startsWith('users.'))
  for (let i = 0; i < writes; i++) {
    const m = random.pick(changed)
    const row = await some(m)
    if (!row) continue
    const kind = random.pick(Object.keys(deeds))
    const deed = await deeds[kind]!(m, row, i)
    if (!deed) continue
    const lists = random.shuffled(around(m)).slice(0, 5)
    const own = [`/api/${m.path}/`, `/api/${m.path}/?limit=500&ordering=-id`, `/api/${m.path}/?brief=1`, one(m, row)]
    const pool = [
      ...own,
      ...lists.map((each) => `/api/${each.path}/?limit=30${random.chance(0.3) ? '&brief=1' : ''}`),
      ...random.shuffled(questions.get(m.name)!).slice(0, 5),
      ...random
        .shuffled(lists)
        .slice(0, 2)
        .flatMap((each) => random.shuffled(questions.get(each.name)!).slice(0, 2)),
      ...[random.pick([...questions.values()])].flatMap((all) => random.shuffled(all).slice(0, 2)),
    ]
    const someone = () => (random.chance(0.6) ? admin : random.pick(headersOf))
    const asked = pool.map((path): Question => ({ path, headers: someone() }))
    for (const each of [m, ...lists.slice(0, 2)]) {
      const shown = fieldsOf(each).flatMap(([name, { target }]) => (target ? [`${name} { id }`] : []))
      const query = `{ ${rootName(each)}_list { id display ${random.shuffled(shown).slice(0, 3).join(' ')} } }`
      asked.push({ path: '/graphql/', headers: someone(), query })
    }
    for (const path of [`/${m.path}/`, `/${m.path}/${row.id}/`])
      asked.push({ path, headers: { ...someone(), accept: 'text/html' } })
    for (const question of asked) await Promise.all(clients.slice(0, 4).map((each) => each.get(question)))
    // While it is written, others ask; and some write what is refused, or something else.
    let isOver = false
    const asking = clients.slice(0, 5).map(async (client) => {
      while (!isOver) {
        await client.get(random.pick(asked))
      }
    })
    const beside = random.chance(0.5)
      ? Array.from({ length: 4 }, (_, n) =>
          call('POST', '/api/dcim/sites/', n % 2 ? { name: `B ${i} ${n}`, slug: `b-${i}-${n}` } : { name: `B ${i}` }),
        )
      : []
    const isOfOther = random.chance(0.25)
    const told = isOfOther ? await byOther(deed) : await clients[7]!.ask(deed.method, deed.path, admin, deed.body)
    for (const [n, { status }] of (await Promise.all(beside)).entries()) assert.equal(status, n % 2 ? 201 : 400)
    isOver = true
    const outcome = `${kind} ${told.status}${isOfOther ? ' by another process' : ''}`
    done[outcome] = (done[outcome] ?? 0) + 1
    if (told.status >= 500) stale.push(`${kind} ${m.name}: ${told.status} ${told.body}`)
    await compare(asked, `after ${i} ${kind}${isOfOther ? ' by another' : ''} of ${m.name} ${row.id}: ${told.status}`)
    await Promise.all(asking)
    if (stale.length > 5) break
  }
  t.diagnostic(JSON.stringify(done))
  assert.deepEqual(stale, [], `seed ${seed}, sharesAll ${sharesAll}`)
})
