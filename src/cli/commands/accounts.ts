import { type Command, json } from '../command.ts'

/** Commands about users and their tokens. */
export const accounts: Readonly<Record<string, Command>> = {
  'user add': {
    summary: 'make a user',
    operands: ['NAME'],
    options: { superuser: { help: 'who may do everything' } },
    details: 'The password is asked for on a terminal, and else read from CABINET_PASSWORD or standard input.',
    run: async (input) => (await import('../users.ts')).addUser(input),
  },
  'user passwd': {
    summary: "set a user's password",
    operands: ['NAME'],
    details: 'The password is asked for on a terminal, and else read from CABINET_PASSWORD or standard input.',
    run: async (input) => (await import('../users.ts')).changePassword(input),
  },
  'user promote': {
    summary: 'make a user an administrator',
    operands: ['NAME'],
    run: async (input) => (await import('../users.ts')).promoteUser(input, true),
  },
  'user demote': {
    summary: 'make an administrator a user like others',
    operands: ['NAME'],
    run: async (input) => (await import('../users.ts')).promoteUser(input, false),
  },
  'user link': {
    summary: 'connect a user with an account of the OpenID provider',
    operands: ['NAME', 'SUBJECT'],
    details: 'SUBJECT is what the provider calls the account (the claim sub); a sign-on that is refused shows it.',
    run: async (input) => (await import('../users.ts')).linkUser(input),
  },
  'user login': {
    summary: 'print a path that logs a user in once, whatever else is asked of them',
    operands: ['NAME'],
    details:
      'For who is locked out: it asks neither for a password nor for a second factor, and works with local_login ' +
      '= false.',
    run: async (input) => (await import('../users.ts')).printLogin(input),
  },
  'user drop-factor': {
    summary: "take a user's second factor away",
    operands: ['NAME'],
    run: async (input) => (await import('../users.ts')).dropFactor(input),
  },
  'user list': {
    summary: 'list users',
    options: json,
    run: async (input) => (await import('../users.ts')).printUsers(input),
  },
  'token add': {
    summary: 'make an API token and print the header that uses it, once',
    operands: ['USERNAME'],
    options: {
      'read-only': { help: 'a token that changes nothing' },
      v1: { help: 'the older form, stored as it is' },
      description: { value: 'TEXT', help: 'what it is for' },
      expires: { value: 'TIME', help: 'when it ends, as 2030-12-31T23:59:59Z' },
      'allowed-ips': { value: 'LIST', help: 'addresses and networks that may use it, with commas' },
    },
    run: async (input) => (await import('../tokens.ts')).addToken(input),
  },
  'token list': {
    summary: 'list API tokens',
    options: json,
    run: async (input) => (await import('../tokens.ts')).printTokens(input),
  },
  'token revoke': {
    summary: 'delete an API token',
    operands: ['ID'],
    run: async (input) => (await import('../tokens.ts')).removeToken(input),
  },
}
