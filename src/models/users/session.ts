import { boolean, datetime, ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

export const session = model(
  'users.session',
  {
    digest: text({ max: 64, unique: true, secret: true }),
    user: ref('users.user', { onDelete: 'cascade', related: 'sessions' }),
    expires: datetime(),
    /** When it began; not known of sessions from before this was kept. */
    created: datetime({ nullable: true }),
    /** To the minute, about. */
    last_used: datetime({ nullable: true }),
    /** From where it was used last. */
    address: text({ blank: true }),
    /** What the browser called itself when it began. */
    agent: text({ blank: true, max: 300 }),
    /** Whether an OpenID provider said who it is. */
    by_provider: boolean({ default: false }),
  },
  {
    path: 'users/sessions',
    label: 'session',
    plural: 'sessions',
    objectName: 'Session',
    display: 'digest',
    brief: ['id'],
    order: ['expires'],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: 'own',
  },
)
