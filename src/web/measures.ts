import { html } from 'hono/html'
import { inLarger, inSystem, unitName } from '../rules/units.ts'
import type { Html } from './cells.ts'
import { preference, preferencesOf } from './preferences.ts'
import type { Visit } from './visit.ts'

/** The units in which somebody wants to read measures; undefined: as they were entered. */
export type System = 'metric' | 'imperial' | undefined

export function systemOf(visit: Visit): System {
  const chosen = preference(preferencesOf(visit), 'ui.measurement_system')
  return chosen === 'metric' || chosen === 'imperial' ? chosen : undefined
}

const written = (value: number, unit: string): string =>
  `${value.toLocaleString('en', { maximumFractionDigits: 2 })} ${unit}`

/** A number with its unit, with what was entered in its title where that is another. */
export function measured(value: number, unit: string, system: System): Html {
  const own = system ? inSystem(value, unit, system) : { value, unit }
  const shown = inLarger(own.value, own.unit)
  const [text, entered] = [written(shown.value, shown.unit), written(value, unitName(unit))]
  return text === entered ? html`${text}` : html`<span title="${entered}">${text}</span>`
}
