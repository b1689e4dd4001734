import { grams, weightFields } from './measured-fields.ts'
import { gramsOf, weigh } from './units.ts'
import { RackDimensionUnitChoices, RackFormFactorChoices, RackWidthChoices } from '../choices/dcim.ts'
import { boolean, choice, integer } from '../fields/index.ts'

/** Fields that a rack has as its type has them. */
export const rackUnits = {
  form_factor: choice(RackFormFactorChoices, { nullable: true, blank: true }),
  width: choice(RackWidthChoices, { default: 19, filter: false }),
  u_height: integer({ label: 'Height (U)', min: 1, max: 100, default: 42 }),
  starting_unit: integer({
    help: 'The lowest number that a unit has.',
    min: 1,
    max: 32767,
    default: 1,
  }),
}
const outer = integer({ nullable: true, min: 0, max: 32767, unit: 'outer_unit' })
export const rackOutside = {
  desc_units: boolean({ help: 'Units are numbered from the top down.', label: 'Descending units', default: false }),
  outer_width: outer,
  outer_height: outer,
  outer_depth: outer,
  outer_unit: choice(RackDimensionUnitChoices, {
    help: 'Unit of the outer width, height and depth.',
    nullable: true,
    blank: true,
    single: true,
  }),
}
export const rackWeights = {
  weight: weightFields.weight,
  max_weight: integer({
    help: 'The heaviest load that it may carry, in the unit of its weight.',
    unit: 'weight_unit',
    nullable: true,
    min: 0,
    max: 2147483647,
  }),
  weight_unit: weightFields.weight_unit,
}
export const mountingDepth = {
  mounting_depth: integer({
    help: 'Millimetres between the front and the rear rails.',
    unit: 'mm',
    nullable: true,
    min: 0,
    max: 32767,
  }),
}
export const rackGrams = { _abs_weight: grams, _abs_max_weight: grams }

const shared = { ...rackUnits, ...rackOutside, ...rackWeights, ...mountingDepth, ...rackGrams }
/** Attributes that a rack takes from its type at every save. */
export const FromType = Object.keys(shared) as (keyof typeof shared)[]

type Numbers =
  | 'outer_width'
  | 'outer_height'
  | 'outer_depth'
  | 'weight'
  | 'max_weight'
  | '_abs_weight'
  | '_abs_max_weight'
type Measured = Record<Numbers, number | null> & Record<'outer_unit' | 'weight_unit', string | null>

/** Rules of what is measured on a rack or on its type. `outside`: how messages name its outer size. */
export function measureRack(
  { row, errors }: { row: Measured; errors: Record<string, unknown> },
  outside: string,
): void {
  weigh({ row, errors })
  row._abs_max_weight = gramsOf(row.max_weight, row.weight_unit)
  if (row.max_weight && !row.weight_unit) errors.__all__ = ['Must specify a unit when setting a maximum weight']
  const hasOuter = row.outer_width !== null || row.outer_height !== null || row.outer_depth !== null
  if (hasOuter && !row.outer_unit) errors.__all__ = [`Must specify a unit when setting an ${outside}`]
  if (!hasOuter) row.outer_unit = null
}
