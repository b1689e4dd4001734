/**
 * Compares a running service with a folder of reference facts: `node test/support/compare.ts FOLDER [--all]`.
 * Prints what is missing and what is extra, endpoint by endpoint, with totals. Ends with 1 when anything is missing.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './launch.ts'
import { differences, type FieldFacts, wantedOptions } from './option-facts.ts'

const [folder, mode] = process.argv.slice(2)
if (!folder) throw new Error('usage: node test/support/compare.ts FOLDER [--all]')

interface FilterFacts {
  name: string
  kind: string
  lookups?: string | string[]
  multiple?: boolean
}
interface Verbs {
  path: string
  methods: string[]
}
interface Facts {
  endpoint: string
  model?: string
  verbose_name?: string
  list: Verbs
  detail?: Verbs
  fields?: FieldFacts[]
  brief?: string[] | string
  filters?: FilterFacts[]
  filters_include?: string[]
  actions?: Verbs[]
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(folder, path), 'utf8')) as T
const groups = read<Record<string, unknown>>('filter-groups.json')
const sets = groups.lookup_sets as Record<string, string[]>
const { endpoints } = read<{ endpoints: { endpoint: string }[] }>('index.json')

const { call, close } = await launch()
const openapi = (await call('GET', '/api/schema/?format=json')).json
const paths = openapi.paths as Record<string, any>
const totals: Record<string, number> = {}
const rows: string[] = []
let missingInAll = 0

/** Notes the names that one side alone has. */
function differ(endpoint: string, what: string, wanted: Iterable<string>, present: Iterable<string>): void {
  const [want, have] = [new Set(wanted), new Set(present)]
  note(
    endpoint,
    `${what} missing`,
    [...want].filter((name) => !have.has(name)),
  )
  note(
    endpoint,
    `${what} extra`,
    [...have].filter((name) => !want.has(name)),
  )
}

function note(endpoint: string, what: string, names: readonly string[]): void {
  if (names.length === 0) return
  totals[what] = (totals[what] ?? 0) + names.length
  if (!what.endsWith('extra')) missingInAll += names.length
  if (mode === '--all' || !what.endsWith('extra') || names.length < 40)
    rows.push(`${endpoint.padEnd(40)} ${what.padEnd(20)} ${names.join(' ')}`)
}

const verbs = (path: string): string[] =>
  ['get', 'post', 'put', 'patch', 'delete'].filter((verb) => paths[path]?.[verb]).map((verb) => verb.toUpperCase())

function parametersWanted(facts: Facts): string[] {
  const own = [
    ...(facts.filters_include ?? []).flatMap((group) => groups[group] as FilterFacts[]),
    ...(facts.filters ?? []),
  ]
  return own.flatMap(({ name, kind, lookups }) => {
    if (kind === 'datetime-range') return [`${name}_after`, `${name}_before`]
    const suffixes =
      typeof lookups === 'string' ? lookups.split(/[ ,]+/).flatMap((set) => sets[set] ?? [set]) : (lookups ?? [])
    return [name, ...suffixes.map((suffix) => `${name}__${suffix}`)]
  })
}

const Paging = new Set([
  'limit',
  'offset',
  'start',
  'ordering',
  'fields',
  'omit',
  'brief',
  'filter',
  'filter_id',
  'exclude',
  'format',
])
const resolved = (schema: any): any =>
  schema?.$ref ? openapi.components.schemas[schema.$ref.split('/').at(-1)] : schema

for (const { endpoint } of endpoints) {
  const facts = read<Facts>(`${endpoint}.json`)
  const list = paths[facts.list.path]
  if (!list) {
    note(endpoint, 'endpoint missing', [facts.list.path])
    continue
  }
  differ(endpoint, 'methods', facts.list.methods, verbs(facts.list.path))
  if (facts.detail) differ(endpoint, 'detail methods', facts.detail.methods, verbs(facts.detail.path))
  const wanted = (facts.fields ?? []).filter((f) => !f.never_in_response && !f.write_only)
  const shown =
    resolved(resolved(list.get?.responses['200']?.content['application/json'].schema)?.properties?.results?.items)
      ?.properties ?? {}
  if (list.get && facts.model)
    differ(
      endpoint,
      'fields',
      wanted.map((f) => f.name),
      Object.keys(shown),
    )
  const said = (await call('OPTIONS', facts.list.path)).json ?? {}
  const options = said.actions?.POST as Record<string, any> | undefined
  const title = facts.verbose_name?.replace(/(?<!\S)\S/g, (c) => c.toUpperCase())
  if (title && facts.model && said.name !== `${title} List`) note(endpoint, 'OPTIONS name', [said.name])
  if (options) {
    differ(
      endpoint,
      'OPTIONS fields',
      (facts.fields ?? []).map((f) => f.name),
      Object.keys(options),
    )
    for (const [name, wanted] of Object.entries(wantedOptions(facts, read)))
      if (options[name])
        for (const line of differences(name, wanted, options[name])) note(endpoint, 'OPTIONS facts', [line])
    if (Object.keys(options).join() !== (facts.fields ?? []).map((f) => f.name).join())
      note(endpoint, 'OPTIONS order', [Object.keys(options).join()])
  }
  if (list.get)
    differ(
      endpoint,
      'parameters',
      parametersWanted(facts).filter((name) => !Paging.has(name)),
      (list.get.parameters ?? []).map((p: any) => p.name as string).filter((name: string) => !Paging.has(name)),
    )
  for (const action of facts.actions ?? [])
    differ(endpoint, `${action.path.split('/').at(-2)} methods`, action.methods, verbs(action.path))
  const brief = (await call('GET', `${facts.list.path}?brief=1&limit=1`)).json?.results?.[0]
  if (brief && Array.isArray(facts.brief)) differ(endpoint, 'brief', facts.brief, Object.keys(brief))
}

console.log(rows.join('\n'))
console.log(`\n${endpoints.length} endpoints`)
for (const [what, count] of Object.entries(totals).sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(count).padStart(6)} ${what}`)
await close()
process.exitCode = missingInAll ? 1 : 0
