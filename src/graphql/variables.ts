import type { getVariableValues } from 'graphql'

/** Values of variables as graphql-js has them. */
export type VariableValues = Extract<
  ReturnType<typeof getVariableValues>,
  { variableValues: unknown }
>['variableValues']
