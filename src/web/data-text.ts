import { stringify } from 'yaml'
import { preference, preferencesOf } from './preferences.ts'
import type { Visit } from './visit.ts'

/** Data as a text to read: JSON, or YAML where that is preferred. */
export const dataText = (visit: Visit, data: unknown): string =>
  preference(preferencesOf(visit), 'data_format') === 'yaml'
    ? stringify(data, { lineWidth: 0 }).trimEnd()
    : JSON.stringify(data, null, 2)
