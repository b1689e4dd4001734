// Puts the tests and what they test into few files, so that a process of a test starts in a third of the time: 800
// sources need not be found, read and compiled one by one. Made anew for every run of `npm test`; a single test runs
// from its sources as well.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { makeFresh } from './fresh.ts'

const top = join(import.meta.dirname, '..')
const made = join(top, 'dist/tests')

/**
 * A path that is only known when it is imported leads to sources; what imports it must be of sources too, or everything
 * is there twice.
 */
const importsSources = (file: string) => /\bimport\((?!['"])/.test(readFileSync(join(top, file), 'utf8'))

/** A test that listens to its process, or sets the clock of it. */
const takesProcess = (file: string) => /\bprocess\.on\(|(?<!\bt\.)\bmock\./.test(readFileSync(join(top, file), 'utf8'))

/** Whether a test file may run in one process with others. */
export const isSociable = (file: string): boolean => !importsSources(file) && !takesProcess(file)

/** Replaces what must be there. */
function put(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`build/test-bundle.ts looks for ${what} in a source that has it no more`)
  return text.replaceAll(what, by)
}

/**
 * Sources know their own place; of a new data folder there is the database, as in an executable; threads are of the
 * bundle.
 */
const placed: Plugin = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|test|build)\/.*\.ts$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8')
      if (path === join(top, 'src/lib/assets.ts'))
        contents = put(contents, "drizzle: 'drizzle',", "drizzle: 'drizzle', fresh: 'dist/tests/fresh',")
      if (path === join(top, 'src/lib/threads.ts'))
        contents = `${put(contents, "join(import.meta.dirname, '..', ", 'ofBundle(')}
const ofBundle = (file: string) => join(${JSON.stringify(made)}, 'src', file.replace(/ts$/, 'mjs'))`
      const own = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href }
      for (const [name, value] of Object.entries(own))
        contents = contents.replaceAll(`import.meta.${name}`, JSON.stringify(value))
      return { contents, loader: 'ts' }
    })
  },
}

/** Where a test file, or src/main.ts, stands in the bundle. */
const bundled = (file: string) => join(made, file.replace(/\.ts$/, '.mjs'))

const runner = 'test/support/together.ts'

/** Writes what runs a group of files of the bundle in one process; answers its path. */
function together(group: readonly string[], number: number): string {
  const file = join(made, `group-${number}.mjs`)
  const urls = group.map((each) => [each, pathToFileURL(bundled(each)).href])
  writeFileSync(file.replace(/mjs$/, 'json'), JSON.stringify(Object.fromEntries(urls)))
  writeFileSync(file, `import ${JSON.stringify(pathToFileURL(bundled(runner)).href)}\n`)
  return file
}

/**
 * Bundles groups of test files and the program; answers the files to run in their stead, one for each group, the
 * program, and a folder for what V8 compiles.
 */
export async function bundleTests(
  groups: readonly (readonly string[])[],
): Promise<{ files: string[]; main: string; compiled: string }> {
  rmSync(made, { recursive: true, force: true })
  mkdirSync(join(made, 'fresh'), { recursive: true })
  makeFresh(join(made, 'fresh/cabinet.db.zst'), 1)
  const { devDependencies } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const fit = groups.flat().filter((file) => !importsSources(file))
  const main = 'src/main.ts'
  await build({
    absWorkingDir: top,
    entryPoints: [...fit, runner, main, 'src/server/app-thread.ts', ...globSync('src/lib/workers/*.ts', { cwd: top })],
    outdir: made,
    outbase: top,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    external: ['better-sqlite3', '@node-rs/argon2', ...Object.keys(devDependencies)],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [placed],
  })
  return {
    files: groups.map(([file, ...more], i) => {
      if (more.length) return together([file!, ...more], i)
      return fit.includes(file!) ? bundled(file!) : join(top, file!)
    }),
    main: bundled(main),
    compiled: join(made, 'compiled'),
  }
}
