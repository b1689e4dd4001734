import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql'

/** Bounds of a query that are looked at before anything else is done with it. */
export interface Limits {
  /** GRAPHQL_MAX_ALIASES; 0 for none. */
  readonly aliases: number
  /** GRAPHQL_MAX_QUERY_DEPTH; 0 for none but our own. */
  readonly depth: number
}

/** Words and signs of a document, and brackets within each other. */
export const MaxTokens = 20_000
export const MaxNesting = 200
/** Fields of a document, those of a fragment wherever it is spread; spreads and inline fragments count too. */
const MaxFields = 2000
/** Values of one list. */
const MaxValues = 10_000
/** Objects within each other. */
const MaxDepth = 120

interface Counted {
  fields: number
  aliases: number
  depth: number
}

/** Whether brackets of a text stand deeper within each other than a parser should follow. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (quote) {
      if (c === '\\') i++
      else if (text.startsWith(quote, i)) {
        i += quote.length - 1
        quote = ''
      }
    } else if (c === '"') {
      quote = text.startsWith('"""', i) ? '"""' : '"'
      i += quote.length - 1
    } else if (c === '#') {
      const end = text.slice(i).search(/[\r\n]/)
      if (end < 0) return false
      i += end
    } else if (c === '{' || c === '[' || c === '(') {
      if (++depth > MaxNesting) return true
    } else if (c === '}' || c === ']' || c === ')') depth--
  }
  return false
}

/** Why a document is more than may be asked; undefined when it is not. */
export function excessOf(document: DocumentNode, { aliases, depth }: Limits): string | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions) if (each.kind === 'FragmentDefinition') fragments.set(each.name.value, each)
  let isEmpty = false
  const counts = new Map<string, Counted>()
  const ofFragment = (name: string): Counted => {
    const known = counts.get(name)
    if (known) return known
    const nothing = { fields: 0, aliases: 0, depth: 0 }
    counts.set(name, nothing) // one that spreads itself is refused later
    const fragment = fragments.get(name)
    const counted = fragment ? ofSet(fragment.selectionSet) : nothing
    counts.set(name, counted)
    return counted
  }
  const ofSet = (set: SelectionSetNode): Counted => {
    const sum: Counted = { fields: 0, aliases: 0, depth: 0 }
    if (set.selections.length === 0) isEmpty = true
    for (const node of set.selections) {
      const inner =
        node.kind === 'FragmentSpread'
          ? ofFragment(node.name.value)
          : node.selectionSet
            ? ofSet(node.selectionSet)
            : undefined
      sum.fields += 1 + (inner?.fields ?? 0)
      sum.aliases += (node.kind === 'Field' && node.alias ? 1 : 0) + (inner?.aliases ?? 0)
      sum.depth = Math.max(sum.depth, (inner?.depth ?? 0) + (node.kind === 'Field' ? 1 : 0))
    }
    return sum
  }
  let found = { fields: 0, aliases: 0, depth: 0 }
  for (const each of document.definitions) {
    const counted =
      each.kind === 'OperationDefinition'
        ? ofSet(each.selectionSet)
        : each.kind === 'FragmentDefinition'
          ? ofFragment(each.name.value)
          : undefined
    if (!counted) continue
    const isOperation = each.kind === 'OperationDefinition'
    found = {
      fields: Math.max(found.fields, counted.fields),
      aliases: found.aliases + (isOperation ? counted.aliases : 0),
      depth: Math.max(found.depth, isOperation ? counted.depth : 0),
    }
  }
  if (isEmpty) return 'Syntax Error: A selection is empty.'
  if (aliases && found.aliases > aliases) return `${found.aliases} aliases found. Allowed: ${aliases}`
  if (depth && found.depth > depth) return `The query is ${found.depth} levels deep. Allowed: ${depth}`
  if (found.depth > MaxDepth) return `The query is ${found.depth} levels deep. Allowed: ${MaxDepth}`
  if (found.fields > MaxFields) return `The query asks for more than ${MaxFields} fields.`
  return undefined
}

/** Whether a list within a value has more values than may be compared. */
export const hasLongList = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > MaxValues || value.some(hasLongList)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasLongList)
export const LongList = `A list has at most ${MaxValues} values.`
