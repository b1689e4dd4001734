/** Text of a template with the members of `context` in their places. Throws for a template that cannot be rendered. */
export function renderText(template: string, context: Record<string, unknown>): string {
  if (!/\{[{%#]/.test(template)) return template
  return template.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => String(path.split('.').reduce<any>((of, name) => of?.[name], context) ?? ''))
}
