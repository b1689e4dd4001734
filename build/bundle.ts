// Bundles src/main.ts into one CommonJS file, dist/cabinet.cjs, and each thread into another. Not minified: it would start no sooner, and an uncaught error would print the whole line.
import { join } from 'node:path'
import { build } from 'esbuild'

const common = {
  absWorkingDir: join(import.meta.dirname, '..'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  legalComments: 'none',
  logLevel: 'warning',
} as const
const { metafile } = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/cabinet.cjs',
  metafile: true,
  define: { 'import.meta.url': '"file:///cabinet"', 'import.meta.dirname': '""' },
})
const late = Object.values(metafile.outputs).flatMap(({ imports }) =>
  imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
)
if (late.length > 0)
  throw new Error(
    `an executable with a code cache cannot import at run time: use process.getBuiltinModule for ${late.join(', ')}`,
  )

// The threads of src/lib/workers, each with all it needs.
for (const thread of ['git', 'jinja', 'slow', 'form', 'map'])
  await build({ ...common, entryPoints: [`src/lib/workers/${thread}.ts`], outfile: `dist/worker-${thread}.cjs` })
// The application again, for the threads that share its work.
await build({
  ...common,
  entryPoints: ['src/server/app-thread.ts'],
  outfile: 'dist/worker-app.cjs',
  define: { 'import.meta.url': '"file:///cabinet"', 'import.meta.dirname': '""' },
})
