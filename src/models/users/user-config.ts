import { json, ref } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

export const userConfig = model(
  'users.userconfig',
  {
    user: ref('users.user', { onDelete: 'cascade', related: 'config', unique: true }),
    data: json({ default: {} }),
  },
  {
    path: 'users/user-configs',
    label: 'user preferences',
    plural: 'user preferences',
    objectName: 'UserConfig',
    display: 'data',
    brief: ['id'],
    order: ['user'],
    changeLogged: false,
    past: false,
    displayUrl: false,
    internal: true,
  },
)
