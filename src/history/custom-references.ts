import type { Row } from '../fields/field.ts'
import { models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { stringifyExact } from '../lib/exact-json.ts'
import { customColumn, customOf, nameOfCustom } from './custom-values.ts'
import type { Reference } from './references.ts'

/** What values of custom fields refer to. The database keeps them also where that is gone, as ordinary deletes do. */
export class CustomReferences {
  readonly #targets = new Map<string, AnyModel>()

  /** `fields`: the rows of custom fields, by the names that values have. */
  constructor(fields: Iterable<Row>) {
    for (const { name, related_object_type: type } of fields) {
      const to = typeof type === 'string' ? models[type] : undefined
      if (to) this.#targets.set(name as string, to)
    }
  }

  /** What a row refers to by its custom fields. */
  in(m: AnyModel, row: Row): Reference[] {
    if (this.#targets.size === 0 || !m.fields.custom_fields) return []
    return Object.entries(customOf(row)).flatMap(([name, value]) => {
      const to = this.#targets.get(name)
      const ids = to ? [value].flat().filter((id) => typeof id === 'number') : []
      const more = { columns: [], beside: [], isNullable: true, onDelete: 'set null' } as const
      return ids.map((id) => ({ field: customColumn(name), to: to!, id, ...more }))
    })
  }

  /** Takes a reference out of a row. */
  static remove(row: Row, { field, id }: Pick<Reference, 'field' | 'id'>): void {
    const [values, name] = [customOf(row), nameOfCustom(field)!]
    const value = values[name]
    values[name] = Array.isArray(value) ? value.filter((each) => each !== id) : null
    row.custom_field_data = stringifyExact(values)
  }
}
