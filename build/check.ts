// What `npm run check` says: whether format, lint and types hold, the list of models is up to date, imports go one way,
// and nothing is exported in vain. What can be looked at side by side is.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { modules, needless } from './exports.ts'
import { misplaced, sources } from './rooms.ts'

const bin = join(import.meta.dirname, '../node_modules/.bin')
const options = { cwd: join(import.meta.dirname, '..'), maxBuffer: 64 * 1024 * 1024 }

/** What a program says; empty where it finds nothing wrong. */
const complaints = (program: string, ...given: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, given, options, (error, said, faults) => resolve(error ? said + faults || error.message : ''))
  })

const begun = [
  ['format and lint', complaints(join(bin, 'biome'), 'check', '--error-on-warnings')],
  ['models index', complaints(process.execPath, join(import.meta.dirname, 'models.ts'), '--check')],
  ['types', complaints(join(bin, 'tsc'), '--noEmit', '-p', '.')],
  ['rooms', misplaced(sources()).join('\n')],
  ['exports', needless(modules()).join('\n')],
] as const
for (const [what, said] of begun) {
  const wrong = await said
  if (!wrong) continue
  console.error(`${wrong}\ncheck failed: ${what}`)
  process.exitCode = 1
}
