import { Version } from '../version.ts'
import { accounts, tokens } from './accounts.ts'
import { backup, restore } from './backup.ts'
import { check } from './check.ts'
import { configFrom, parse } from './options.ts'

export interface Command { summary: string; help: string; run: (args: readonly string[]) => Promise<number> | number }

const common = `
  --config FILE        configuration (TOML); see config.example.toml
  --data DIR           data folder (default ./data, or CABINET_DATA)`

/** Every command, by name. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    summary: 'serve the data folder until SIGTERM',
    help: `cabinet serve [--listen ADDR:PORT] [--data DIR] [--config FILE]
${common}
  --listen ADDR:PORT   where to listen (default 127.0.0.1:8080, or CABINET_LISTEN)`,
    run: async (args) => {
      const { values } = parse(args, ['listen'])
      const config = configFrom(values)
      const { startServer } = await import('../server.ts')
      const running = await startServer(config)
      process.stderr.write(`cabinet ${Version} serves http${config.tlsCertificate ? 's' : ''}://${running.address.includes(':') ? `[${running.address}]` : running.address}:${running.port}${config.basePath}/\n`)
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
      })
      await running.close()
      return 0
    },
  },
  user: { summary: 'add, passwd, list', help: `cabinet user add NAME [--superuser] | passwd NAME | list\n  The password is read from CABINET_PASSWORD or from standard input.\n${common}`, run: accounts },
  token: { summary: 'add, list, revoke', help: `cabinet token add USERNAME [--read-only] [--description TEXT] | list | revoke ID\n${common}`, run: tokens },
  backup: { summary: 'write database and uploads to one file, while serving', help: `cabinet backup FILE\n${common}`, run: backup },
  restore: { summary: 'fill an empty data folder from a backup', help: `cabinet restore FILE [--force]\n  --force              replace what the folder holds\n${common}`, run: restore },
  check: { summary: 'look for damage; --repair what can be derived', help: `cabinet check [--repair]\n${common}`, run: check },
  config: {
    summary: 'print the configuration in force', help: `cabinet config\n${common}`,
    run: (args) => {
      const { peppers, ...shown } = configFrom(parse(args, []).values)
      process.stdout.write(`${JSON.stringify({ ...shown, peppers: Object.keys(peppers) }, null, 2)}\n`)
      return 0
    },
  },
  openapi: {
    summary: 'print the OpenAPI document', help: 'cabinet openapi',
    run: async () => {
      const { document } = await import('../api/schema.ts')
      process.stdout.write(`${JSON.stringify(document('http://127.0.0.1:8080'), null, 1)}\n`)
      return 0
    },
  },
  version: { summary: 'print the version', help: 'cabinet version', run: () => (process.stdout.write(`${Version}\n`), 0) },
}

/** What `--help` prints. */
export const usage = (): string =>
  `Cabinet ${Version}: infrastructure inventory from one file.\n\n${Object.entries(commands).map(([name, c]) => `  cabinet ${name.padEnd(9)} ${c.summary}`).join('\n')}\n\n  cabinet COMMAND --help says more.\n`
