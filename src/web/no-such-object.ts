import { html } from 'hono/html'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { ApiError } from '../http/request.ts'
import type { Html } from './cells.ts'
import { listHref } from './links.ts'
import { countOf } from './related.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** 404 for an object that is not there, or that the user may not view: nobody learns which. */
export class NoSuchObject extends ApiError {
  readonly m: AnyModel
  readonly id: number | undefined

  constructor(m: AnyModel, id?: number) {
    super(404, { detail: `There is no such ${m.label}, or you may not view it.` })
    this.m = m
    this.id = id
  }
}

/** Where to go on from there: the list, and what the change log knows of it that the user may view. */
export function waysOn(visit: Visit, { m, id }: NoSuchObject): Html {
  const log = modelNamed('core.objectchange')
  const query = new URLSearchParams({ changed_object_type: m.name, changed_object_id: String(id) })
  const isKnown = id !== undefined && may(visit.actor, 'view', log) && countOf(visit, log, query) > 0
  const list = may(visit.actor, 'view', m)
  return html`${list ? html`<a class="button primary" href="${listHref(visit, m)}">${pluralOf(m)}</a> ` : ''}${
    isKnown ? html`<a class="button" href="${listHref(visit, log)}?${query}">What became of it</a> ` : ''
  }`
}
