import { html } from 'hono/html'
import type { Html } from './cells.ts'

/** Heads of columns of numbers, and of what can be done with a row. */
export const numberHead = (text: string): Html => html`<th scope="col" class="number">${text}</th>`
export const actionsHead = html`<th scope="col"><span class="unseen">Actions</span></th>`

/**
 * A table that scrolls sideways where there is no room: its name, which is read out, the texts or cells at the head of
 * its columns, and its rows. `isFocusable`: by keyboard too, for one that has few links or none.
 */
export const plainTable = (
  name: string,
  heads: readonly (string | Html)[],
  rows: readonly Html[],
  { isFocusable = false, kind }: { isFocusable?: boolean; kind?: string } = {},
): Html => {
  const region = isFocusable ? html` tabindex="0" role="region" aria-label="${name}"` : ''
  const head = heads.map((each) => (typeof each === 'string' ? html`<th scope="col">${each}</th>` : each))
  const caption = html`<caption class="unseen">${name}</caption>`
  const body = html`${caption}<thead><tr>${head}</tr></thead><tbody>${rows}</tbody>`
  return html`<div class="scroll"${region}><table${kind ? html` class="${kind}"` : ''}>${body}</table></div>`
}
