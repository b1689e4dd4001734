import { isObject } from '../lib/json.ts'
import { carryNumbers, numberText, parseExact, stringifyExact } from '../lib/exact-json.ts'
import { choicesOf } from '../rules/choice-sets.ts'
import type { ResolveContext } from '../fields/context.ts'
import type { Row } from '../fields/field.ts'
import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import type { CustomColumn } from '../engine/select.ts'
import { pythonType } from '../fields/refs.ts'
import { checkCustomValue } from '../rules/custom-values.ts'
import type { Connection } from './database.ts'
import { resolver } from './references.ts'
import { isWide } from '../lib/wide-integers.ts'
import { takenValues } from './taken-values.ts'
import type { Writing } from './write.ts'
import { addTo } from '../lib/lists.ts'

/** A custom field as the writer and the filters need it. */
export interface Definition {
  id: number
  name: string
  label: string
  group_name: string
  description: string
  ui_visible: string
  ui_editable: string
  is_cloneable: number
  type: string
  required: number
  is_unique: number
  default: string | null
  related_object_type: string | null
  filter_logic: string
  validation_minimum: number | null
  validation_maximum: number | null
  validation_regex: string
  validation_schema: string | null
  choice_set_id: number | null
  object_types: string
  choices?: ReadonlySet<string>
  /** What people call the choices, by value. */
  labels?: ReadonlyMap<string, string>
}

/** The default of a custom field under its name, as a body would give it; nothing where there is none. */
const presetOf = ({ name, default: text }: Definition): Record<string, unknown> =>
  text === null ? {} : (parseExact(`{${JSON.stringify(name)}:${text}}`) as Record<string, unknown>)

/** The custom field definitions, read again only when they change. */
export class CustomFields {
  readonly #db: Connection
  #stamp = -1
  #byModel = new Map<string, Definition[]>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** Rises whenever a definition changes. */
  get version(): number {
    return this.#db.stamp(['extras_customfield', 'extras_customfieldchoiceset'])
  }

  /** Definitions that apply to a model, in the order in which they are shown. */
  of(m: AnyModel): readonly Definition[] {
    if (!m.fields.custom_fields) return []
    if (this.#stamp !== this.version) this.#load()
    return this.#byModel.get(m.name) ?? []
  }

  columns(m: AnyModel): CustomColumn[] {
    return this.of(m).map(({ name, type, related_object_type }) =>
      (type === 'object' || type === 'multiobject') && related_object_type
        ? { name, kind: type, target: related_object_type }
        : { name, kind: 'plain' },
    )
  }

  #load(): void {
    this.#stamp = this.version
    this.#byModel = new Map()
    for (const definition of this.#db.all<Definition>(
      'select *, "unique" as is_unique from extras_customfield order by group_name, weight, name',
    )) {
      if (definition.choice_set_id !== null) {
        definition.labels = this.#choices(definition.choice_set_id)
        definition.choices = new Set(definition.labels.keys())
      }
      for (const type of JSON.parse(definition.object_types) as string[]) addTo(this.#byModel, type, definition)
    }
  }

  #choices(id: number): ReadonlyMap<string, string> {
    const set = this.#db.get<{ base_choices: string | null; extra_choices: string; order_alphabetically: number }>(
      'select base_choices, extra_choices, order_alphabetically from extras_customfieldchoiceset where id = +?',
      id,
    )
    return new Map(set ? choicesOf(set) : [])
  }

  /** Checks the given values, fills defaults and answers the JSON to store. Throws `Refused`. */
  check(w: Writing, m: AnyModel, given: unknown, before: Row | undefined): string {
    const definitions = this.of(m)
    const stored = (before ? parseExact(before.custom_field_data as string) : {}) as Record<string, unknown>
    if (given === undefined && definitions.length === 0) return before ? (before.custom_field_data as string) : '{}'
    if (given !== undefined && !isObject(given)) {
      throw new Refused(400, { custom_fields: [`Expected a dictionary of items but got type "${pythonType(given)}".`] })
    }
    const values = (given ?? {}) as Record<string, unknown>
    const byName = new Map(definitions.map((d) => [d.name, d]))
    const unknown = Object.keys(values).filter((name) => !byName.has(name))
    if (unknown.length)
      throw new Refused(400, {
        custom_fields: Object.fromEntries(
          unknown.map((name) => [name, 'Custom field does not exist for this object type.']),
        ),
      })
    const context = resolver(w, m, before)
    for (const definition of definitions) {
      const { name } = definition
      const isGiven = Object.hasOwn(values, name)
      const from = isGiven ? values : before ? stored : presetOf(definition)
      const checked = checkedOf(definition, context, from, isGiven)
      if (isGiven) this.#demandUnique(m, definition, checked, numberText(from, name), before)
      if (isGiven || !before || checked !== null) stored[name] = checked
      if (from !== stored) carryNumbers(from, stored, name)
    }
    return stringifyExact(stored)
  }

  /**
   * Checks one value of a row as it is stored; `mayDangle`: it may refer to what is gone. A default, which nobody gave,
   * need not be unique. Throws `Refused`.
   */
  checkStored(w: Writing, m: AnyModel, name: string, row: Row, mayDangle: boolean): void {
    const definition = this.of(m).find((each) => each.name === name)
    if (!definition)
      throw new Refused(400, { custom_fields: { [name]: 'Custom field does not exist for this object type.' } })
    const context = resolver(w, m, row)
    const related: ResolveContext['related'] = (model, value) =>
      mayDangle && typeof value === 'number' && !context.exists(model, value) ? value : context.related(model, value)
    const values = parseExact(row.custom_field_data as string) as Record<string, unknown>
    const checked = checkedOf(definition, { ...context, related }, values, true)
    const preset = presetOf(definition)[name] ?? null
    if (stringifyExact(checked) !== stringifyExact(preset))
      this.#demandUnique(m, definition, checked, numberText(values, name), row)
  }

  /** `digits`: what was given of a number that JavaScript rounds. */
  #demandUnique(
    m: AnyModel,
    definition: Definition,
    value: unknown,
    digits: string | undefined,
    before: Row | undefined,
  ): void {
    if (!definition.is_unique || value === null) return
    const exact = digits !== undefined && !Number.isSafeInteger(value) && isWide(digits) ? BigInt(digits) : value
    if (takenValues(this.#db).has(m, definition, exact, (before?.id as number | undefined) ?? 0))
      throw new Refused(400, { __all__: [`Custom field '${definition.name}' must have a unique value.`] })
  }
}

function checkedOf(definition: Definition, context: ResolveContext, from: object, isGiven: boolean): unknown {
  const value = (from as Record<string, unknown>)[definition.name] ?? null
  return checkCustomValue(definition, value, context, isGiven, isGiven ? numberText(from, definition.name) : undefined)
}
