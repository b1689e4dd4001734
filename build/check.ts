// What `npm run check` says: whether format, lint and types hold, the list of models is up to date, imports go one way,
// nothing is exported in vain, and lines end where they should. What can be looked at side by side is.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules, needless } from './exports.ts'
import { misplaced, sources } from './rooms.ts'

const bin = join(import.meta.dirname, '../node_modules/.bin')
const top = join(import.meta.dirname, '..')
const options = { cwd: top, maxBuffer: 64 * 1024 * 1024 }

/** What a program says; empty where it finds nothing wrong. */
const complaints = (program: string, ...given: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, given, options, (error, said, faults) => resolve(error ? said + faults || error.message : ''))
  })

/** Letters that a line has at most; those of templates, which no formatter breaks, as well. */
const MaxLetters = 120
const longLines = (): string[] =>
  globSync(['{src,test,build}/**/*.ts', '*.ts'], { cwd: top }).flatMap((file) =>
    readFileSync(join(top, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => (line.length > MaxLetters ? [`${file}:${i + 1} has ${line.length} letters`] : [])),
  )

const begun = [
  ['format and lint', complaints(join(bin, 'biome'), 'check', '--error-on-warnings')],
  ['models index', complaints(process.execPath, join(import.meta.dirname, 'models.ts'), '--check')],
  ['types', complaints(join(bin, 'tsc'), '--noEmit', '-p', '.')],
  ['rooms', misplaced(sources()).join('\n')],
  ['exports', needless(modules()).join('\n')],
  ['lines', longLines().join('\n')],
] as const
for (const [what, said] of begun) {
  const wrong = await said
  if (!wrong) continue
  console.error(`${wrong}\ncheck failed: ${what}`)
  process.exitCode = 1
}
