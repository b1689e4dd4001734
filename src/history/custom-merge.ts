import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Since } from './changes.ts'
import { type Coming, isLink } from './coming.ts'
import { typesOf } from './custom-moves.ts'
import { customColumn, type CustomValues, customOf } from './custom-values.ts'
import type { Dispute } from './disputes.ts'
import { keysDiffer, rowsDiffer, setOf } from './merge.ts'

const Field = 'extras.customfield'
/** What becomes of values of a custom field that one side took away: they go, or they stay because the field does. */
type Fate = 'goes' | 'stays'

/** A custom field that one side took away from models, or altogether. */
interface Taken {
  side: 'here' | 'there'
  id: number
  name: string
  isDeleted: boolean
  /** Models that have it no more, while on the other side they have; of a deleted one all that have it there. */
  types: ReadonlySet<string>
  /** JSON of its default; null where it has none. */
  preset: string | null
  row: Row
  /** What the side that took it made of its types; null where it deleted it. */
  typesNow: { object_types: string[] } | null
}
/** A custom field with a default that one side gave to models. */
interface Given {
  side: 'here' | 'there'
  id: number
  types: ReadonlySet<string>
  preset: string
}
/** A state in which rows are: where both parted, or as one side has them. */
type At = 'parted' | 'here' | 'there'
/** A row of an object as it is and was on one side. */
interface State {
  m: AnyModel
  id: number
  before: Row | null
  now: Row
}

const otherThan = (side: 'here' | 'there'): 'here' | 'there' => (side === 'here' ? 'there' : 'here')
const textOf = (value: unknown): string => stringifyExact(value ?? null)

/** What both sides did to custom fields as such, while the other gave values to objects that have, or had, them. */
export class CustomMerge {
  readonly model = modelNamed(Field)
  readonly taken: Taken[] = []
  readonly #given: Given[] = []
  /** Models that one side gave a field to, by `<side> <id>`. */
  readonly #gotten = new Map<string, readonly string[]>()
  /**
   * Names of custom fields that one side gave, took away or renamed, by `<side> <model>`; of those renamed, what they
   * are called now.
   */
  readonly #moved = new Map<string, Map<string, { preset: string | null; now: string | undefined }>>()
  readonly #states: { here: State[]; there: State[] } = { here: [], there: [] }
  readonly #fates = new Map<string, Fate>()
  /** What custom fields that either side changed are called in each state, by their ids. */
  readonly #named = new Map<number, { [at in At]?: string | undefined }>()
  /** The same turned round; and what each name of a state is once both are merged, where that is another, or none. */
  readonly #ids: { [at in At | 'merged']: Map<string, number> }
  readonly #keys: { [at in At]: Map<string, string | undefined> }

