const Grams: Record<string, number> = { kg: 1000, g: 1, lb: 453.592, oz: 28.3495 }
const Metres: Record<string, number> = { km: 1000, m: 1, cm: 0.01, mi: 1609.344, ft: 0.3048, in: 0.0254, mm: 0.001 }

/** Whole grams of a weight; null without both weight and unit. */
export const gramsOf = (weight: number | null, unit: string | null): number | null =>
  weight === null || !unit ? null : Math.trunc(weight * Grams[unit]!)
/** Metres of a distance, to four places. */
export const metresOf = (distance: number | null, unit: string | null): number | null =>
  distance === null || !unit ? null : Math.round(distance * Metres[unit]! * 10_000) / 10_000

/** Units that people of the other system use. */
const Others: Readonly<Record<'metric' | 'imperial', Readonly<Record<string, string>>>> = {
  metric: { lb: 'kg', oz: 'g', mi: 'km', ft: 'm', in: 'cm' },
  imperial: { kg: 'lb', g: 'oz', km: 'mi', m: 'ft', cm: 'in', mm: 'in' },
}

/** A measure in the units of a system; as it is where it has these already, or a unit that is not known. */
export function inSystem(value: number, unit: string, system: 'metric' | 'imperial'): { value: number; unit: string } {
  const other = Others[system][unit]
  const sizes = unit in Grams ? Grams : Metres
  return other ? { value: (value * sizes[unit]!) / sizes[other]!, unit: other } : { value, unit }
}

/** Units of which many make one of the next, by the name that a field has for them. */
const Larger: Readonly<Record<string, { by: number; names: readonly string[] }>> = {
  bytes: { by: 1000, names: ['bytes', 'kB', 'MB', 'GB', 'TB'] },
  Kbps: { by: 1000, names: ['Kbps', 'Mbps', 'Gbps', 'Tbps'] },
  MB: { by: 1000, names: ['MB', 'GB', 'TB', 'PB'] },
  // Memory is counted by 1,024 under the same names.
  MiB: { by: 1024, names: ['MB', 'GB', 'TB', 'PB'] },
}

/** What people call a unit that a field names. */
export const unitName = (unit: string): string => Larger[unit]?.names[0] ?? unit

/** A measure in the largest unit that leaves a whole of it: 1,500,000 Kbps are 1.5 Gbps. */
export function inLarger(value: number, unit: string): { value: number; unit: string } {
  const { by, names } = Larger[unit] ?? { by: 1, names: [unit] }
  const size = Math.abs(value)
  let step = 0
  while (step + 1 < names.length && size >= by ** (step + 1)) step++
  return { value: value / by ** step, unit: names[step]! }
}

/** Rules of a distance with its unit. */
export function measure({
  row,
  errors,
}: {
  row: { distance: number | null; distance_unit: string | null; _abs_distance: number | null }
  errors: Record<string, unknown>
}): void {
  if (row.distance && !row.distance_unit) errors.__all__ = ['Must specify a unit when setting a distance']
  if (row.distance === null) row.distance_unit = null
  row._abs_distance = metresOf(row.distance, row.distance_unit)
}

/** Rules of a weight with its unit. */
export function weigh({
  row,
  errors,
}: {
  row: { weight: number | null; weight_unit: string | null; _abs_weight: number | null }
  errors: Record<string, unknown>
}): void {
  if (row.weight && !row.weight_unit) errors.__all__ = ['Must specify a unit when setting a weight']
  row._abs_weight = gramsOf(row.weight, row.weight_unit)
}
