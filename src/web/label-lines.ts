import type { AnyModel } from '../declare/model.ts'
import type { Row } from './table.ts'

/** What labels say where the model does not: where the object is, and by what it is known. */
const Usual = [
  '{device} · {virtual_machine}',
  '{site} · {location} · {rack}',
  '{asset_tag} · {serial}',
  '{description}',
]

const Name = /\{(\w+)\}/g
const linesFor = (m: AnyModel): readonly string[] => m.pages?.sticker ?? Usual

/** Members of a model that its labels show. */
export const membersIn = (m: AnyModel): string[] =>
  [...new Set(linesFor(m).flatMap((line) => [...line.matchAll(Name)].map(([, name]) => name!)))].filter(
    (name) => name in m.fields,
  )

/**
 * The lines of an object's label below its name; parts without a value are left out, and so are lines without parts.
 */
export const labelLines = (m: AnyModel, row: Row): string[] =>
  linesFor(m)
    .map((line) =>
      line
        .split(' · ')
        .map((part) => {
          const names = [...part.matchAll(Name)].map(([, name]) => name!)
          const texts = new Map(names.map((name) => [name, textOf(row[name])]))
          return names.some((name) => !texts.get(name)) ? '' : part.replace(Name, (_, name: string) => texts.get(name)!)
        })
        .filter(Boolean)
        .join(' · '),
    )
    .filter(Boolean)

interface Shown {
  display?: string
  label?: string
  device?: { display?: string } | null
  object?: Shown | null
}

/** A value as a line has it: objects by their names, components with their device. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  if (typeof value !== 'object') return String(value)
  const { display, label, device, object } = value as Shown
  if (object) return textOf(object)
  return [device?.display, display ?? label].filter(Boolean).join(' ')
}
