import { datetime, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** What counts once and was used: the state of a sign-on. It is kept until it would count no more anyway. */
export const spent = model(
  'users.spent',
  { digest: text({ max: 64, unique: true, secret: true }), expires: datetime() },
  {
    path: 'users/spent',
    label: 'spent secret',
    plural: 'spent secrets',
    objectName: 'Spent',
    display: 'digest',
    brief: ['id'],
    order: ['expires'],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: 'own',
  },
)
