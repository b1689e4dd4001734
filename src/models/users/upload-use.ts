import { integer, ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** How many bytes of files a user has sent on a day. */
export const uploadUse = model(
  'users.uploaduse',
  {
    user: ref('users.user', { onDelete: 'cascade', related: 'upload_uses' }),
    /** In UTC, `2026-11-22`. */
    day: text({ max: 10 }),
    bytes: integer({ default: 0, max: Number.MAX_SAFE_INTEGER }),
  },
  {
    path: 'users/upload-uses',
    label: 'upload use',
    plural: 'upload uses',
    objectName: 'UploadUse',
    display: 'day',
    brief: ['id'],
    order: ['day'],
    unique: [{ fields: ['user', 'day'] }],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: 'own',
  },
)
