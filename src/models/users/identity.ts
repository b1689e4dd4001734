import { datetime, ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** Whom a provider of sign-on, or a proxy, calls by a name that stays the same, and the user here who that is. */
export const identity = model(
  'users.identity',
  {
    /** Address of an OpenID provider; empty for the proxy that names users in a header. */
    issuer: text({ blank: true, max: 500 }),
    subject: text({ max: 255 }),
    user: ref('users.user', { onDelete: 'cascade', related: 'identities' }),
    /** Digest of what was said of the user last, so that the same said again changes nothing. */
    said: text({ blank: true, max: 64 }),
    created: datetime(),
    last_used: datetime({ nullable: true }),
  },
  {
    path: 'users/identities',
    label: 'identity',
    plural: 'identities',
    objectName: 'Identity',
    display: 'subject',
    brief: ['id'],
    order: ['subject'],
    unique: [{ fields: ['issuer', 'subject'] }],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: 'own',
  },
)
