import { randomBytes } from 'node:crypto'
import { boolean, datetime, description, integer, json, ref, text } from '../../fields/index.ts'
import { booleanFilter } from '../../filters/boolean.ts'
import { Refused } from '../../declare/behaviour.ts'
import { behaviour, model } from '../../declare/model.ts'

/**
 * A copy of this inventory that is taken along and brought back. Its id is its number: what is made in it has ids from
 * that number times 10^8 on, so that a number is never given twice.
 */
export const kit = model(
  'core.kit',
  {
    name: text({
      unique: true,
      max: 100,
      pattern: { regex: /^[\p{L}\p{N}_.-]+$/u, message: 'Letters, digits, and . - _ only.' },
    }),
    description,
    user: ref('users.user', { onDelete: 'set null', related: 'kits', readOnly: true }),
    created: datetime({ readOnly: true, nullable: true, filter: false }),
    last_seen: datetime({ readOnly: true, nullable: true, filter: false }),
    cabinet_version: text({ label: 'Version', readOnly: true, blank: true, filter: false }),
    pushed: integer({ label: 'Pushes', readOnly: true, default: 0, filter: false }),
    with_secrets: boolean({ help: 'It was given passwords, tokens and keys as well.', default: false, filter: false }),
    revoked: boolean({ help: 'Nothing is taken from it or given to it any more.', default: false }),
    /** The last step of the journal that it knows of, and when that was. */
    step: integer({ hidden: true, default: 0 }),
    step_time: text({ hidden: true, blank: true }),
    /** Ids of what was taken from it, in order. */
    pushes: json({ hidden: true, default: [] }),
    /** Signs what goes to and fro as files. */
    key: text({ hidden: true, secret: true, blank: true }),
  },
  {
    path: 'core/kits',
    label: 'kit',
    plural: 'kits',
    objectName: 'Kit',
    own: true,
    public: false,
    graphql: false,
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    changeLogged: false,
    past: false,
    permissions: ['sync'],
    search: { text: ['name', 'description'] },
    filters: { revoked: booleanFilter('revoked') },
    pages: {
      madeBy: 'cabinet clone',
      columns: 'name user created last_seen pushed revoked description',
      filters: { Kit: 'user_id revoked' },
      form: { Kit: 'name description revoked' },
      bulk: 'revoked description',
      panels: { Kit: 'name description user created last_seen cabinet_version pushed with_secrets revoked' },
    },
  },
)

/** The largest number of a kit: the index of the search has 38 bits for an id, and each kit has 10^8 of them. */
const LastNumber = 2747

behaviour(kit, {
  prepare: ({ row, before, errors, tools }) => {
    if (before) {
      if (row.with_secrets !== before.with_secrets) errors.with_secrets = ['What a kit was given cannot change.']
      return
    }
    if (!tools.user.superuser) throw new Refused(403, { detail: 'Only administrators make kits.' })
    row.user_id = tools.user.id
    row.created = tools.now
    row.key = randomBytes(32).toString('base64url')
  },
  saved: ({ row }) => {
    if (row.id > LastNumber)
      throw new Refused(400, { detail: `There can be ${LastNumber} kits, and there were as many.` })
  },
})
