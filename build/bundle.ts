// Bundles src/main.ts into one CommonJS file, dist/bundle.cjs. Not minified: an uncaught error would print the whole line.
import { join } from 'node:path'
import { build } from 'esbuild'

const top = join(import.meta.dirname, '..')
await build({
  absWorkingDir: top, entryPoints: ['src/main.ts'], outfile: 'dist/bundle.cjs', bundle: true, platform: 'node', format: 'cjs', target: 'node24',
  legalComments: 'none', logLevel: 'warning',
  define: { 'import.meta.url': '"file:///cabinet"', 'import.meta.dirname': '""' },
})
