import { TokenVersionChoices } from '../../choices/users.ts'
import { boolean, choice, computed, datetime, description, integer, listOf, ref, text } from '../../fields/index.ts'
import { facts } from '../../fields/facts.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { dateFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { Refused } from '../../declare/behaviour.ts'
import { behaviour, model, type RowNamed } from '../../declare/model.ts'
import { demandNoLessThan, demandNotSuperuser } from '../../rules/delegation.ts'
import { digestOf, newKey, newPlaintext } from '../../rules/tokens.ts'
import { formatAddress, networkOf, parseAddress } from '../../lib/ip.ts'

/** An address or network that may use the token; a host gets its full length. */
const network = (value: unknown) => {
  const parsed = typeof value === 'string' ? parseAddress(value) : undefined
  return parsed ? { value: formatAddress(networkOf(parsed)) } : { error: 'Enter a valid IPv4 or IPv6 network.' }
}

/** Taken by a rule on create, shown then and never again. */
const shownOnce = computed(() => 'null', { schema: { type: 'string', nullable: true } })
const plaintextField: typeof shownOnce = {
  ...shownOnce,
  readOnly: false,
  describe: (name) => facts('string', name, { required: false, readOnly: false, options: {} }),
  schema: (name) => ({ [name]: { ...shownOnce.schema(name)[name], write: { type: 'string' } } }),
}

export const token = model(
  'users.token',
  {
    version: choice(TokenVersionChoices, { default: 2, raw: true, single: true, filter: false }),
    key: text({ nullable: true, readOnly: true, unique: true }),
    user: ref('users.user', { onDelete: 'cascade', related: 'tokens' }),
    description,
    created: datetime({ readOnly: true, nullable: true, filter: false }),
    expires: datetime({ help: 'The token is refused from then on.', nullable: true, filter: false }),
    last_used: datetime({ nullable: true, filter: false }),
    enabled: boolean({ default: true }),
    write_enabled: boolean({ help: 'Without it, the token can only read.', default: true }),
    pepper_id: integer({ nullable: true, label: 'Pepper ID', min: 0, max: 32767 }),
    allowed_ips: listOf(network, {
      help: 'Addresses and networks that may use the token; all where none are named.',
      most: 1000,
      default: [],
      apiDefault: [],
      nullable: true,
      filter: false,
    }),
    token: plaintextField,
    plaintext: text({ hidden: true, secret: true, nullable: true, unique: true }),
    hmac_digest: text({ hidden: true, secret: true, nullable: true }),
  },
  {
    path: 'users/tokens',
    label: 'token',
    plural: 'tokens',
    objectName: 'Token',
    graphql: false,
    display: (t) =>
      `case when ${t}.version = 1 then '**********************************' || substr(${t}.plaintext, -6)
        else ${t}.key end`,
    brief: ['id', 'url', 'display', 'version', 'key', 'description', 'enabled', 'write_enabled'],
    order: ['-created'],
    changeLogged: false,
    past: false,
    search: { text: ['description', 'user.username'], equal: ['key'] },
    filters: {
      version: choiceFilter('version', TokenVersionChoices, { single: true, lookups: CharLookupsNoEmpty }),
      created: dateFilter('created', 'datetime', { lookups: ['gte', 'lte'], single: true }),
      expires: dateFilter('expires', 'datetime', { lookups: ['gte', 'lte'], single: true }),
      last_used: dateFilter('last_used', 'datetime', { lookups: ['gte', 'lte'], single: true }),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
    },
    pages: {
      columns: 'token version user enabled write_enabled description allowed_ips',
      filters: { Token: 'version user_id enabled write_enabled expires last_used' },
      form: { '': 'user description version enabled write_enabled expires allowed_ips' },
      bulk: 'enabled write_enabled description expires allowed_ips',
      panels: { Token: 'version key pepper_id user description enabled write_enabled expires last_used allowed_ips' },
    },
  },
)

