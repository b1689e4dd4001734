import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { asking } from './asking.ts'

const client = await serve({ graphqlMaxRows: 20_000 })
const ask = asking(client)
const create = creating(client)

const nested = (field: string, depth: number) => `${`${field}{`.repeat(depth)}id${'}'.repeat(depth)}`
const refused = async (query: string, variables?: object) => {
  const { data, errors } = await ask(query, variables)
  assert.equal(data, null, query.slice(0, 100))
  assert.ok(errors!.length > 0 && errors!.length <= 101)
  return errors![0]!.message
}

test('documents that are more than anyone asks are refused, and the refusal says which bound', async () => {
  const aliases = Array.from({ length: 10_000 }, (_, i) => `a${i}:site(id:1){id}`).join(' ')
  assert.match(await refused(`{${aliases}}`), /aliases|tokens/i)
  assert.match(
    await refused('{a:site(id:1){id} b:site(id:1){id} c:site(id:1){a:id b:id c:id d:id e:id f:id g:id h:id}}'),
    /11 aliases/,
  )
  assert.match(await refused(`{region(id:1){${nested('parent', 500)}}}`), /deep/)
  assert.match(await refused(`{region(id:1){${nested('parent', 150)}}}`), /deep/)
  assert.match(await refused(`{site_list(filters:${'{AND:'.repeat(5000)}{}${'}'.repeat(5000)}){id}}`), /deep/)
  assert.match(await refused(`{site_list(filters:{name:{in_list:[${'"a" '.repeat(30_000)}]}}){id}}`), /token/i)
  const names = { l: Array.from({ length: 10_001 }, (_, i) => `n${i}`) }
  const among = 'query($l:[String!]){site_list(filters:{name:{in_list:$l}}){id}}'
  assert.match(await refused(among, names), /10000 values/)
  assert.match(await refused(`{site(id:1){${'id '.repeat(6000)}}}`), /fields/)
  assert.match(await refused(`{site(id:1){id ${'@include(if:true) '.repeat(10_000)}}}`), /token/i)
})

test('fragments that spread each other without end, or twice as often at each step', async () => {
  await refused('fragment a on SiteType{...b} fragment b on SiteType{...a} {site(id:1){...a}}')
  const steps = Array.from(
    { length: 30 },
    (_, i) => `fragment f${i} on RegionType{parent{...f${i + 1}} children{...f${i + 1}}}`,
  ).join(' ')
  assert.match(await refused(`{region(id:1){...f0}} ${steps} fragment f30 on RegionType{id}`), /fields|deep/)
})

test('lists within lists are refused before they run where they would touch too many rows', async () => {
  const site = await create('dcim/sites', { name: 'S', slug: 's' })
  await create('dcim/racks', Array.from({ length: 60 }, (_, i) => ({ name: `R${i}`, site: site.id })) as never).catch(
    () => undefined,
  )
  const { data } = await ask('{site_list{racks{name}}}')
  assert.equal(data.site_list[0].racks.length, 60)
  assert.match(await refused('{rack_list{site{racks{site{racks{id}}}}}}'), /graphql_max_rows/)
  assert.match(await refused('{site_list(filters:{asns:{sites:{asns:{id:{is_null:true}}}}}){id}} {x'), /Syntax/)
})

test('chains of references go as deep as the bound on depth, lists as deep as SQLite takes', async () => {
  const { data } = await ask(`{region_list{${nested('parent', 110)}}}`)
  assert.deepEqual(data, { region_list: [] })
  const { errors } = await ask(`{region_list{${nested('children', 60)}}}`)
  assert.match(errors![0]!.message, /lists within each other/)
  const joins = `${'{parent:'.repeat(0)}${'site:{tenant:{group:{'.repeat(1)}id:{exact:1}${'}'.repeat(3)}`
  assert.deepEqual((await ask(`{device_list(filters:{${joins}}){id}}`)).data, { device_list: [] })
})

test('questions about the schema do not go round in circles', async () => {
  const inner = '{name fields{name type{name fields{name type{name fields{name type{name fields{name}}}}}}}}'
  await refused(`{__schema{types${inner}}}`)
  const { data } = await ask('{__type(name:"SiteType"){fields{name type{kind ofType{name}}}}}')
  assert.ok(data.__type.fields.length > 20)
})

test('a pattern that takes too long is refused; one that is none too', async () => {
  assert.match(await refused('{site_list(filters:{name:{regex:"("}}){id}}'), /regular expression/)
  assert.match(await refused(`{site_list(filters:{name:{i_contains:"${'a'.repeat(11_000)}"}}){id}}`), /characters/)
})
