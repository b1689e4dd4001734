// Bundles src/main.ts into one CommonJS file, dist/cabinet.cjs, and each thread into another. Without white space,
// since every thread holds the text; names stay, and lines stay short, for what an error prints.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { inAscii } from './ascii.ts'

/**
 * The server of hono, without what it loads and never uses here: node's HTTP/2, to ask whether a request is one of its
 * own (5 ms of the start), and node's fetch (30 ms), which waits for its first use in build/late-fetch.ts.
 */
const lighter: Plugin = {
  name: 'lighter',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http2$/ }, ({ importer }) => {
      if (!importer.includes('@hono/node-server')) throw new Error(`${importer} would be without HTTP/2`)
      return { path: 'http2', namespace: 'none' }
    })
    onLoad({ filter: /^http2$/, namespace: 'none' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {}',
    }))
    onLoad({ filter: /@hono\/node-server\/dist\/index\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const [request, response] = ['Request', 'Response'].map(
        (name) => String.raw`Object\.defineProperty\(global, "${name}", \{ value: (${name}\$?\d*) \}\);`,
      )
      const put = new RegExp(String.raw`${request}\s*${response}`)
      if (!put.test(text)) throw new Error('@hono/node-server sets its classes in another way: see build/late-fetch.ts')
      return { contents: text.replace(put, 'putLighter($1, $2);') }
    })
  },
}
const lateClasses = ['Headers', 'Request', 'Response']

/**
 * Modules of node of which the server calls nothing until it answers, or nothing ever: each is loaded when one of its
 * functions is first called, 5 ms of the start in all.
 */
const later: Plugin = {
  name: 'later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(?:https|child_process|fs\/promises)$/ }, ({ path, importer }) =>
      importer.includes('node_modules') ? undefined : { path, namespace: 'later' },
    )
    onLoad({ filter: /./, namespace: 'later' }, async ({ path }) => {
      const functions = Object.entries((await import(path)) as object).filter(
        ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name) && name !== 'default',
      )
      return {
        contents: functions
          .map(
            ([name]) =>
              `export const ${name} = (...given) => ` +
              `process.getBuiltinModule(${JSON.stringify(path)}).${name}(...given)`,
          )
          .join('\n'),
      }
    })
  },
}

const common = {
  absWorkingDir: join(import.meta.dirname, '..'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  legalComments: 'none',
  minifyWhitespace: true,
  lineLimit: 200,
  logLevel: 'warning',
} as const
const { metafile } = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/cabinet.cjs',
  metafile: true,
  plugins: [lighter, later],
  inject: ['build/late-fetch.ts'],
  define: {
    'import.meta.url': '"file:///cabinet"',
    'import.meta.dirname': '""',
    'globalThis.CloseEvent': 'undefined', // of WebSockets, which are not served
    ...Object.fromEntries(
      lateClasses.flatMap((name) => [`global.${name}`, `globalThis.${name}`].map((at) => [at, name])),
    ),
  },
})
const late = Object.values(metafile.outputs).flatMap(({ imports }) =>
  imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
)
if (late.length > 0)
  throw new Error(
    `an executable with a code cache cannot import at run time: use process.getBuiltinModule for ${late.join(', ')}`,
  )

// In ASCII, which takes half the memory and no decoding; esbuild leaves other letters in templates, expressions and
// comments.
const file = join(common.absWorkingDir, 'dist/cabinet.cjs')
writeFileSync(file, `(function (exports, require, module) {${inAscii(readFileSync(file, 'utf8'))}\n})\n`)

await build({ ...common, entryPoints: ['src/start.cts'], outfile: 'dist/start.cjs' })

// The threads of src/lib/workers, each with all it needs.
for (const thread of ['report', 'git', 's3', 'jinja', 'parse', 'form', 'map', 'sql', 'checkpoint'])
  await build({ ...common, entryPoints: [`src/lib/workers/${thread}.ts`], outfile: `dist/worker-${thread}.cjs` })
