import { render } from '../lib/jinja.ts'

/**
 * Text of a Jinja template with the members of `context` in their places; what is undefined is empty. `asker` takes
 * turns with others. Rejects for a template that cannot be rendered.
 */
export async function renderText(template: string, context: Record<string, unknown>, asker: string): Promise<string> {
  if (!/\{[{%#]/.test(template)) return template
  return render({ source: template, context: JSON.stringify(context), params: { undefined: 'Undefined' } }, asker)
}
