import { stringifyExact } from '../lib/exact-json.ts'
import { yamlText } from '../lib/tables.ts'
import { preference, preferencesOf } from './preferences.ts'
import type { Visit } from './visit.ts'

/** Data as a text to read: JSON, or YAML where that is preferred. */
export const dataText = (visit: Visit, data: unknown): string =>
  preference(preferencesOf(visit), 'data_format') === 'yaml' ? yamlText(data).trimEnd() : stringifyExact(data, 2)
