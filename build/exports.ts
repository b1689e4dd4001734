// What files export, and which of it no other file imports. `npm run check` names that.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const Declared =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm
const Listed = /^export (?:type )?\{([^}]*)\}(?! from)/gm
const Named = /^(?:import|export) (?:type )?(?:[\w$]+, )?\{([^}]*)\} from '(\.[^']+)'/gm
const Whole = /^(?:import|export) (?:type )?\* (?:as [\w$]+ )?from '(\.[^']+)'/gm
const Late = /\bimport\('(\.[^']+)'\)|require\('(\.[^']+)'\)/gm

/** The names in braces of an import (before `as`) or an export (after it). */
const namesIn = (list: string, at: 0 | -1): string[] =>
  list
    .split(',')
    .map(
      (each) =>
        each
          .replace(/^\s*type /, '')
          .trim()
          .split(' as ')
          .at(at)!,
    )
    .filter(Boolean)

/** One sentence for each name that a file of src or test exports and no other file imports; files by their path. */
export function needless(files: ReadonlyMap<string, string>): string[] {
  const taken = new Set<string>()
  const words = new Map<string, Set<string>>()
  const whole = new Set<string>()
  for (const [file, text] of files) {
    const target = (path: string) => normalize(join(dirname(file), path))
    for (const [, names, path] of text.matchAll(Named))
      for (const name of namesIn(names!, 0)) taken.add(`${target(path!)} ${name}`)
    for (const [, path] of text.matchAll(Whole)) whole.add(target(path!)) // names may be put together
    for (const [, late, required] of text.matchAll(Late)) {
      const path = target((late ?? required)!)
      words.set(path, new Set([...(words.get(path) ?? []), ...(text.match(/[\w$]+/g) ?? [])]))
    }
  }
  const exporting = [...files].filter(([file]) => /^(?:src|test)\//.test(file) && !whole.has(file))
  return exporting.flatMap(([file, text]) =>
    [...text.matchAll(Declared)]
      .map(([, name]) => name!)
      .concat([...text.matchAll(Listed)].flatMap(([, names]) => namesIn(names!, -1)))
      .filter((name) => !taken.has(`${file} ${name}`) && !words.get(file)?.has(name))
      .map((name) => `${file} exports "${name}", which no other file imports: leave the word export away.`),
  )
}

/** All files of the project that import or are imported, by their path. */
export function modules(): Map<string, string> {
  const root = join(import.meta.dirname, '..')
  return new Map(
    ['src', 'test', 'build', 'bench']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
      )
      .concat('drizzle.config.ts')
      .filter((file) => /(?<!\.d)\.(?:[cm]?ts|mjs)$/.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
}
