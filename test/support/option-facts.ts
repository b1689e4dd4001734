/** What OPTIONS has to say of each field, worked out from reference facts, and how two such descriptions differ. */

export interface FieldFacts {
  name: string
  type: string
  label?: string
  required?: boolean
  read_only?: boolean
  max_length?: number
  max_digits?: number
  places?: number
  choices?: string | string[][]
  rendered?: string
  min?: number
  max?: number
  endpoint?: string
  shape_fields?: Shape
  write?: string
  item?: Record<string, any>
  allowed?: string | string[]
  cumulative?: boolean
  write_only?: boolean
  never_in_response?: boolean
}
type Shape = (string | Record<string, Shape>)[]

interface EndpointFacts {
  endpoint: string
  fields?: FieldFacts[]
  brief?: string[] | string
  nested?: Shape | string
}

type Facts = Record<string, unknown>
type Read = <T>(path: string) => T

/** Types that go by another name in OPTIONS; all that is not here nor in `Same` is a plain "field". */
const Named: Record<string, string> = {
  related: 'nested object',
  dict: 'nested object',
  list: 'list',
  'image-file': 'image upload',
  file: 'file upload',
}
const Same = ['integer', 'string', 'slug', 'boolean', 'decimal', 'date', 'datetime', 'email', 'url']
/** Endpoints whose content types are listed among the choices. */
const ListsTypes =
  /^extras\/(bookmark|custom-field|event-rule|image-attachment|journal-entrie|notification|subscription|table-config)s$/
const TagShape = ['id', 'url', 'display_url', 'display', 'name', 'slug', 'color']

const spaced = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** The facts of every field of an endpoint, as `actions.POST` has to have them; wording aside. */
export function wantedOptions(facts: EndpointFacts, read: Read): Record<string, Facts> {
  return Object.fromEntries((facts.fields ?? []).map((f) => [f.name, wantedField(f, facts.endpoint, read)]))
}

function wantedField(f: FieldFacts, endpoint: string, read: Read): Facts {
  const type = typeOf(f)
  return {
    type,
    required: Boolean(f.required),
    read_only: Boolean(f.read_only),
    label: f.name === 'id' ? 'ID' : (f.label ?? spaced(f.name)),
    ...(f.max_length === undefined ? {} : { max_length: f.max_length }),
    ...limits(f),
    ...choicesOf(f, endpoint, read),
    ...inner(f, read),
  }
}

function typeOf(f: FieldFacts): string {
  if (f.type === 'choice') return f.rendered ? 'choice' : 'field'
  if (f.type === 'string' && f.choices) return 'choice'
  if (f.type === 'computed-count') return f.cumulative ? 'integer' : 'field'
  return Named[f.type] ?? (Same.includes(f.type) ? f.type : 'field')
}

const limits = (f: Pick<FieldFacts, 'min' | 'max' | 'max_digits' | 'places'>): Facts => ({
  ...(f.min === undefined ? {} : { min_value: f.min }),
  ...(f.max === undefined ? {} : { max_value: f.max }),
  ...(f.max_digits === undefined ? {} : { max_digits: f.max_digits, decimal_places: f.places }),
})

function choicesOf(f: FieldFacts, endpoint: string, read: Read): Facts {
  if (f.read_only) return {}
  if (f.type === 'content-type') return ListsTypes.test(endpoint) ? { choices: 'content types' } : {}
  if (!f.choices) return {}
  const rows =
    typeof f.choices === 'string' ? read<{ choices: string[][] }>(`choices/${f.choices}.json`).choices : f.choices
  return { choices: rows.map((row) => row.slice(0, 2).map(String).join('=')) }
}

