import { openBeside, openToAdd } from '../store/data-folder.ts'
import {
  AccountError,
  createUser,
  linkIdentity,
  listUsers,
  LoginKeyLasts,
  loginKey,
  setPassword,
  setSuperuser,
  userNamed,
} from '../services/accounts.ts'
import { turnOffNow } from '../services/second-factor.ts'
import { weaknessOf } from '../rules/passwords.ts'
import type { Input } from './command.ts'
import { readSecret } from './prompt.ts'
import { printJson, printTable } from './table.ts'

/** `cabinet user add NAME` */
export async function addUser(input: Input): Promise<number> {
  const store = openToAdd(await input.config())
  try {
    const [name] = input.operands as [string]
    const id = createUser(store, name, await newPassword(name), input.flag('superuser'))
    process.stdout.write(`${id}\n`)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet user passwd NAME` */
export async function changePassword(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  try {
    const { username } = userNamed(store, input.operands[0]!)
    setPassword(store, username, await newPassword(username))
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet user promote NAME` and `cabinet user demote NAME` */
export async function promoteUser(input: Input, superuser: boolean): Promise<number> {
  const store = openBeside(await input.config())
  try {
    setSuperuser(store, input.operands[0]!, superuser)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet user link NAME SUBJECT` */
export async function linkUser(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  try {
    const [name, subject] = input.operands as [string, string]
    linkIdentity(store, name, subject)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet user login NAME` */
export async function printLogin(input: Input): Promise<number> {
  const config = await input.config()
  const store = openBeside(config)
  try {
    const key = loginKey(store, input.operands[0]!)
    process.stdout.write(`${config.basePath}/login/once/?key=${key}\n`)
    process.stderr.write(`counts once, within ${LoginKeyLasts} minutes; put the address of the server before it\n`)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet user drop-factor NAME` */
export async function dropFactor(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  try {
    const { id, username } = userNamed(store, input.operands[0]!)
    if (!turnOffNow(store, id)) throw new AccountError(`${username} has no second factor`)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet user list` */
export async function printUsers(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  try {
    if (input.flag('json')) return printJson(listUsers(store))
    printTable(
      ['ID', 'USERNAME', 'KIND', 'STATE', 'LAST LOGIN'],
      listUsers(store).map((user) => [
        user.id,
        user.username,
        user.superuser ? 'administrator' : 'user',
        user.active ? 'active' : 'inactive',
        user.lastLogin ?? '-',
      ]),
    )
    return 0
  } finally {
    store.close()
  }
}

async function newPassword(username: string): Promise<string> {
  const password = await readSecret(`New password for ${username}: `, 'CABINET_PASSWORD')
  const weakness = weaknessOf(password)
  if (weakness) process.stderr.write(`warning: weak password: ${weakness}\n`)
  return password
}
