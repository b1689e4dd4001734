import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isUnionType,
  type SelectionSetNode,
} from 'graphql'
import type { VariableValues } from './variables.ts'
import { schema } from './schema.ts'

/** The operation that runs: its fragments by name, and the values of its variables. */
export interface Operation {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: VariableValues
}

/** Fields that selections ask of an object of a type, by the keys of the answer; those of one key are merged. */
export function fieldsIn(
  typeName: string,
  sets: readonly SelectionSetNode[],
  operation: Operation,
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (!isIncluded(node, operation)) continue
      if (node.kind === 'Field') {
        const key = node.alias?.value ?? node.name.value
        const known = fields.get(key)
        if (known) known.push(node)
        else fields.set(key, [node])
      } else if (node.kind === 'InlineFragment') {
        if (!node.typeCondition || applies(node.typeCondition.name.value, typeName)) collect(node.selectionSet)
      } else if (!seen.has(node.name.value)) {
        seen.add(node.name.value)
        const fragment = operation.fragments.get(node.name.value)
        if (fragment && applies(fragment.typeCondition.name.value, typeName)) collect(fragment.selectionSet)
      }
    }
  }
  for (const set of sets) collect(set)
  return fields
}

/** What fields of one key ask of the objects they lead to. */
export const below = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.map(({ selectionSet }) => selectionSet).filter((set) => set !== undefined)

function applies(condition: string, typeName: string): boolean {
  if (condition === typeName) return true
  const type = schema().getType(condition)
  return isUnionType(type) && type.getTypes().some(({ name }) => name === typeName)
}

function isIncluded(
  node: { readonly directives?: readonly DirectiveNode[] | undefined },
  { variables }: Operation,
): boolean {
  if (!node.directives?.length) return true
  const asked = node as { readonly directives?: readonly DirectiveNode[] }
  if (getDirectiveValues(GraphQLSkipDirective, asked, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, asked, variables)?.if !== false
}
