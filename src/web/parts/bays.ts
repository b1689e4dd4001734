import { html } from 'hono/html'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Html } from '../cells.ts'
import { listHref, objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import { Here, type Visit } from '../visit.ts'

/** A bay as its row link has to know it. */
interface Bay {
  id: number
  enabled: boolean
  _occupied: boolean
  device: { id: number }
}

/** How something is put into the bays of a model: where, and who may. */
interface Installing {
  href: (visit: Visit, m: AnyModel, bay: Bay) => string
  may: (visit: Visit, isChanged: boolean) => boolean
}
/** A device is named by the bay itself, a module is made in it. */
const installing: Readonly<Record<string, Installing>> = {
  'dcim.devicebay': {
    href: (visit, m, { id }) => `${objectHref(visit, m, id, 'edit')}?_back=${Here}`,
    may: (_visit, isChanged) => isChanged,
  },
  'dcim.modulebay': {
    href: (visit, _m, { id, device }) =>
      `${listHref(visit, modelNamed('dcim.module'))}add/?device=${device.id}&module_bay=${id}&_back=${Here}`,
    may: ({ actor }) => actor.writes && may(actor, 'add', modelNamed('dcim.module')),
  },
}

/**
 * Links to put something into each of some bays that is enabled and empty, at the end of their rows. `changed`: those
 * that the user may change.
 */
export function bayLinks(
  visit: Visit,
  m: AnyModel,
  ids: readonly number[],
  changed: ReadonlySet<number>,
): (row: Row) => Html | '' {
  const install = installing[m.name]
  if (!install) return () => ''
  const members = ['id', 'enabled', '_occupied', 'device']
  const rows = visit.store.reader.rows(m, ids, { members }, visit.config.basePath)
  const bays = new Map(rows.map((text) => JSON.parse(String(text)) as Bay).map((bay) => [bay.id, bay]))
  return ({ id, display }) => {
    const bay = bays.get(id)
    if (!bay?.enabled || bay._occupied || !install.may(visit, changed.has(id))) return ''
    const href = install.href(visit, m, bay)
    return html`<a class="act word" href="${href}" aria-label="Install in ${display}">Install</a>`
  }
}
