import { FieldError } from '../../fields/field.ts'
import { conditionOf } from '../../http/lists.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { Control } from '../../fields/control.ts'
import { namesOf } from '../displays.ts'
import type { FormField } from '../form-fields.ts'
import type { Filled } from '../form-page.ts'
import type { Row } from '../table.ts'
import { idsTyped } from '../typed-objects.ts'
import type { Visit } from '../visit.ts'
import type { SpecialForm } from './forms.ts'

/** A position of a rear port, as a form names it. */
const key = (port: unknown, position: unknown): string => `${port}:${position}`
const Key = /^(\d{1,15}):(\d{1,4})$/

interface Mapping {
  position: number
  rear_port: number
  rear_port_position: number
}
const mapped = (row: Row | undefined): string[] =>
  ((row?.rear_ports ?? []) as Mapping[])
    .toSorted((a, b) => a.position - b.position)
    .map((each) => key(each.rear_port, each.rear_port_position))

interface RearPort {
  id: number
  name: string
  positions: number
  front_ports: readonly { position: number; front_port: number }[]
}

/** The rear ports beside which the front port of a form lies, as far as the user may view them. */
function rearPorts(visit: Visit, model: string, owners: readonly FormField[], filled: Filled): RearPort[] {
  const m = modelNamed(model)
  for (const field of owners) {
    const { name, control } = field
    const text = filled.texts(field).findLast(Boolean) ?? ''
    const [owner] = control.as === 'pick' ? idsTyped(visit, modelNamed(control.model), text) : []
    if (owner === undefined || !may(visit.actor, 'view', m)) continue
    const those = conditionOf(visit, m, new URLSearchParams([[`${name}_id`, String(owner)]]))
    const { ids } = visit.store.reader.page(m, those, undefined, undefined, 0)
    const rows = visit.store.reader.rows(m, ids, { members: ['id', 'name', 'positions', 'front_ports'] }, '')
    return rows.map((bytes) => JSON.parse(bytes.toString()) as RearPort)
  }
  return []
}

/** The positions that are free or the front port's own; those that are chosen stand first, in their order. */
function offered(visit: Visit, model: string, owners: readonly FormField[], filled: Filled, chosen: readonly string[]) {
  const own = filled.row?.id
  const free = rearPorts(visit, model, owners, filled).flatMap(({ id, name, positions, front_ports: others }) => {
    const taken = new Set(others.filter((each) => each.front_port !== own).map(({ position }) => position))
    const all = Array.from({ length: positions }, (_, i) => i + 1).filter((position) => !taken.has(position))
    return all.map((position) => [key(id, position), `${name}:${position}`] as const)
  })
  const labels = new Map<string, string>(free)
  // What is mapped to a port that the user may not view stays chosen, so that it stays mapped.
  const unseen = mapped(filled.row).filter((each) => chosen.includes(each) && !labels.has(each))
  const ports = namesOf(
    visit,
    modelNamed(model),
    unseen.map((each) => each.split(':')[0]!),
    undefined,
  )
  for (const [i, each] of unseen.entries()) labels.set(each, `${ports[i]}:${each.split(':')[1]}`)
  const first = chosen.filter((each) => labels.has(each))
  return [...first, ...[...labels.keys()].filter((each) => !first.includes(each))].map(
    (each) => [each, labels.get(each)!] as const,
  )
}

/** Positions of the rear ports beside it that a front port leads to, in the order of its own. */
function positions(visit: Visit, field: FormField, model: string, owners: readonly FormField[]): FormField {
  const control = (choices: readonly (readonly [string, string])[]): Control => ({
    as: 'choice',
    multiple: true,
    choices,
  })
  const own: FormField = {
    ...field,
    required: true,
    help: 'Free positions of rear ports: the first that is chosen is behind position 1, and so on.',
    control: control([]),
    follows: {
      fields: owners.map(({ name }) => name),
      control: (filled) => control(offered(visit, model, owners, filled, filled.texts(own))),
    },
    texts: mapped,
    read: (data) => {
      const chosen = data.all(field.name).filter(Boolean)
      const rear_ports = chosen.map((text, i) => {
        const [, port, position] = Key.exec(text) ?? []
        if (position === undefined) throw new FieldError(`"${text}" is no position of a rear port.`)
        return { position: i + 1, rear_port: Number(port), rear_port_position: Number(position) }
      })
      return { rear_ports }
    },
  }
  return own
}

/** The form of a front port: what it leads to is chosen among the positions that are free beside it. */
export const frontPortForm = (model: string): SpecialForm => ({
  groups: (visit, groups) => {
    const owners = groups
      .flatMap(({ fields }) => fields)
      .filter(({ name }) => ['device', 'device_type', 'module_type'].includes(name))
    return groups.map((group) => ({
      ...group,
      fields: group.fields.map((field) =>
        field.name === 'rear_ports' ? positions(visit, field, model, owners) : field,
      ),
    }))
  },
})
