import { attempt, BadLine, type Imported, type Outcome, together } from '../import.ts'
import { Refused, type WriteTools } from '../../declare/behaviour.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Writing } from '../../store/write.ts'
import type { Definition, Found } from '../../lib/definitions.ts'
import { placesOf, type Wrong } from '../../lib/tables.ts'
import { componentKeys } from './components.ts'
import { BadDefinition, Kinds, type Kind } from './files.ts'
import { Models, takeDefinition } from './load.ts'

/** The kind of definition that makes objects of a model; undefined for a model that the library has none of. */
export const kindOf = (m: AnyModel): Kind | undefined => Kinds.find((kind) => Models[kind] === m.name)

const Components = new RegExp(`^(?:${[...componentKeys].join('|')}):`, 'm')

/** Whether a text looks like definitions of the library rather than a table of objects. */
export const isLibraryText = (text: string): boolean => /^manufacturer: *[^\s{]/m.test(text) || Components.test(text)

/**
 * Makes the types that definitions describe, with their components and manufacturers: all, or none when one is wrong.
 * Runs inside a transaction or makes its own. A type that is there already stays as it is.
 */
export function importDefinitions(w: Writing, m: AnyModel, found: readonly Found[], isPreview: boolean): Imported {
  const kind = kindOf(m)!
  const wrong: Wrong[] = []
  const tools = permitted(w.tools)
  return together(w, wrong, isPreview, (lines) => {
    for (const [i, place] of placesOf(found.map(({ line }) => line)).entries())
      lines.push(attempt(w, wrong, place, () => taken(tools, kind, found[i]!)))
  })
}

function taken(tools: WriteTools, kind: Kind, { line, definition, error }: Found): Outcome {
  try {
    if (!definition) throw new BadDefinition(error ?? 'cannot be read')
    const { outcome, id } = takeDefinition(tools, kind, definition)
    return { line, action: outcome === 'taken' ? 'create' : 'nothing', id }
  } catch (refused) {
    if (!(refused instanceof BadDefinition)) throw refused
    throw new BadLine([{ line, text: refused.message }])
  }
}

/** Tools that make only what their user may add. */
const permitted = (tools: WriteTools): WriteTools => ({
  ...tools,
  create: (name, body) => {
    const id = tools.create(name, body)
    if (!tools.user.superuser && !tools.mayOn('add', name, id))
      throw new Refused(403, { detail: `You may not add such a ${tools.model(name).label}.` })
    return id
  },
})

/** What a definition lists of each kind, in words: `1 power port, 24 interfaces`. */
export const partsOf = (definition: Definition | undefined): string =>
  [...componentKeys]
    .flatMap((key) => {
      const parts: unknown = definition?.[key]
      if (!Array.isArray(parts) || parts.length === 0) return []
      const words = key.replaceAll('-', ' ')
      return [`${parts.length} ${parts.length === 1 ? words.replace(/s$/, '') : words}`]
    })
    .join(', ')

/** What a definition is called. */
export const nameOf = (definition: Definition | undefined): string =>
  [definition?.manufacturer, definition?.model].filter(Boolean).map(String).join(' ')
