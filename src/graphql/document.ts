import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  recommendedRules,
} from 'graphql'
import { Lru } from '../lib/lru.ts'
import { excessOf, type Limits, MaxNesting, MaxTokens, nestsTooDeep } from './limits.ts'
import { schema } from './schema.ts'

/** A document that was read, with what is wrong with it. */
interface Read {
  readonly document: DocumentNode | undefined
  readonly errors: readonly GraphQLError[]
}

/** Documents that were read lately, and the longest text that is kept. */
const known = new Lru<string, Read>(100)
const MaxKept = 20_000

/** Reads and judges a query; the same text is judged once. */
export function read(text: string, limits: Limits): Read {
  const key = `${limits.aliases} ${limits.depth} ${text}`
  const before = known.get(key)
  if (before) return before
  const made = judged(text, limits)
  if (text.length <= MaxKept) known.set(key, made)
  return made
}

function judged(text: string, limits: Limits): Read {
  const failed = (...errors: GraphQLError[]): Read => ({ document: undefined, errors })
  if (nestsTooDeep(text))
    return failed(new GraphQLError(`Syntax Error: Brackets stand more than ${MaxNesting} deep within each other.`))
  let document: DocumentNode
  try {
    document = parse(text, { maxTokens: MaxTokens })
  } catch (error) {
    if (error instanceof GraphQLError) return failed(error)
    throw error
  }
  const excess = excessOf(document, limits)
  if (excess) return { document, errors: [new GraphQLError(excess)] }
  return { document, errors: validate(schema(), document, [...specifiedRules, ...recommendedRules]) }
}

/** The operation of a document that runs: the one of a name, or the first. Undefined where there is none. */
export const operationOf = (document: DocumentNode, name: string | undefined): OperationDefinitionNode | undefined =>
  document.definitions.find(
    (each): each is OperationDefinitionNode =>
      each.kind === 'OperationDefinition' && (name === undefined || each.name?.value === name),
  )

/** Fragments of a document by name. */
export const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((each): [string, FragmentDefinitionNode][] =>
      each.kind === 'FragmentDefinition' ? [[each.name.value, each]] : [],
    ),
  )
