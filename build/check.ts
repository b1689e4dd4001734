// What `npm run check` says: whether format, lint and types hold, the list of models is up to date, imports go one way,
// and nothing is exported in vain.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { modules, needless } from './exports.ts'
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
for (const [what, wrong] of [
  ['rooms', misplaced(sources())],
  ['exports', needless(modules())],
] as const) {
  if (!wrong.length) continue
  console.error(`${wrong.join('\n')}\ncheck failed: ${what}`)
  process.exit(1)
}
