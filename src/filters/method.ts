import type { Filter, FilterContext } from './filter.ts'

/** A parameter with a rule of its own: the condition of its values, or undefined to ignore them. */
export const methodFilter = (
  compile: (values: readonly string[], c: FilterContext, lookup: string) => string | undefined,
  options?: { single?: boolean; type?: string; format?: string; lookups?: readonly string[] },
): Filter => ({
  lookups: options?.lookups ?? [],
  multiple: !options?.single,
  schema: { type: options?.type ?? 'string', ...(options?.format ? { format: options.format } : {}) },
  compile: (values, lookup, c) => compile(options?.single ? values.slice(-1) : values, c, lookup),
})
