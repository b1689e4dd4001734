import { readFileSync } from 'node:fs'
import { createToken, createUser, listTokens, listUsers, revokeToken, setPassword } from '../domain/accounts.ts'
import { weaknessOf } from '../domain/passwords.ts'
import { openShared } from '../server.ts'
import { configFrom, parse } from './options.ts'

const password = (): string => {
  const given = process.env.CABINET_PASSWORD ?? readFileSync(0, 'utf8').trim()
  if (!given) throw new Error('no password: give it in CABINET_PASSWORD or on standard input')
  const weakness = weaknessOf(given)
  if (weakness) process.stderr.write(`warning: ${weakness}\n`)
  return given
}

/** `cabinet user …` */
export function accounts(args: readonly string[]): number {
  const { values, positionals: [verb, name] } = parse(args, [], ['superuser'])
  const store = openShared(configFrom(values))
  try {
    if (verb === 'list') for (const user of listUsers(store)) process.stdout.write(`${user.id}\t${user.username}\t${user.superuser ? 'administrator' : 'user'}\t${user.active ? 'active' : 'inactive'}\n`)
    else if (verb === 'add' && name) process.stdout.write(`${createUser(store, name, password(), values.superuser === true)}\n`)
    else if (verb === 'passwd' && name) {
      if (!setPassword(store, name, password())) throw new Error(`no user ${name}`)
    } else return usage('user add NAME | passwd NAME | list')
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet token …` */
export function tokens(args: readonly string[]): number {
  const { values, positionals: [verb, name] } = parse(args, ['description'], ['read-only'])
  const store = openShared(configFrom(values))
  try {
    if (verb === 'list') for (const token of listTokens(store)) process.stdout.write(`${token.id}\t${token.username}\t${token.shown}\t${token.description}\n`)
    else if (verb === 'add' && name) {
      const user = listUsers(store).find((each) => each.username === name)
      if (!user) throw new Error(`no user ${name}`)
      process.stdout.write(`${createToken(store, user.id, undefined, { writeEnabled: values['read-only'] !== true, description: String(values.description ?? '') })}\n`)
    } else if (verb === 'revoke' && name) {
      if (!revokeToken(store, Number(name))) throw new Error(`no token ${name}`)
    } else return usage('token add USERNAME | list | revoke ID')
    return 0
  } finally {
    store.close()
  }
}

const usage = (form: string): number => {
  process.stderr.write(`cabinet: usage: cabinet ${form}\n`)
  return 2
}
