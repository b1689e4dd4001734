import { DistanceUnitChoices } from '../choices/circuits.ts'
import { WeightUnitChoices } from '../choices/dcim.ts'
import { choice, decimal, integer } from '../fields/index.ts'

/** What something weighs, in a unit of its own. */
export const weightFields = {
  weight: decimal({ nullable: true, digits: 8, places: 2, unit: 'weight_unit' }),
  weight_unit: choice(WeightUnitChoices, { nullable: true, blank: true, single: true }),
}
/** A weight in grams, by which rows compare whatever their units; `weigh` fills it. */
export const grams = integer({ hidden: true, graphed: true, nullable: true })

/** How far something reaches, in a unit of its own. */
export const distanceFields = {
  distance: decimal({ nullable: true, digits: 8, places: 2, unit: 'distance_unit' }),
  distance_unit: choice(DistanceUnitChoices, { nullable: true, blank: true, single: true }),
}
/** A distance in metres, by which rows compare whatever their units; `measure` fills it. */
export const metres = decimal({ hidden: true, graphed: true, nullable: true, digits: 13, places: 4 })
