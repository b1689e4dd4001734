import { parseArgs } from 'node:util'
import { loadConfig } from './config.ts'
import { startServer } from './server.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { config: { type: 'string' }, listen: { type: 'string' }, data: { type: 'string' } } })
if (positionals[0] === 'serve') {
  const config = loadConfig({ file: values.config, env: process.env, flags: { listen: values.listen, data: values.data } })
  await startServer(config)
}
process.on('SIGTERM', () => process.exit(0))
