import { json, ref } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

export const dashboard = model(
  'extras.dashboard',
  {
    user: ref('users.user', { onDelete: 'cascade', related: 'dashboard', unique: true }),
    layout: json({ default: [] }),
    config: json({ default: {} }),
  },
  {
    path: 'extras/dashboard',
    label: 'dashboard',
    plural: 'dashboards',
    objectName: 'Dashboard',
    display: 'layout',
    brief: ['id'],
    order: ['user'],
    changeLogged: false,
    displayUrl: false,
    internal: true,
    public: true,
  },
)
