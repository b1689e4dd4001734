// What `npm test` runs: the test files, one process more at once than processors; a part of them with
// `npm test -- test/http test/api.test.ts`. Some files of a folder share a process, one after another: a third of a
// short one's time goes to reading and compiling what it tests. Those that take long have one of their own, and begin
// first, so that none is left to run alone at the end.
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import chromium from '@sparticuz/chromium'
import { bundleTests, isSociable } from './test-bundle.ts'

const top = join(import.meta.dirname, '..')

/** So many files share a process; files of different folders do not. */
const Together = 8

/** The longest first; it makes no difference to what is tested when one is missing here. */
const Long: readonly string[] = [
  'test/browser/accessible.test.ts',
  'test/server/follow.test.ts',
  'test/history/kit-every-reference.test.ts',
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
const rank = (file: string) =>
  Long.includes(file) ? Long.indexOf(file) : Long.length + Number(!file.startsWith('test/history/')) // kits take long
const files = all.filter(isAsked).sort((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a))
if (files.length === 0) {
  console.error(`no test file is in ${asked.join(' ')}`)
  process.exit(1)
}

/** Files by the process that they run in. */
function groups(): string[][] {
  const found: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    const [folder, isAlone] = [dirname(file), Long.includes(file) || !isSociable(file)]
    const group = isAlone ? undefined : open.get(folder)
    if (group !== undefined && group.length < Together) group.push(file)
    else {
      found.push([file])
      if (!isAlone) open.set(folder, found.at(-1)!)
    }
  }
  return found
}

process.chdir(top)
await chromium.executablePath() // unpacked once a machine: files that run side by side must not do it at once
const bundle = await bundleTests(groups())
process.env.NODE_COMPILE_CACHE = bundle.compiled
process.env.CABINET_TEST_MAIN = bundle.main
// One more than processors, as some mostly wait; and no more than nine, for the memory that browsers take.
run({ files: bundle.files, concurrency: Math.min(availableParallelism(), 8) + 1, execArgv: ['--enable-source-maps'] })
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)
