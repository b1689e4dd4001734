import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { Field, Shape } from '../src/fields/field.ts'
import { allModels, fieldsOf, modelNamed } from '../src/engine/catalog.ts'
import type { AnyModel } from '../src/declare/model.ts'
import { memberNames } from '../src/engine/select.ts'
import { Maker } from './support/maker.ts'
import { parametersOf, plain, valueFor, withOwn } from './support/questions.ts'
import { serve } from './support/server.ts'
import { until } from './support/until.ts'

/**
 * Every model's answers, filters with each of their lookups, and orders. A new model is covered when it is declared.
 */
type Json = Record<string, any>
const { call, running } = await serve()
const make = new Maker(call)
await make.everything()
const served = allModels.filter((m) => !m.internal)
const working = () => running.store.rows.has('core.job', { status: { in: ['pending', 'running'] } })
await until(() => !working()) // jobs change while they run
const { commit, db } = running.store
// Nor is a delivery tried again meanwhile.
commit.now(() => db.run("update core_job set status = 'failed', scheduled = null where status = 'scheduled'"))
const openapi = withOwn((await call('GET', '/api/schema/?format=json')).json)
const read = async (path: string): Promise<Json> => {
  const reply = await call('GET', path)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.json
}

describe('every model', { concurrency: 4 }, () => {
  for (const m of served) test(m.name, (t) => queries(t, m))
})

async function queries(t: TestContext, m: AnyModel): Promise<void> {
  const { count } = await read(`/api/${m.path}/?limit=1`)
  const newest = (await read(`/api/${m.path}/?limit=1&ordering=-id`)).results[0] as Json | undefined
  if (newest) {
    await t.test('members: all, brief, chosen, left out, nested', () => members(m, newest))
    await t.test('pages', () => pages(m))
    await t.test('filters find what they name', () => meanings(m, newest))
  } else assert.ok(m.methods, `${m.name}: no row`)
  await t.test('every filter with every lookup', () => filters(m, newest ?? {}))
  await t.test('order by every member, both ways', () => orders(m, count))
}

async function members(m: AnyModel, newest: Json): Promise<void> {
  const { id } = newest
  assert.deepEqual(Object.keys(newest), memberNames(m))
  const schema = openapi.paths[`/api/${m.path}/{id}/`].get.responses['200'].content['application/json'].schema
  assert.deepEqual(Object.keys(openapi.components.schemas[schema.$ref.split('/').at(-1)].properties), memberNames(m))
  assert.deepEqual(await read(`/api/${m.path}/${id}/`), newest)
  assert.deepEqual(Object.keys(await read(`/api/${m.path}/${id}/?brief=1`)), m.brief)
  assert.deepEqual(Object.keys(await read(`/api/${m.path}/${id}/?fields=id,nonsense`)), ['id'])
  assert.deepEqual(
    Object.keys(await read(`/api/${m.path}/${id}/?omit=id,nonsense`)),
    memberNames(m).filter((name) => name !== 'id'),
  )
  for (const [name, field] of fieldsOf(m)) {
    const target = field.target ?? field.links
    const one = field.links ? newest[name]?.[0] : newest[name]
    if (target && typeof one === 'object' && one !== null)
      assert.deepEqual(
        Object.keys(one),
        namesOf(
          (field.options as { shape?: Shape }).shape ??
            modelNamed(target.model).nested ??
            modelNamed(target.model).brief,
        ),
        `nested ${name}`,
      )
  }
}
const namesOf = (shape: Shape): string[] =>
  shape.map((item) => (typeof item === 'string' ? item : Object.keys(item)[0]!))

