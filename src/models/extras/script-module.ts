import { text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** Files of scripts; uploads are refused, since nothing here runs them. */
export const scriptModule = model(
  'extras.scriptmodule',
  {
    file_path: text({ readOnly: true, filter: false }),
  },
  {
    path: 'extras/scripts/upload',
    label: 'script module',
    plural: 'script modules',
    objectName: 'ScriptModule',
    display: 'file_path',
    brief: ['id', 'display'],
    order: ['file_path'],
    features: ['jobs', 'synced_data'],
    changeLogged: false,
    displayUrl: false,
    internal: true,
  },
)
