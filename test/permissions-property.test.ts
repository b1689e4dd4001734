import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../src/fields/field.ts'
import { allModels, fieldsOf } from '../src/engine/catalog.ts'
import type { AnyModel } from '../src/declare/model.ts'
import { fill } from './support/inventory.ts'
import { Maker } from './support/maker.ts'
import { Random, seedOf } from './support/random.ts'
import { serve } from './support/server.ts'
import { hasPage } from '../src/web/links.ts'

/**
 * Users with drawn permissions meet every door to the objects of a filled inventory: what one door shows, all others
 * do, and nothing else. CABINET_TEST_SEED and CABINET_TEST_ROUNDS repeat a run or make a longer one.
 */
const first = seedOf()
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 2
let draw = new Random(first)
const random = (): number => draw.next()
const pick = <T>(list: readonly T[]): T => draw.pick(list)
const some = <T>(list: readonly T[]): T[] => list.filter(() => draw.chance(0.5))
const shuffled = <T>(list: readonly T[]): T[] => draw.shuffled(list)

const { call, base } = await serve({ maxPageSize: 0 })
await fill(call)
const make = new Maker(call)

type Shown = Record<string, any> & { id: number }
/** What grows as it is looked at. */
const Growing = new Set(['core.objectchange', 'core.job'])
const drawable = allModels.filter(
  (m) => !m.internal && !m.open && !m.personal && m.app !== 'users' && !Growing.has(m.name),
)
const templated = new Set<AnyModel>()
for (const m of drawable) {
  const object_types = [m.name]
  const template_code = '{% for one in queryset %}{{ one.id }},{% endfor %}'
  const { status } = await call('POST', '/api/extras/export-templates/', { name: 'ids', object_types, template_code })
  if (status === 201) templated.add(m)
}
const related = { devices: 'dcim.device', racks: 'dcim.rack', locations: 'dcim.location', tenant: 'tenancy.tenant' }
await call('POST', '/api/extras/export-templates/', {
  name: 'related',
  object_types: ['dcim.site'],
  template_code: Object.entries(related)
    .map(([name, model]) =>
      name === 'tenant'
        ? '{% for site in queryset %}{% if site.tenant.comments is defined %}' +
          `${model}:{{ site.tenant.id }},{% endif %}{% endfor %}`
        : `{% for site in queryset %}{% for one in site.${name} %}${model}:{{ one.id }},{% endfor %}{% endfor %}`,
    )
    .join(''),
})
/** Every object of every model, as the administrator sees it. */
const everything = new Map<AnyModel, Shown[]>()
for (const m of drawable) {
  const { json } = await call('GET', `/api/${m.path}/?limit=0&exclude=config_context`)
  if (json.results.length > 1) everything.set(m, json.results)
}

interface Constraint {
  json: Record<string, unknown>
  meets: (row: Shown) => boolean
}

/** A condition on one attribute of a model that fits some of its rows, and the same in our own words. */
function condition(m: AnyModel, rows: readonly Shown[]): Constraint {
  const row = pick(rows)
  const ids = some(rows).map(({ id }) => id)
  const drawn: Constraint[] = [
    { json: { id__in: ids }, meets: ({ id }) => ids.includes(id) },
    { json: { pk: row.id }, meets: ({ id }) => id === row.id },
    { json: { id__gte: row.id }, meets: ({ id }) => id >= row.id },
  ]
  for (const [name, field] of fieldsOf(m) as [string, Field][]) {
    if (field.options.secret || field.options.hidden || row[name] === undefined) continue
    const idOf = (one: Shown): number | null => (typeof one[name] === 'number' ? one[name] : (one[name]?.id ?? null))
    if (field.kind === 'text' && typeof row[name] === 'string') {
      drawn.push({ json: { [name]: row[name] }, meets: (one) => one[name] === row[name] })
      const start = row[name].slice(0, 2).toLowerCase()
      if (/^[a-z0-9 ]+$/.test(start))
        drawn.push({
          json: { [`${name}__istartswith`]: start },
          meets: (one) =>
            String(one[name] ?? '')
              .toLowerCase()
              .startsWith(start),
        })
    }
    if (field.target && !m.tree) {
      drawn.push({ json: { [`${name}__isnull`]: true }, meets: (one) => idOf(one) === null })
      if (idOf(row) !== null) drawn.push({ json: { [name]: idOf(row) }, meets: (one) => idOf(one) === idOf(row) })
      if (idOf(row) !== null)
        drawn.push({ json: { [`${name}__id__in`]: [idOf(row)] }, meets: (one) => idOf(one) === idOf(row) })
    }
  }
  return pick(drawn)
}