  constructor(coming: readonly Coming[], here: ReadonlyMap<string, Since>) {
    for (const { place, id, base, row } of coming) {
      if (place.m.name === Field && !isLink(place)) this.#field('there', id, base, row)
      if (row && !isLink(place) && place.m.fields.custom_fields)
        this.#states.there.push({ m: place.m, id, before: base, now: row })
    }
    for (const { place, id, before, now } of here.values()) {
      if (place.m.name === Field && !isLink(place)) this.#field('here', id, before, now)
      if (now && !isLink(place) && place.m.fields.custom_fields) this.#states.here.push({ m: place.m, id, before, now })
    }
    this.#agree()
    for (const each of this.taken)
      if (each.isDeleted)
        each.types = new Set([...each.types, ...(this.#gotten.get(`${otherThan(each.side)} ${each.id}`) ?? [])])
    this.#ids = { parted: new Map(), here: new Map(), there: new Map(), merged: new Map() }
    this.#keys = { parted: new Map(), here: new Map(), there: new Map() }
    for (const [id, names] of this.#named)
      for (const at of ['parted', 'here', 'there'] as const) {
        const name = names[at]
        if (name !== undefined) this.#ids[at].set(name, id)
      }
  }

  /** What both sides took a field from has it no more, whatever becomes of the rest. */
  #agree(): void {
    for (const [id, [one, other]] of Map.groupBy(this.taken, (each) => each.id)) {
      if (!one || !other) continue
      const both = new Set([...one.types].filter((type) => other.types.has(type)))
      for (const type of both) this.#fates.set(`${type} ${id}`, 'goes')
      for (const each of [one, other]) each.types = new Set([...each.types].filter((type) => !both.has(type)))
    }
  }

  #field(side: 'here' | 'there', id: number, before: Row | null, now: Row | null): void {
    const [was, is] = [before, now].map((row) => row?.name as string | undefined)
    const names = this.#named.get(id) ?? { parted: was, here: was, there: was }
    this.#named.set(id, { ...names, [side]: is })
    const [had, has] = [typesOf(before), typesOf(now)]
    const lost = had.filter((type) => !has.includes(type))
    if (before && lost.length)
      this.taken.push({
        side,
        id,
        name: before.name as string,
        isDeleted: !now,
        types: new Set(lost),
        preset: before.default as string | null,
        row: before,
        typesNow: now && { object_types: has },
      })
    const got = has.filter((type) => !had.includes(type))
    const move = (type: string, name: string, preset: string | null, to?: string) => {
      const names = this.#moved.get(`${side} ${type}`) ?? new Map()
      this.#moved.set(`${side} ${type}`, names.set(name, { preset, now: to }))
    }
    for (const type of lost) move(type, before!.name as string, null)
    for (const type of got) move(type, now!.name as string, now!.default as string | null)
    if (before && now && before.name !== now.name)
      for (const type of has) if (had.includes(type)) move(type, before.name as string, null, now.name as string)
    this.#gotten.set(`${side} ${id}`, got)
    if (now && got.length && now.default !== null)
      this.#given.push({ side, id, types: new Set(got), preset: now.default as string })
  }

  /**
   * What is to be decided of a field that was taken away while the other side gave objects values of it; undefined
   * where none did.
   */
  disputeOf(
    { side, id: field, name, types, preset, isDeleted, typesNow }: Taken,
    nameOf: (m: AnyModel, id: number, row: Row) => string,
  ) {
    const written: CustomValues = {}
    const writer = otherThan(side)
    const nameThere = this.#named.get(field)?.[writer] ?? name // who wrote values may have renamed it
    for (const { m, id, before, now } of this.#states[writer]) {
      if (!types.has(m.name)) continue
      const [was, is] = [customOf(before)[name], customOf(now)[nameThere]]
      if (is === null || is === undefined || textOf(was) === textOf(is)) continue
      if (!before && preset !== null && textOf(is) === textOf(parseExact(preset))) continue // nobody wrote it
      written[`${m.label} ${nameOf(m, id, now)} (${id})`] = { [customColumn(nameThere)]: is }
    }
    if (Object.keys(written).length === 0) return undefined
    const isHere = side === 'here'
    const [at, other] = isHere ? ['here', 'there'] : ['there', 'here']
    const [goes, stays] = [
      `${isDeleted ? 'it goes' : 'it is taken from them'}, and these values with it`,
      `it ${isHere ? 'comes back' : 'stays'}, with all its values`,
    ]
    return {
      kind: isDeleted ? (isHere ? 'deleted here' : 'referenced') : 'changed',
      field: isDeleted ? null : 'object_types',
      parted: null,
      ours: isHere ? typesNow : written,
      theirs: isHere ? written : typesNow,
      detail:
        `It was ${isDeleted ? 'deleted' : 'taken from some objects'} ${at}, ` +
        `and they were given values of it ${other}.`,
      if_ours: isHere ? goes : stays,
      if_theirs: isHere ? stays : goes,
    } satisfies Dispute
  }

  settle({ id, types }: Taken, fate: Fate): void {
    for (const type of types) this.#fates.set(`${type} ${id}`, fate)
  }

  /**
   * What becomes of values of a custom field of a model, by its name once both are merged; undefined where nobody took
   * it away.
   */
  readonly fateOf = (m: AnyModel, name: string): Fate | undefined =>
    this.#fates.get(`${m.name} ${this.#ids.merged.get(name)}`)

  /**
   * Takes down what the fields that either side changed are called once both are merged; undefined of one that is there
   * no more. Two of one name are told apart until one of them has given way.
   */
  name(nameOf: (id: number) => string | undefined): void {
    const { merged } = this.#ids
    merged.clear()
    for (const at of ['parted', 'here', 'there'] as const) this.#keys[at].clear()
    for (const [id, names] of this.#named) {
      let name = nameOf(id)
      if (name !== undefined && merged.has(name)) name = `${name} ${id}`
      if (name !== undefined) merged.set(name, id)
      for (const at of ['parted', 'here', 'there'] as const) {
        const own = names[at]
        if (own !== undefined && own !== name) this.#keys[at].set(own, name)
      }
    }
  }

  /** A row of a state with its values by what their fields are called once both are merged. */
  renamed(at: At, row: Row): Row {
    const keys = this.#keys[at]
    if (keys.size === 0 || typeof row.custom_field_data !== 'string') return row
    const values = customOf(row)
    if (!Object.keys(values).some((name) => keys.has(name))) return row
    const pairs = Object.entries(values).flatMap(([name, value]) => {
      const to = keys.has(name) ? keys.get(name) : name
      return to === undefined ? [] : [[to, value] as const]
    })
    return { ...row, custom_field_data: stringifyExact(Object.fromEntries(pairs)) }
  }

  /** Whether a side did more to a row than what giving, taking away or renaming custom fields did to it. */
  isTouched(side: 'here' | 'there', m: AnyModel, before: Row, now: Row): boolean {
    if (!rowsDiffer(m, before, now)) return false
    const moved = this.#moved.get(`${side} ${m.name}`)
    if (!moved || !m.fields.custom_fields) return true
    const [was, is] = [customOf(before), customOf(now)]
    for (const [name, { preset, now: to }] of moved) {
      if (to !== undefined) was[to] = was[name]
      else if (textOf(is[name]) === (preset === null ? 'null' : textOf(parseExact(preset)))) delete is[name]
      delete was[name]
    }
    const row = (of: Row, values: CustomValues): Row => ({ ...of, custom_field_data: stringifyExact(values) })
    return rowsDiffer(m, row(before, was), row(now, is))
  }

  /** Whether a row lacks a custom field that comes to its model, so that it would get a value instead of none. */
  lacksEmpty(m: AnyModel, row: Row, merged: Row): boolean {
    const isGiven = (id: number) => this.#given.some((each) => each.id === id && each.types.has(m.name))
    const comes = (id: number) => isGiven(id) || this.#fates.get(`${m.name} ${id}`) === 'stays'
    const names = new Set([...this.#ids.merged].flatMap(([name, id]) => (comes(id) ? [name] : [])))
    return names.size > 0 && keysDiffer(row, merged, names)
  }

  /** The types of a custom field's row, with those that stay. */
  typesWith(id: number, row: Row): Row {
    const more = this.taken.filter((each) => each.id === id && !each.isDeleted)
    const stay = more.flatMap(({ types }) => [...types].filter((type) => this.#fates.get(`${type} ${id}`) === 'stays'))
    const types = typesOf(row)
    return stay.some((type) => !types.includes(type)) ? { ...row, object_types: setOf([...types, ...stay]) } : row
  }

  /**
   * Values of custom fields that rows have to get: those that were taken away here and stay, and defaults, in objects
   * that one side made, of fields that the other gave to their models.
   */
  *values(): Generator<{ m: AnyModel; id: number; values: CustomValues }> {
    for (const { m, id, before, now } of this.#states.here) {
      const [was, is] = [customOf(before && this.renamed('parted', before)), customOf(this.renamed('here', now))]
      const back = Object.keys(was).filter((name) => !(name in is) && this.fateOf(m, name) === 'stays')
      if (back.length) yield { m, id, values: Object.fromEntries(back.map((name) => [name, was[name]])) }
    }
    const names = new Map([...this.#ids.merged].map(([name, id]) => [id, name]))
    for (const { side, id: field, types, preset } of this.#given) {
      const [other, name] = [otherThan(side), names.get(field)]
      for (const { m, id, before, now } of name === undefined ? [] : this.#states[other])
        if (!before && types.has(m.name) && !(name! in customOf(this.renamed(other, now))))
          yield { m, id, values: { [name!]: parseExact(preset) } }
    }
  }
}

/** A row with more values of custom fields; those that it has stay. */
export const withValues = (row: Row, values: CustomValues): Row => ({
  ...row,
  custom_field_data: stringifyExact({ ...values, ...customOf(row) }),
})
