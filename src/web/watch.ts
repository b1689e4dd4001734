import { html } from 'hono/html'
import { lastChange } from '../http/change-texts.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { assetHref } from './assets.ts'
import type { Html } from './cells.ts'
import { hasPage, objectHref } from './links.ts'
import type { Visit } from './visit.ts'

/**
 * Where a page says that an object, or an object of a list, was changed since it was made; a script fills it while the
 * page is seen. Nothing for whoever may not see changes, and for pages of the past.
 */
export function watched(visit: Visit, m: AnyModel, kind: 'object' | 'form' | 'list', id?: number): Html | '' {
  const { basePath } = visit.config
  const isTold = m.changeLogged !== false && visit.actor.userId !== null && !visit.at
  if (!isTold || !may(visit.actor, 'view', modelNamed('core.objectchange'))) return ''
  const query = new URLSearchParams({ changed_object_type: m.name })
  if (id !== undefined) query.set('changed_object_id', String(id))
  return html`<p class="watch" role="status" data-watch="${basePath}/api/core/object-changes/stream/?${query}"
    data-after="${lastChange(visit.store)}" data-kind="${kind}"${
      id === undefined || !hasPage(m) ? '' : html` data-page="${objectHref(visit, m, id)}"`
    }></p><script src="${assetHref(basePath, 'watch.js')}" defer></script>`
}