async function pages(m: AnyModel): Promise<void> {
  const all = await read(`/api/${m.path}/?fields=id&limit=0`)
  const first = await read(`/api/${m.path}/?fields=id&limit=1`)
  assert.deepEqual(first.results[0], all.results[0])
  if (all.count < 2) return
  assert.deepEqual((await read(new URL(first.next).pathname + new URL(first.next).search)).results[0], all.results[1])
  const cursor = await read(`/api/${m.path}/?fields=id&limit=1&start=0`)
  assert.equal(cursor.count, null)
  assert.ok(
    (await read(new URL(cursor.next).pathname + new URL(cursor.next).search)).results[0].id > cursor.results[0].id,
  )
}

/** Whether the row that has the value is found, by lookup. */
const Finds: Readonly<Record<string, boolean>> = {
  '': true,
  n: false,
  ic: true,
  nic: false,
  isw: true,
  nisw: false,
  iew: true,
  niew: false,
  ie: true,
  nie: false,
  regex: true,
  iregex: true,
  lte: true,
  gte: true,
  lt: false,
  gt: false,
}
const Plain = new Set(['text', 'integer', 'decimal', 'date', 'datetime', 'choice', 'boolean', 'ref'])

/** Parameters of every list, which come before a filter of the same name. */
const Paging = new Set(['limit', 'offset', 'start', 'ordering', 'fields', 'omit', 'brief'])

/** Filters that a field brings itself find the row by its own value, with each lookup. */
async function meanings(m: AnyModel, row: Json): Promise<void> {
  const names = new Set(parametersOf(openapi, m).map(({ name }) => name))
  const asked: Promise<void>[] = []
  for (const [name, field] of fieldsOf(m) as [string, Field][]) {
    const parameter = field.target ? `${name}_id` : name
    const value = plain(row[name])
    if (
      !Plain.has(field.kind) ||
      (m.filters && parameter in m.filters) ||
      value === undefined ||
      !names.has(parameter) ||
      Paging.has(parameter)
    )
      continue
    for (const [lookup, finds] of Object.entries(Finds)) {
      const key = lookup ? `${parameter}__${lookup}` : parameter
      if (names.has(key))
        asked.push(
          finding(m, key, lookup.endsWith('regex') && field.kind !== 'choice' ? exactly(value) : value, row.id, finds),
        )
    }
    if (names.has(`${parameter}__empty`))
      asked.push(
        finding(m, `${parameter}__empty`, 'true', row.id, false),
        finding(m, `${parameter}__empty`, 'false', row.id, true),
      )
  }
  await Promise.all(asked)
}
const exactly = (value: string): string => `^${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`

async function finding(m: AnyModel, key: string, value: string, id: number, finds: boolean): Promise<void> {
  const found = await read(`/api/${m.path}/?${new URLSearchParams({ [key]: value })}&fields=id&limit=0`)
  assert.equal(
    found.results.some((each: Json) => each.id === id),
    finds,
    `${key}=${value}`,
  )
}

async function filters(m: AnyModel, row: Json): Promise<void> {
  await Promise.all(
    parametersOf(openapi, m).map(async (parameter) => {
      const query = new URLSearchParams({ [parameter.name]: valueFor(parameter, row) })
      const reply = await call('GET', `/api/${m.path}/?${query}&limit=1`)
      assert.ok(reply.status === 200 || reply.status === 400, `${query}: ${reply.status} ${reply.text}`)
      if (reply.status === 400)
        assert.ok(Array.isArray(reply.json) || parameter.name in reply.json, `${query}: ${reply.text}`)
    }),
  )
}

async function orders(m: AnyModel, count: number): Promise<void> {
  await Promise.all(
    memberNames(m)
      .flatMap((name) => [name, `-${name}`])
      .map(async (ordering) => {
        const list = await read(`/api/${m.path}/?ordering=${ordering}&fields=id&limit=0`)
        assert.ok(list.results.length === Math.min(count, 1000), ordering)
      }),
  )
  const ids = async (ordering: string) =>
    (await read(`/api/${m.path}/?ordering=${ordering}&fields=id&limit=0&id__lte=5`)).results.map(
      (each: Json) => each.id,
    )
  assert.deepEqual(await ids('-id'), (await ids('id')).reverse())
}
