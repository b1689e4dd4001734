import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Visit } from './visit.ts'

/** Whether pages offer the user to add an object of a model. */
export const mayMake = (visit: Visit, m: AnyModel): boolean =>
  !m.pages?.madeBy && (m.methods ?? ['POST']).includes('POST') && visit.actor.writes && may(visit.actor, 'add', m)
