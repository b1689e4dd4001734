import { integer, ref, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

/** An object on a path, so that the paths through an object are found by an index. */
export const cablePathNode = model(
  'dcim.cablepathnode',
  {
    path: ref('dcim.cablepath', { onDelete: 'cascade', related: false }),
    node_type: text({ max: 100 }),
    node_id: integer(),
  },
  {
    path: 'dcim/cable-path-nodes',
    label: 'cable path node',
    plural: 'cable path nodes',
    objectName: 'CablePathNode',
    display: (t) => `${t}.node_type || ':' || ${t}.node_id`,
    brief: ['id'],
    order: [],
    unique: [{ fields: ['node_type', 'node_id', 'path'] }],
    changeLogged: false,
    displayUrl: false,
    internal: 'own',
  },
)
