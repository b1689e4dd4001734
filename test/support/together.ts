// Runs several test files of the bundle in this process, each as a suite. One is only read when that before is over, as
// reading it starts its servers: node:test would read all of them at once.
import { readFileSync } from 'node:fs'
import { after, describe } from 'node:test'
import { endFile } from './endings.ts'

/** What `build/test-bundle.ts` writes beside the file that node was started with: URLs by the names of sources. */
const group = JSON.parse(readFileSync(process.argv[1]!.replace(/mjs$/, 'json'), 'utf8')) as Record<string, string>

for (const [name, url] of Object.entries(group)) {
  const over = Promise.withResolvers<void>()
  void describe(name, () => {
    after(async () => {
      await endFile()
      over.resolve()
    })
    return import(url)
  })
  await over.promise
}
