import { raw } from 'hono/html'

/** Attributes by which a part of a form is drawn anew, of what the form holds, when some of its fields change. */
export const redrawnBy = (id: string, href: string, names: readonly string[]) =>
  raw(
    ` id="${id}" hx-post="${href}" hx-vals='{"_redraw":"1"}' hx-include="closest form" hx-trigger="${names
      .map((name) => `change from:#f-${name}`)
      .join(', ')}" hx-target="#${id}" hx-select="#${id}" hx-swap="outerHTML" hx-push-url="false"`,
  )
