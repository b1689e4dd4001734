import type { Shape } from '../fields/field.ts'
import { cases } from '../lib/sql.ts'
import type { Unique } from './model.ts'

const Primary = [
  'bookmarks',
  'change_logging',
  'cloning',
  'custom_fields',
  'custom_links',
  'custom_validation',
  'event_rules',
  'export_templates',
  'journaling',
  'notifications',
  'tags',
]

/** Features of an ordinary model (object-types), with more of them. */
export const primaryFeatures = (...more: string[]): readonly string[] => [...Primary, ...more].sort()

/** Unique rules of fields that tell rows apart below the same other, and among those below none. */
export const uniqueWithin = (parent: string, ...names: readonly string[]): readonly Unique[] =>
  names.flatMap((name) => [{ fields: [parent, name] }, { fields: [name], when: { isNull: [parent] } }])

/** Display text of what has a name and perhaps a label. */
export const labelled = (t: string): string =>
  cases([[`${t}.label <> ''`, `${t}.name || ' (' || ${t}.label || ')'`]], `${t}.name`)

/**
 * Options of a model that groups or classifies others, known by its name and slug. `count`: its member with their
 * number, left out where it is nested.
 */
export const classifier = (count?: string) => ({
  display: 'name' as const,
  order: ['name'],
  features: primaryFeatures(),
  search: { text: ['description', 'name', 'slug'] },
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', ...(count ? [count] : [])],
  ...(count ? { nested: ['id', 'url', 'display', 'name', 'slug', 'description'] as Shape } : {}),
})
