import { openBeside, openToAdd } from '../store/data-folder.ts'
import { createToken, listTokens, revokeToken } from '../services/accounts.ts'
import { type Input, UsageError } from './command.ts'
import { printJson, printTable } from './table.ts'

/** `cabinet token add USERNAME` */
export async function addToken(input: Input): Promise<number> {
  const store = openToAdd(await input.config())
  try {
    const expires = input.text('expires')
    const header = createToken(store, input.operands[0]!, {
      version: input.flag('v1') ? 1 : 2,
      readOnly: input.flag('read-only'),
      description: input.text('description') ?? '',
      allowedIps: (input.text('allowed-ips') ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
      ...(expires === undefined ? {} : { expires }),
    })
    process.stdout.write(`${header}\n`)
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet token list` */
export async function printTokens(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  try {
    if (input.flag('json')) return printJson(listTokens(store))
    printTable(
      ['ID', 'USERNAME', 'TOKEN', 'MAY', 'STATE', 'EXPIRES', 'LAST USED', 'DESCRIPTION'],
      listTokens(store).map((token) => [
        token.id,
        token.username,
        token.shown,
        token.writes ? 'write' : 'read',
        token.enabled ? 'enabled' : 'disabled',
        token.expires ?? '-',
        token.lastUsed ?? '-',
        token.description,
      ]),
    )
    return 0
  } finally {
    store.close()
  }
}

/** `cabinet token revoke ID` */
export async function removeToken(input: Input): Promise<number> {
  const [id] = input.operands as [string]
  if (!/^\d{1,15}$/.test(id)) throw new UsageError(`${id} is not the id of a token; cabinet token list shows them`)
  const store = openBeside(await input.config())
  try {
    revokeToken(store, Number(id))
    return 0
  } finally {
    store.close()
  }
}
