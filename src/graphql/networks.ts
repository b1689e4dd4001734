import { parseAddressOrMasked } from '../lib/ip.ts'

/** Filters whose values are addresses or networks. */
const Names = new Set(['contains', 'parent'])

/** Values of a filter on networks that are none are passed over; those of other filters all count. */
export const Networks = {
  passed: (name: string, values: readonly string[]): readonly string[] =>
    Names.has(name) ? values.filter((value) => parseAddressOrMasked(value) !== undefined) : values,
}
