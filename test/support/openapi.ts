import { dereference, validate } from '@cfworker/json-schema'

/** The methods of a path that are operations. */
const Verbs = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Every operation of an OpenAPI document with its path and method. */
export const operationsOf = (doc: any): { path: string; verb: string; operation: any }[] =>
  Object.entries<any>(doc.paths).flatMap(([path, item]) =>
    Verbs.filter((verb) => item[verb]).map((verb) => ({ path, verb, operation: item[verb] })),
  )

/** Where the document is said to be, so that schemas outside it can refer to its components. */
const Document = 'https://cabinet.test/schema'

/** The JSON schema of an OpenAPI 3.0 one that takes neither undeclared members nor leaves declared ones out. */
function strict(schema: any): any {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, properties, items, allOf, oneOf, anyOf, additionalProperties, $ref, ...rest } = schema
  const made = {
    ...rest,
    ...($ref ? { $ref: Document + $ref } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: strict(additionalProperties) } : {}),
    ...(items ? { items: strict(items) } : {}),
    ...(allOf ? { allOf: strict(allOf) } : {}),
    ...(oneOf ? { oneOf: strict(oneOf) } : {}),
    ...(anyOf ? { anyOf: strict(anyOf) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, strict(each)])),
          required: Object.keys(properties),
          additionalProperties: false,
        }
      : {}),
  }
  return nullable ? { anyOf: [{ type: 'null' }, made] } : made
}

/** A function that answers what of a value differs from a schema of the document. */
export function checker(doc: any): (schema: any, value: unknown) => string[] {
  const schemas: Record<string, any> = {}
  for (const [name, each] of Object.entries(doc.components.schemas)) schemas[name] = strict(each)
  const lookup = dereference({ components: { schemas } } as never, {}, new URL(Document))
  return (schema, value) => {
    const wanted = strict(schema)
    const known = dereference(wanted, Object.create(lookup), new URL('https://cabinet.test/answer'))
    const { errors } = validate(value, wanted, '2020-12', known, false)
    return errors
      .filter(({ keyword }) => !['properties', 'items', '$ref', 'allOf', 'anyOf', 'oneOf'].includes(keyword))
      .map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
  }
}
