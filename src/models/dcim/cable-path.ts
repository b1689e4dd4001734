import { boolean, json, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** A traced path: steps of "app.model:id" from its origins on, and where it leads when it is complete. */
export const cablePath = model(
  'dcim.cablepath',
  {
    path: json(),
    is_complete: boolean({ default: false }),
    is_active: boolean({ default: false }),
    is_split: boolean({ default: false }),
    destination_type: text({ nullable: true, max: 100 }),
    destinations: json(),
  },
  {
    path: 'dcim/cable-paths',
    label: 'cable path',
    plural: 'cable paths',
    objectName: 'CablePath',
    display: (t) => `'Path #' || ${t}.id`,
    brief: ['id'],
    order: [],
    changeLogged: false,
    displayUrl: false,
    internal: true,
  },
)
