import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import { noSuchPage } from '../http/request.ts'
import type { Visit } from './visit.ts'

/** Whether pages offer the user to add an object of a model. */
export const mayMake = (visit: Visit, m: AnyModel): boolean =>
  !m.pages?.madeBy && (m.methods ?? ['POST']).includes('POST') && visit.actor.writes && may(visit.actor, 'add', m)

/** 404 for pages that would do what clients of the API cannot do to objects of a model, whoever they are. */
export function demandTaken(m: AnyModel, method: 'POST' | 'PATCH' | 'DELETE'): void {
  if (m.methods && !m.methods.includes(method)) throw noSuchPage()
}
