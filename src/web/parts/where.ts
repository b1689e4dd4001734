import { html, raw } from 'hono/html'
import { modelNamed } from '../../engine/catalog.ts'
import type { Html } from '../cells.ts'
import { controlHtml } from '../controls.ts'
import type { Visit } from '../visit.ts'
import { titleOf } from '../words.ts'
import { hereOf } from './ends.ts'
import { type Place, Places, placesOf, type Where } from './free-ports.ts'

/** What is asked of one end of a cable before its ports are shown. */
interface Asked {
  side: 'a' | 'b'
  /** Kind of object at this end. */
  type: string
  where: Where
  /** Kinds to choose from. */
  kinds: readonly string[]
  /** Id of what is drawn anew when the kind changes. */
  whole: string
}

/** The form again when something of an end changed, of which htmx takes the part of this id. */
const redraws = (visit: Visit, part: string) =>
  raw(
    ` hx-post="${hereOf(visit).replaceAll('&', '&amp;')}" hx-vals='{"_redraw":"1"}' hx-trigger="change"
    hx-include="closest form" hx-target="#${part}" hx-select="#${part}" hx-swap="outerHTML"`,
  )

/**
 * Pickers of the kind and the place of an end; what changes there draws the ports anew, without scripts by a button.
 */
export function whereHtml(visit: Visit, { side, type, where, kinds, whole }: Asked): Html {
  const name = (part: string) => `${side}_${part}`
  const picker = (place: Place): Html => {
    const { model, narrow } = Places[place]
    const own = Object.entries(narrow).filter(([, by]) => placesOf(type).includes(by))
    return html`<div class="field"><label for="f-${name(place)}">${titleOf(modelNamed(model))}</label>${controlHtml(
      visit,
      { as: 'pick', model },
      {
        name: name(place),
        values: where[place] ? [where[place]] : [],
        narrow: Object.fromEntries(own.map(([parameter, by]) => [parameter, name(by)])),
      },
    )}</div>`
  }
  return html`<div class="field"><label for="f-${name('kind')}">Kind</label><select id="f-${name('kind')}"
    name="${name('terminations_type')}"${redraws(visit, whole)}>${kinds.map(
      (each) =>
        html`<option value="${each}"${each === type ? raw(' selected') : ''}>${titleOf(modelNamed(each))}</option>`,
    )}</select><input type="hidden" name="${name('kind_before')}" value="${type}"></div><div class="where"${redraws(
      visit,
      `${side}-ports`,
    )}>${placesOf(type).map(picker)}</div><button class="redraw" name="_redraw"
    value="${side}">Show the free ports there</button>`
}
