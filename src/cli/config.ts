import { ConfigError, toToml } from '../config.ts'
import { idlePermissions, ruleFaults } from '../services/config-faults.ts'
import type { Input } from './command.ts'

/** `cabinet config`: what is in force. Throws `ConfigError` for what no server would take. */
export async function printConfig(input: Input): Promise<number> {
  const config = await input.config()
  for (const line of idlePermissions(config)) process.stderr.write(`warning: ${line}\n`)
  const faults = ruleFaults(config)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  process.stdout.write(toToml(config))
  return 0
}
