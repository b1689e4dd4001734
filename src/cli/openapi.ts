import { stringify } from 'yaml'
import { document } from '../http/schema.ts'
import type { Input } from './command.ts'

/** `cabinet openapi` */
export async function openapi(input: Input): Promise<number> {
  const { basePath } = await input.config()
  const content = document(basePath || '/')
  process.stdout.write(
    input.flag('yaml') ? stringify(content, { aliasDuplicateObjects: false }) : `${JSON.stringify(content, null, 1)}\n`,
  )
  return 0
}
