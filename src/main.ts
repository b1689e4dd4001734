import { commands, usage } from './cli/commands.ts'
import { ConfigError } from './config.ts'
import { Version } from './version.ts'

/** A mistake in how the command was called: exit code 2. */
const isUsage = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ?? false

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usage())
    return name === undefined ? 2 : 0
  }
  if (name === '--version') {
    process.stdout.write(`${Version}\n`)
    return 0
  }
  const command = commands[name]
  if (!command) {
    process.stderr.write(`cabinet: unknown command ${name}; cabinet --help lists them\n`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${command.help}\n`)
    return 0
  }
  try {
    return await command.run(rest)
  } catch (error) {
    process.stderr.write(`cabinet: ${(error as Error).message.split('\n')[0]}\n`)
    return isUsage(error) || error instanceof ConfigError ? 2 : 1
  }
}

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
