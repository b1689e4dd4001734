import { ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** A code that stands for a one-time code, once: it is deleted when it is used. */
export const recoveryCode = model(
  'users.recoverycode',
  {
    user: ref('users.user', { onDelete: 'cascade', related: 'recovery_codes' }),
    digest: text({ max: 64, unique: true, secret: true }),
  },
  {
    path: 'users/recovery-codes',
    label: 'recovery code',
    plural: 'recovery codes',
    objectName: 'RecoveryCode',
    display: 'digest',
    brief: ['id', 'user'],
    order: ['id'],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: 'own',
  },
)