/** Constraints of one permission: conditions together, alternatives of them, or none. */
function constraintsOf(m: AnyModel, rows: readonly Shown[]): { json: unknown; meets: (row: Shown) => boolean } {
  const both = () => {
    const parts = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => condition(m, rows))
    const json = Object.assign({}, ...parts.map((part) => part.json))
    // Of two conditions on the same attribute the later one stands.
    const last = parts.filter(
      (part, i) => !parts.slice(i + 1).some((other) => Object.keys(other.json)[0]! in part.json),
    )
    return { json, meets: (row: Shown) => last.every((part) => part.meets(row)) }
  }
  if (random() < 0.1) return { json: pick([null, []]), meets: () => true }
  if (random() < 0.05) return { json: { no_such_attribute: 1 }, meets: () => false }
  const alternatives = Array.from({ length: random() < 0.3 ? 2 : 1 }, both)
  return {
    json: alternatives.length > 1 ? alternatives.map(({ json }) => json) : alternatives[0]!.json,
    meets: (row) => alternatives.some((one) => one.meets(row)),
  }
}

/** What a browser gets in which a user has logged in. */
async function browser(username: string, password: string) {
  const form = await fetch(`${base}/login/`)
  const csrf = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie')!)![1]!
  const entered = await fetch(`${base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `csrftoken=${csrf}` },
    body: new URLSearchParams({ username, password, csrfmiddlewaretoken: csrf }),
  })
  const cookie = `sessionid=${/sessionid=([^;]+)/.exec(entered.headers.get('set-cookie')!)![1]}`
  return async (path: string): Promise<{ status: number; text: string }> => {
    const reply = await fetch(`${base}/${path}`, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    return { status: reply.status, text: await reply.text() }
  }
}
const refersToItself = (m: AnyModel): boolean =>
  fieldsOf(m).some(([, { target, links, generic }]) => target?.model === m.name || links?.model === m.name || generic)

/** A model that refers to another by a plain reference, and the field. */
const referring = new Map<string, { m: AnyModel; name: string }>()
for (const m of allModels)
  if (!m.internal && (m.methods ?? ['POST']).includes('POST'))
    for (const [name, field] of fieldsOf(m))
      if (field.target && !field.readOnly && !field.options.hidden && !referring.has(field.target.model))
        referring.set(field.target.model, { m, name })

for (let round = 0; round < rounds; round++) {
  const seed = first + round
  test(`what the list shows is what every other door shows (seed ${seed})`, async () => {
    draw = new Random(seed)
    const user = await make.fresh('users.user', { username: `user${round}`, password: 'Cabinet-Test-Passw0rd' })
    const { key, token } = (await call('POST', '/api/users/tokens/', { user })).json
    const authorization = `Bearer nbt_${key}.${token}`
    const visit = await browser(`user${round}`, 'Cabinet-Test-Passw0rd')
    const as = (method: string, path: string, body?: unknown) => call(method, `/api/${path}`, body, { authorization })

    const expected = new Map<AnyModel, Set<number>>()
    const said: string[] = []
    for (const [m, rows] of everything) {
      if (random() < 0.25) continue
      const grants = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => constraintsOf(m, rows))
      const actions = [
        ...(m.behaviour.actions ? Object.values(m.behaviour.actions).map((a) => (a.get ?? a.post)!.permission) : []),
      ]
      for (const { json } of grants) {
        await make.fresh('users.objectpermission', {
          object_types: [m.name],
          actions: [...new Set(['view', 'change', 'delete', ...actions.filter((action) => !action.includes(':'))])],
          constraints: json,
          users: [user],
        })
        said.push(`${m.name} ${JSON.stringify(json)}`)
      }
      expected.set(m, new Set(rows.filter((row) => grants.some(({ meets }) => meets(row))).map(({ id }) => id)))
    }
    const adding = [...new Set([...referring.values()].map(({ m }) => m.name))]
    await make.fresh('users.objectpermission', { object_types: adding, actions: ['add'], users: [user] })

    for (const [m, rows] of everything) {
      const [path, seen] = [`${m.path}/`, expected.get(m)]
      const hint = `${m.name}; ${said.filter((line) => line.startsWith(`${m.name} `)).join('; ')}`
      const listed = await as('GET', `${path}?limit=0&brief=1`)
      if (!seen) {
        assert.equal(listed.status, 403, hint)
        assert.equal((await as('GET', `${path}${rows[0]!.id}/`)).status, 403, hint)
        if (templated.has(m)) assert.equal((await as('GET', `${path}?export=ids`)).status, 403, hint)
        continue
      }
      const sorted = [...seen].sort((a, b) => a - b)
      const ids = (json: any): number[] => json.results.map(({ id }: Shown) => id).sort((a: number, b: number) => a - b)
      assert.deepEqual(ids(listed.json), sorted, `list of ${hint}`)
      assert.deepEqual(ids((await as('GET', `${path}?start=0&limit=0`)).json), sorted, `cursor of ${hint}`)
      assert.deepEqual(
        ids((await as('GET', `${path}?limit=0&ordering=-id&fields=id`)).json),
        sorted,
        `order of ${hint}`,
      )
      const page = (await as('GET', `${path}?limit=1&offset=${Math.max(0, seen.size - 1)}`)).json
      assert.deepEqual([page.count, page.results.length], [seen.size, Math.min(1, seen.size)], `page of ${hint}`)
      if (templated.has(m)) {
        const { text } = await as('GET', `${path}?export=ids`)
        const shown = text.split(',').filter(Boolean).map(Number)
        assert.deepEqual(
          shown.sort((a, b) => a - b),
          sorted,
          `export of ${hint}`,
        )
      }
      if (hasPage(m) && !refersToItself(m)) {
        const { text } = await visit(path)
        for (const [, id] of text.matchAll(new RegExp(`href="/${m.path}/(\\d+)/`, 'g')))
          assert.ok(seen.has(Number(id)), `${id} on the page of ${hint}`)
      }
      const methods = m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
      const chosen = shuffled(rows)
        .slice(0, 4)
        .map(({ id }) => id)
      const visited = new Set([chosen.find((id) => seen.has(id)), chosen.find((id) => !seen.has(id))])
      for (const id of chosen) {
        const isSeen = seen.has(id)
        const what = `${id} of ${hint}`
        assert.equal((await as('GET', `${path}${id}/`)).status, isSeen ? 200 : 404, `detail ${what}`)
        assert.equal((await as('GET', `${path}?id=${id}`)).json.count, Number(isSeen), `filter ${what}`)
        const page = await as('GET', `${path}${id}/?format=api`)
        assert.equal(page.status, isSeen ? 200 : 404, `page ${what}`)
        if (hasPage(m) && visited.has(id)) {
          const tabs = ['', ...Object.keys(m.pages?.tabs ?? {}).map((name) => `${name}/`)]
          for (const tab of [...tabs, 'edit/', 'delete/']) {
            const { status } = await visit(`${path}${id}/${tab}`)
            if (tab === '') assert.equal(status, isSeen ? 200 : 404, `page of ${what}`)
            else if (isSeen) assert.ok(status < 500, `page ${tab} of ${what}: ${status}`)
            else assert.ok([403, 404].includes(status), `page ${tab} of ${what}: ${status}`)
          }
        }
        const options = (await as('OPTIONS', `${path}${id}/`)).json
        if (methods.includes('PUT')) assert.equal('PUT' in (options.actions ?? {}), isSeen, `OPTIONS ${what}`)
        if (!isSeen && methods.includes('PATCH')) {
          assert.equal((await as('PATCH', `${path}${id}/`, {})).status, 404, `PATCH ${what}`)
          assert.equal((await as('PUT', `${path}${id}/`, {})).status, 404, `PUT ${what}`)
        }
        if (!isSeen && methods.includes('DELETE'))
          assert.equal((await as('DELETE', `${path}${id}/`)).status, 404, `DELETE ${what}`)
        for (const [name, action] of Object.entries(m.behaviour.actions ?? {})) {
          for (const method of [action.get ? 'GET' : '', action.post && !isSeen ? 'POST' : ''].filter(Boolean)) {
            const { status } = await as(method, `${path}${id}/${name}/`, method === 'POST' ? {} : undefined)
            if (isSeen) assert.ok(status < 500 && status !== 404, `${name} ${what}: ${status}`)
            else assert.ok(status === 404 || status === 403, `${method} ${name} ${what}: ${status}`)
          }
        }
        const refers = referring.get(m.name)
        if (refers) {
          const body = { [refers.name]: { id, id__in: [id] } }
          const { status, json } = await as('POST', `${refers.m.path}/`, body)
          assert.equal(status, 400, `reference ${what}`)
          const found = !/^Related object not found/.test(String(json[refers.name]?.[0]))
          assert.equal(found, isSeen, `reference ${what} by ${refers.m.name}: ${JSON.stringify(json)}`)
        }
      }
      if (methods.includes('PATCH')) {
        const changed = await as(
          'PATCH',
          path,
          chosen.map((id) => ({ id })),
        )
        const done = chosen.filter((id) => seen.has(id)).sort((a, b) => a - b)
        if (changed.status === 200)
          assert.deepEqual(
            changed.json.map(({ id }: Shown) => id).sort((a: number, b: number) => a - b),
            done,
            `bulk of ${hint}`,
          )
        else assert.ok(changed.status === 400 && done.length > 0, `bulk of ${hint}: ${changed.status} ${changed.text}`)
      }
      const hidden = rows.filter(({ id }) => !seen.has(id)).map(({ id }) => ({ id }))
      if (methods.includes('DELETE') && hidden.length) {
        assert.equal((await as('DELETE', path, hidden)).status, 204, `bulk delete of ${hint}`)
        assert.equal((await call('GET', `/api/${path}?limit=1`)).json.count, rows.length, `bulk delete of ${hint}`)
      }
    }
    const sites = await as('GET', 'dcim/sites/?export=related')
    for (const [, name, id] of sites.text.matchAll(/([a-z.]+):(\d+),/g)) {
      const m = [...everything.keys()].find((m) => m.name === name)
      assert.ok(m && expected.get(m)?.has(Number(id)), `${name} ${id} in a template of sites`)
    }
    const [racks, devices] = ['dcim.rack', 'dcim.device'].map((name) =>
      [...everything.keys()].find((m) => m.name === name),
    )
    for (const rack of (racks && expected.get(racks)) ?? []) {
      const { json } = await as('GET', `dcim/racks/${rack}/elevation/?limit=0`)
      for (const { device } of json.results)
        if (device) assert.ok(devices && expected.get(devices)?.has(device.id), `device ${device.id} in rack ${rack}`)
    }
  })
}
