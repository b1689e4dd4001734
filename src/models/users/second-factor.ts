import { datetime, integer, ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** What a user's one-time codes are made of. */
export const secondFactor = model(
  'users.secondfactor',
  {
    user: ref('users.user', { onDelete: 'cascade', related: 'second_factors' }),
    /** Sealed with a secret that the database does not hold. */
    secret: text({ max: 500, secret: true }),
    /** The step of time of the code that was used last: neither it nor one before it counts again. */
    step: integer({ default: 0 }),
    created: datetime(),
  },
  {
    path: 'users/second-factors',
    label: 'second factor',
    plural: 'second factors',
    objectName: 'SecondFactor',
    display: 'created',
    brief: ['id'],
    order: ['created'],
    unique: [{ fields: ['user'] }],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: 'own',
  },
)
