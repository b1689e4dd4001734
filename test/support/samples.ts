import * as v from 'valibot'
import type { Field } from '../../src/fields/field.ts'
import { typesWith } from '../../src/engine/catalog.ts'

/** Texts of every form that fields ask for; the first that the field takes is its sample. */
const texts = (n: number): string[] => {
  const hex = n.toString(16).padStart(6, '0')
  const pairs = hex.match(/../g)!.join(':').toUpperCase()
  return [
    `Sample ${n}`,
    `sample-${n}`,
    `sample_${n}`,
    hex,
    `http://host-${n}.example/`,
    `user${n}@example.com`,
    `00:00:5E:${pairs}`,
    `00:00:00:00:5E:${pairs}`,
    'UTC',
    'object_created',
    `10.0.${n % 250}.1`,
  ]
}
const lists = (n: number): unknown[][] => [
  [`sample ${n}`],
  [1 + (n % 100)],
  ['dcim.site'],
  ['10.0.0.0/8'],
  ['object_created'],
  [[`v${n}`, `Value ${n}`]],
  [[1, 1 + (n % 100)]],
]
const day = (n: number): string => `2099-01-${String(1 + (n % 28)).padStart(2, '0')}`

type Bounds = { min?: number; max?: number; places?: number }
const bounded = (n: number, { min = 1, max = Infinity }: Bounds): number =>
  Math.ceil(min) + (n % Math.max(1, Math.floor(Math.min(max, min + 4000) - Math.ceil(min)) + 1))

/** Values of each kind of field that do not name other objects, in order of preference. */
const byKind: Record<string, (n: number, field: Field) => unknown[]> = {
  text: texts,
  'hardware-address': texts,
  choice: (n, field) => {
    const { choices = [] } = Object.values(field.describe('x'))[0] as { choices?: { value: unknown }[] }
    return choices
      .slice(n % choices.length)
      .concat(choices)
      .map(({ value }) => value)
  },
  boolean: (n) => [n % 2 === 0],
  flag: (n) => [n % 2 === 0],
  integer: (n, field) => [bounded(n, field.options as Bounds)],
  decimal: (n, field) => [bounded(n % 20, field.options as Bounds)],
  date: (n) => [day(n)],
  datetime: (n) => [`${day(n)}T10:00:00Z`],
  json: (n) => [{ sample: n }, [], null],
  list: lists,
  'content-types': () => [['dcim.site']],
  'content-type': () => ['dcim.site'],
  address: (n) => [`10.${n >> 8}.${n & 255}.0/24`],
}

/** A value that the field takes, or undefined when none is known for its kind. */
export function sample(field: Field, n: number): unknown {
  return byKind[field.kind]?.(n, field).find((value) => isTaken(field, value))
}

function isTaken(field: Field, value: unknown): boolean {
  const checked = v.safeParse(field.input!(), value)
  if (!checked.success) return false
  try {
    field.resolve?.(
      checked.output,
      { typesWith: (feature: string) => typesWith(feature.replace('feature:', '')) } as never,
      'x',
    )
    return true
  } catch {
    return false // refused in its second step
  }
}

/** How a written value comes back in an answer. */
export function shown(field: Field, answer: unknown): unknown {
  const idOf = (x: unknown) => (typeof x === 'object' && x !== null && 'id' in x ? x.id : x)
  if (field.kind === 'choice' && typeof answer === 'object' && answer !== null)
    return (answer as { value: unknown }).value
  if (field.kind === 'refs' || field.kind === 'tags') return (answer as unknown[]).map(idOf)
  return field.kind === 'ref' ? idOf(answer) : answer
}

/** An image of one row of pixels. */
export const png = (width = 1): Blob => {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
    'base64',
  )
  bytes.writeUInt32BE(width, 16)
  return new Blob([bytes])
}
