import { html } from 'hono/html'
import type { Face } from '../../rules/elevation-svg.ts'
import { devicesInRacks } from '../../rules/rack-contents.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { assetHref } from '../assets.ts'
import type { Html } from '../cells.ts'
import type { Filled } from '../form-page.ts'
import type { FormField, FormGroup } from '../form-fields.ts'
import { objectHref } from '../links.ts'
import type { Visit } from '../visit.ts'
import { type DrawnRack, freeIn, racksBy, seeing } from './rack-drawing.ts'

/** The form of a device: beside its position, the drawing of its rack to choose a unit in. */
export function deviceForm(visit: Visit, groups: readonly FormGroup[]): FormGroup[] {
  const rack = groups.flatMap(({ fields }) => fields).find(({ name }) => name === 'rack')
  return groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) =>
      field.name === 'position' && rack ? { ...field, after: (filled) => chooser(visit, rack, filled) } : field,
    ),
  }))
}

function chooser(visit: Visit, rack: FormField, filled: Filled): Html {
  const self = /\/(\d{1,15})\/edit\/$/.exec(visit.path)?.[1] ?? ''
  const [id = ''] = filled.texts(rack)
  const isSeen =
    /^\d{1,15}$/.test(id) && visit.store.reader.mayOn(visit.actor, 'view', modelNamed('dcim.rack'), Number(id)) === true
  const [chosen] = isSeen ? racksBy(visit, [Number(id)]) : []
  return html`<p class="choose-unit"><button type="button" data-choose-unit data-self="${self}"
    hidden>Choose in the rack</button>${
      chosen
        ? html` <a href="${objectHref(visit, modelNamed('dcim.rack'), chosen.id)}">${chosen.display}</a>
<noscript> <select name="position" aria-label="Free units"><option value="">Free units</option>${freeUnits(
            visit,
            chosen,
            Number(self),
          ).map(([unit, faces]) => html`<option value="${unit}">U${unit}, ${faces}</option>`)}</select></noscript>`
        : ''
    }</p><script src="${assetHref(visit.config.basePath, 'rack.js')}" defer></script>`
}

/** Whole units of a rack that are free, and at which faces; the device itself takes none. */
function freeUnits(visit: Visit, rack: DrawnRack, self: number): [unit: number, faces: string][] {
  const devices = devicesInRacks(seeing(visit), [rack.id]).filter(({ id }) => id !== self)
  const stretches = (['front', 'rear'] as const).map((face: Face) => [face, freeIn(rack, face, devices)] as const)
  return Array.from({ length: rack.height }, (_, i) => rack.start + rack.height - 1 - i).flatMap((unit) => {
    const faces = stretches.flatMap(([face, free]) =>
      free.some(([from, to]) => from <= unit && unit + 1 <= to) ? [face] : [],
    )
    return faces.length ? [[unit, faces.join(' and ')] as [number, string]] : []
  })
}
