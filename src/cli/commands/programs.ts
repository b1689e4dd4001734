import { type Command, json } from '../command.ts'

/** Commands that print what programs read. */
export const programs: Readonly<Record<string, Command>> = {
  models: {
    summary: 'list the models that imports and exports name',
    options: json,
    run: async (input) => (await import('../models.ts')).printModels(input),
  },
  openapi: {
    summary: 'print the OpenAPI document',
    options: { yaml: { help: 'as YAML, not JSON' } },
    run: async (input) => (await import('../openapi.ts')).openapi(input),
  },
}
