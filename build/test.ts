// What `npm test` runs: every test file in a process of its own, one more at once than processors; a part of them with
// `npm test -- test/http test/api.test.ts`. Those that take long begin first, so that none is left to run alone at the
// end.
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import chromium from '@sparticuz/chromium'
import { bundleTests } from './test-bundle.ts'

const top = join(import.meta.dirname, '..')

/** The longest first; it makes no difference to what is tested when one is missing here. */
const Long: readonly string[] = [
  'test/browser/accessible.test.ts',
  'test/server/follow.test.ts',
  'test/matrix-queries.test.ts',
  'test/hostile.test.ts',
  'test/stalls.test.ts',
  'test/exchange/netbox/import.test.ts',
  'test/matrix.test.ts',
  'test/store/answers.test.ts',
  'test/server/many-threads.test.ts',
  'test/browser/people.test.ts',
  'test/browser/racks.test.ts',
  'test/browser/addresses.test.ts',
  'test/browser/cabling.test.ts',
  'test/cli/upgrade.test.ts',
  'test/cli/serving.test.ts',
  'test/cli/logging.test.ts',
  'test/cli/damage.test.ts',
  'test/cli/kit-lock.test.ts',
  'test/web/hostile.test.ts',
  'test/web/matrix.test.ts',
  'test/services/deliveries.test.ts',
  'test/web/past.test.ts',
  'test/history/past.test.ts',
  'test/history/undo-property.test.ts',
  'test/server/threads.test.ts',
  'test/exchange/exchange.test.ts',
]

const asked = process.argv.slice(2).map((path) => relative(top, path))
const all = globSync('test/**/*.test.ts', { cwd: top })
const isAsked = (file: string) =>
  asked.length === 0 || asked.some((path) => file === path || file.startsWith(`${path}/`))
const sizeOf = (file: string) => statSync(join(top, file)).size
const rank = (file: string) => (Long.includes(file) ? Long.indexOf(file) : Long.length)
const files = all.filter(isAsked).sort((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a))
if (files.length === 0) {
  console.error(`no test file is in ${asked.join(' ')}`)
  process.exit(1)
}

process.chdir(top)
await chromium.executablePath() // unpacked once a machine: files that run side by side must not do it at once
const bundle = await bundleTests(files)
process.env.NODE_COMPILE_CACHE = bundle.compiled
process.env.CABINET_TEST_MAIN = bundle.main
// One more than processors, as some mostly wait; and no more than nine, for the memory that browsers take.
run({ files: bundle.files, concurrency: Math.min(availableParallelism(), 8) + 1, execArgv: ['--enable-source-maps'] })
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)
