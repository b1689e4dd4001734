/** Names with dots between double braces; all that is known here until templates proper are. */
const Plain = /\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}/g

/** Text of a template with the members of `context` in their places. Rejects for a template that cannot be rendered. */
export async function renderText(template: string, context: Record<string, unknown>): Promise<string> {
  if (!/\{[{%#]/.test(template)) return template
  if (/\{[{%#]/.test(template.replace(Plain, ''))) throw new Error('This server renders names between double braces only, no other parts of templates.')
  return template.replace(Plain, (_, path: string) => {
    const value = path.split('.').reduce<unknown>((of, name) => (typeof of === 'object' && of !== null && Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined), context)
    return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}