function inner(f: FieldFacts, read: Read): Facts {
  const object = (children: Facts): Facts => ({ type: 'nested object', children })
  if (f.type === 'related' && f.endpoint === '?') return { children: '?' }
  if (f.type === 'related') return { children: children(f.endpoint!, f.shape_fields, read) }
  if (f.type === 'tags') return { child: object(children('extras/tags', TagShape, read)) }
  if (f.type === 'related-list' && f.write === 'list of id|attrs')
    return { child: object(children(f.endpoint!, f.shape_fields, read)) }
  if (f.type === 'list') return { child: item(f.item!) }
  if (f.type === 'dict') return { child: { type: 'field' } }
  if (f.type === 'generic-object-list')
    return {
      child: object({
        object_type: member('object_type', { type: 'field', required: true }),
        object_id: member('object_id', { type: 'integer', required: true }),
        object: member('object', { type: 'field', read_only: true }),
      }),
    }
  if (f.type === 'object-list') return { child: object(rowMembers(f.item ?? {})) }
  return {}
}

const member = (name: string, facts: Facts): Facts => ({
  required: false,
  read_only: false,
  label: spaced(name),
  ...facts,
})

/** Members of the rows of a list of objects. Cabinet also tells the limits of a position, which the facts do not. */
const rowMembers = (members: Record<string, any>): Facts =>
  Object.fromEntries(
    Object.entries(members).map(([name, i]) => [
      name,
      member(name, {
        ...item(i),
        required: Boolean(i.required),
        ...(name === 'position' ? { min_value: '?', max_value: '?' } : {}),
      }),
    ]),
  )

function item(i: any): Facts {
  if (i.type === 'list') return { type: 'list', child: item(i.item) }
  if (i.type === 'choice-plain')
    return { type: 'choice', choices: i.choices.map((row: string[]) => row.slice(0, 2).map(String).join('=')) }
  return {
    type: Same.includes(i.type) ? i.type : 'field',
    ...(i.max_length === undefined ? {} : { max_length: i.max_length }),
    ...limits(i),
  }
}

function children(endpoint: string, shape: Shape | undefined, read: Read): Facts {
  const target = read<EndpointFacts>(`${endpoint}.json`)
  const names = shape ?? ((Array.isArray(target.nested) ? target.nested : target.brief) as Shape)
  return Object.fromEntries(
    names.map((each) => {
      const [name, own] = typeof each === 'string' ? [each, undefined] : Object.entries(each)[0]!
      const found = target.fields?.find((f) => f.name === name)
      if (!found) return [name, { type: '?' }]
      // Of an object of an explicit shape the facts say neither the form of a family nor what is nested further in.
      if (shape && name === 'family') return [name, '?']
      const unsaid = shape && !own && found.type === 'related' ? { endpoint: '?' } : {}
      return [name, wantedField({ ...found, ...unsaid, ...(own ? { shape_fields: own } : {}) }, endpoint, read)]
    }),
  )
}

/** Lines that say where the facts given differ from those wanted: `name.path: wanted X, is Y`. */
export function differences(at: string, wanted: any, given: any): string[] {
  if (wanted === '?') return []
  if (wanted === 'content types')
    return Array.isArray(given) && given.length > 0 && given.every((each: any) => /^\w+\.\w+$/.test(each.value))
      ? []
      : [`${at}: wanted content types, is ${short(given)}`]
  if (at.endsWith('choices') && Array.isArray(given)) {
    const rows = given.map((row: any) => `${row.value}=${row.display_name}`)
    return rows.join('|') === wanted.join('|') ? [] : [`${at}: wanted ${short(wanted)}, is ${short(rows)}`]
  }
  if (typeof wanted !== 'object' || wanted === null || typeof given !== 'object' || given === null)
    return wanted === given ? [] : [`${at}: wanted ${short(wanted)}, is ${short(given)}`]
  const isMembers = at.endsWith('children') || !at.includes('.')
  const loose = at.endsWith('child') ? ['required', 'read_only'] : []
  const names = new Set([...Object.keys(wanted), ...Object.keys(given)])
  for (const name of ['help_text', ...loose]) if (!(name in wanted)) names.delete(name)
  const found = [...names].flatMap((name) => differences(`${at}.${name}`, wanted[name], given[name]))
  const [left, right] = [Object.keys(wanted).join(' '), Object.keys(given).join(' ')]
  return found.length === 0 && isMembers && at.endsWith('children') && left !== right
    ? [`${at}: wanted order ${left}, is ${right}`]
    : found
}
const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 160) ?? 'missing'