/**
 * A grant whose constraints speak of anything but the user allows nothing: they cannot be judged before the token
 * exists.
 */
const mayGrant = (grants: readonly unknown[]): boolean =>
  grants.some(
    (grant) =>
      grant === null ||
      (Array.isArray(grant) ? grant : [grant]).every(
        (one) =>
          typeof one === 'object' && one !== null && Object.keys(one).every((key) => key.split('__')[0] === 'user'),
      ),
  )

type Reach = Pick<RowNamed<'users.token'>, 'enabled' | 'write_enabled' | 'expires' | 'allowed_ips'>
/** Whether a token opens more than before: somebody may know it who was not to use it so. */
function isWider(row: Reach, before: Reach): boolean {
  const addressesOf = ({ allowed_ips: text }: Reach) => JSON.parse(text ?? '[]') as string[]
  const [now, then] = [addressesOf(row), addressesOf(before)]
  return (
    row.enabled > before.enabled ||
    row.write_enabled > before.write_enabled ||
    (before.expires !== null && (row.expires === null || row.expires > before.expires)) ||
    (then.length > 0 && (now.length === 0 || now.some((each) => !then.includes(each))))
  )
}

/** Plaintexts of tokens made in this transaction, to be shown once. */
const fresh = new WeakMap<object, string>()

behaviour(token, {
  deleting: ({ row, tools }) => demandNotSuperuser(tools, row.user_id),
  prepare: ({ row, before, body, errors, tools }) => {
    if (before) {
      demandNotSuperuser(tools, before.user_id)
      row.user_id = before.user_id
      if (isWider(row, before)) demandNoLessThan(tools, before.user_id)
      if (row.version !== before.version) errors.__all__ = ['The version of a token cannot change.']
      if (typeof body.token === 'string' && body.token !== '') errors.token = ['The value of a token cannot change.']
      return
    }
    if (
      row.user_id !== tools.user.id &&
      tools.user.id !== null &&
      !tools.user.superuser &&
      !mayGrant(tools.constraints('grant', 'users.token'))
    ) {
      throw new Refused(403, { detail: 'This user does not have permission to create tokens for other users.' })
    }
    demandNoLessThan(tools, row.user_id)
    if (body.token !== undefined && body.token !== null && typeof body.token !== 'string')
      errors.token = ['Not a valid string.']
    const plaintext = typeof body.token === 'string' && body.token !== '' ? body.token : newPlaintext()
    row.created = tools.now
    fresh.set(row, plaintext)
    if (row.version === 1) row.plaintext = plaintext
    else {
      const [id, pepper] = Object.entries(tools.config.peppers as Record<string, string>).at(-1) ?? []
      if (!pepper) errors.version = ['No pepper is configured, so version 2 tokens cannot be made.']
      row.key = newKey()
      row.pepper_id = Number(id)
      row.hmac_digest = digestOf(plaintext, pepper ?? '')
    }
  },
  validate: ({ row, before, errors, tools }) => {
    if (!before && row.expires !== null && row.expires <= tools.now)
      errors.expires = ['Expiration time must be in the future.']
    if (!before && row.version === 1 && row.plaintext?.length !== 40)
      errors.plaintext = ['Ensure this value has exactly 40 characters.']
    if ((row.version === 1) !== (row.pepper_id === null))
      errors.__all__ = ['Tokens of version 2 have a pepper, and those of version 1 have none.']
    if (!before && row.version === 1 && tools.has('users.token', { plaintext: row.plaintext }))
      errors.token = ['A token with this value already exists.']
  },
  saved: ({ row, before, tools }) => {
    if (
      !before &&
      row.user_id !== tools.user.id &&
      tools.user.id !== null &&
      !tools.mayOn('grant', 'users.token', row.id)
    ) {
      throw new Refused(403, { detail: 'This user does not have permission to create tokens for other users.' })
    }
  },
  showOnce: ({ row }) => (fresh.has(row) ? { token: fresh.get(row) } : {}),
})
