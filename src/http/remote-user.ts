import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { knownUser, type Said, signOn, SignOnRefused, type SignOnRules } from '../services/sign-on.ts'
import type { Store } from '../store/open.ts'
import { peerOf, trustedBy } from './origin.ts'
import type { Env } from './request.ts'

/** A header by the name that CGI gives it, or its own: `HTTP_REMOTE_USER` is `remote-user`. */
const headerOf = (name: string): string =>
  name
    .replace(/^HTTP_/, '')
    .replaceAll('_', '-')
    .toLowerCase()

/** What a header says; node reads its bytes as Latin-1, and proxies write UTF-8. */
function textOf(incoming: IncomingMessage, name: string): string | undefined {
  const given = incoming.headers[headerOf(name)]
  if (typeof given !== 'string' || given === '') return undefined
  const bytes = Buffer.from(given, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? given : text
}

/**
 * Finds the user that a trusted proxy names in its header, and leaves their id, or why there is none, in the context.
 */
export function remoteUser(store: Store, config: Config): MiddlewareHandler<Env> {
  const isTrusted = trustedBy(config)
  return async (c, next) => {
    const { incoming } = c.env ?? {}
    const said = incoming && isTrusted(peerOf(incoming)) && !c.req.header('authorization') && saidIn(incoming, config)
    if (said) c.set('remoteUser', await userOf(store, said, rulesOf(config, said)))
    return next()
  }
}

async function userOf(store: Store, said: Said, rules: SignOnRules): Promise<number | string> {
  try {
    return knownUser(store, said, rules) ?? (await signOn(store, said, rules))
  } catch (error) {
    if (error instanceof SignOnRefused) return error.message
    throw error
  }
}

/** What a proxy's headers say of the user; undefined where they name none. */
function saidIn(incoming: IncomingMessage, config: Config): Said | undefined {
  const username = textOf(incoming, config.remoteAuthHeader)?.normalize('NFKC')
  if (username === undefined) return undefined
  const groups = textOf(incoming, config.remoteAuthGroupHeader) ?? ''
  return {
    issuer: '',
    subject: username.slice(0, 255),
    username,
    email: textOf(incoming, config.remoteAuthEmail),
    firstName: textOf(incoming, config.remoteAuthFirstName),
    lastName: textOf(incoming, config.remoteAuthLastName),
    groups: config.remoteAuthGroupSync ? groups.split(config.remoteAuthGroupSeparator).filter(Boolean) : undefined,
  }
}

function rulesOf(config: Config, { username, groups = [] }: Said): SignOnRules {
  const { remoteAuthSuperusers: names, remoteAuthSuperuserGroups: ofGroups } = config
  const isDecided = names.length > 0 || (config.remoteAuthGroupSync && ofGroups.length > 0)
  return {
    creates: config.remoteAuthCreateUser,
    takes: 'any', // as the reference does: the proxy is believed
    isByName: true,
    createsGroups: config.remoteAuthCreateGroups,
    superuser: isDecided ? names.includes(username) || groups.some((group) => ofGroups.includes(group)) : undefined,
    groups: config.remoteAuthDefaultGroups,
    permissions: config.remoteAuthDefaultPermissions,
  }
}
