import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isUnionType,
  validateSchema,
} from 'graphql'
import { wholeSchema } from '../../src/graphql/schema.ts'
import { serve } from '../support/server.ts'
import { asking, getting } from './asking.ts'

const client = await serve({ graphqlMaxAliases: 0 })
const get = getting(client)
const made = wholeSchema()
const roots = Object.values(made.getQueryType()!.getFields())
const lists = roots.filter(({ name }) => name.endsWith('_list'))

test('the schema is sound, and has a member and a list for each of its models', () => {
  assert.deepEqual(validateSchema(made), [])
  assert.equal(roots.length, 246)
  assert.equal(lists.length, 123)
  for (const { name } of lists)
    assert.ok(
      roots.some((root) => `${root.name}_list` === name),
      name,
    )
})

/** A selection of every member of a type, and below those that are objects of one that all have. */
function everything(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .map(({ name, type: member }) => `${name}${below(member)}`)
    .join(' ')
}

function below(type: GraphQLOutputType): string {
  const inner = getNamedType(type)
  if (isLeafType(inner)) return ''
  if (isUnionType(inner))
    return `{__typename ${inner
      .getTypes()
      .map(({ name }) => `... on ${name}{display}`)
      .join(' ')}}`
  const [first] = Object.keys((inner as GraphQLObjectType).getFields())
  return `{__typename ${first}}`
}

test('every member of every type is answered', async () => {
  for (const list of lists) {
    const type = getNamedType(list.type) as GraphQLObjectType
    const data = await get(`{${list.name}{${everything(type)}}}`)
    assert.ok(Array.isArray(data[list.name]), list.name)
  }
})

/** A value of an input that names something to compare. */
function sample(type: GraphQLInputType, depth = 0): string | undefined {
  const inner = getNullableType(type)
  if (isListType(inner)) return `[${sample(inner.ofType as GraphQLInputType, depth)}]`
  if (isEnumType(inner)) return inner.getValues()[0]!.name
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields())
    const needed = fields.filter(
      ({ type: each }) => String(each).endsWith('!') && inner.name !== 'OffsetPaginationInput',
    )
    const [own] = fields
    const chosen = needed.length ? needed : [own!]
    if (depth > 4) return '{}'
    return `{${chosen.map(({ name, type: each }) => `${name}:${sample(each, depth + 1)}`).join(' ')}}`
  }
  const samples: Record<string, string> = {
    Boolean: 'true',
    Date: '"2026-01-01"',
    DateTime: '"2026-01-01T00:00:00Z"',
    Time: '"12:00"',
    String: '"a"',
  }
  return samples[inner.name] ?? '1'
}

test('every member of every filter compares, alone, negated, as an alternative and distinct', async () => {
  for (const list of lists) {
    const filters = list.args.find(({ name }) => name === 'filters')!
    const input = getNamedType(filters.type)
    assert.ok(isInputObjectType(input))
    const ones = Object.values(input.getFields())
      .filter(({ name }) => !['AND', 'OR', 'NOT', 'DISTINCT'].includes(name))
      .map(({ name, type }) => `${name}:${sample(type)}`)
    const asked = ones.flatMap((one, i) => [
      `a${i}:${list.name}(filters:{${one} OR:{NOT:{${one}}} DISTINCT:true}){__typename}`,
      `b${i}:${list.name}(filters:{${one}} pagination:{limit:1}){__typename}`,
    ])
    for (let i = 0; i < asked.length; i += 40) await get(`{${asked.slice(i, i + 40).join(' ')}}`)
  }
})

test('each lookup of each input compares', async () => {
  const ask = asking(client)
  const inputs = Object.values(made.getTypeMap()).filter(isInputObjectType)
  const comparing = inputs.filter(({ name }) => /Lookup$/.test(name))
  for (const input of comparing) {
    const place = placeOf(input.name)
    if (!place) continue
    for (const { name, type } of Object.values(input.getFields())) {
      const { errors } = await ask(
        `{${place.list}(filters:{${place.member}:${place.wrap(`{${name}:${sample(type)}}`)}}){__typename}}`,
      )
      assert.equal(errors, undefined, `${input.name}.${name} ${JSON.stringify(errors)}`)
    }
  }
})

/** A list with a filter whose member has an input, at once or below one that is one of several. */
function placeOf(input: string): { list: string; member: string; wrap: (value: string) => string } | undefined {
  for (const list of lists) {
    const filter = getNamedType(list.args.find(({ name }) => name === 'filters')!.type)
    if (!isInputObjectType(filter)) continue
    for (const { name: member, type } of Object.values(filter.getFields())) {
      const own = getNamedType(type)
      if (own.name === input) return { list: list.name, member, wrap: (value) => value }
      if (!isInputObjectType(own) || !own.isOneOf) continue
      const within = Object.values(own.getFields()).find(({ type: each }) => getNamedType(each).name === input)
      if (within) return { list: list.name, member, wrap: (value) => `{${within.name}:${value}}` }
    }
  }
  return undefined
}
