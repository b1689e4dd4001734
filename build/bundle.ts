// Bundles src/main.ts into one CommonJS file, dist/app/cabinet.cjs. Not minified: an uncaught error would print the whole line.
import { join } from 'node:path'
import { build } from 'esbuild'

await build({
  absWorkingDir: join(import.meta.dirname, '..'), entryPoints: ['src/main.ts'], outfile: 'dist/app/cabinet.cjs',
  bundle: true, platform: 'node', format: 'cjs', target: 'node24', legalComments: 'none', logLevel: 'warning',
  define: { 'import.meta.url': '"file:///cabinet"', 'import.meta.dirname': '__dirname' },
})
