// What `npm run check` says: whether format, lint and types hold, the list of models is up to date, and imports go one
// way.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { misplaced, sources } from './rooms.ts'

const bin = join(import.meta.dirname, '../node_modules/.bin')
for (const [what, command] of [
  ['format and lint', [join(bin, 'biome'), 'check', '--error-on-warnings']],
  ['models index', [process.execPath, join(import.meta.dirname, 'models.ts'), '--check']],
  ['types', [join(bin, 'tsc'), '--noEmit', '-p', '.']],
] as const) {
  try {
    execFileSync(command[0], command.slice(1), { stdio: 'inherit', cwd: join(import.meta.dirname, '..') })
  } catch {
    console.error(`check failed: ${what}`)
    process.exit(1)
  }
}
const wrong = misplaced(sources())
if (wrong.length) {
  console.error(`${wrong.join('\n')}\ncheck failed: rooms`)
  process.exit(1)
}
