import { text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** Files that the service runs; none here. Its name is known so that permissions may speak of it. */
export const managedFile = model(
  'core.managedfile',
  {
    file_path: text({ readOnly: true, filter: false }),
  },
  {
    path: 'core/managed-files',
    label: 'managed file',
    plural: 'managed files',
    objectName: 'ManagedFile',
    display: 'file_path',
    brief: ['id'],
    order: ['file_path'],
    features: ['synced_data'],
    changeLogged: false,
    displayUrl: false,
    internal: true,
  },
)
