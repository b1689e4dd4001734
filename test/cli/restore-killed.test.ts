import assert from 'node:assert/strict'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { admin, ask, namesIn, run, scratch, start } from '../support/cli.ts'

const folder = scratch()
const [before, file] = [join(folder, 'before'), join(folder, 'file')]

/** A folder with one site, and a file of the uploads that says its name. */
async function make(data: string, slug: string): Promise<void> {
  const server = await start(data)
  assert.equal((await ask(server.base, 'POST', '/api/dcim/sites/', { name: slug, slug })).status, 201)
  writeFileSync(join(data, 'uploads', `${slug}.txt`), slug)
  await server.end('SIGKILL') // its log stays beside the database
}
await make(before, 'old')
await make(join(folder, 'source'), 'new')
assert.equal((await run(['backup', file, '--data', join(folder, 'source')])).code, 0)

/** The site that a folder holds, which must have its own file; a command may be the first to open it. */
async function held(data: string, byCommand: boolean): Promise<string> {
  if (byCommand) assert.equal((await run(['user', 'list', '--data', data])).code, 0)
  const server = await start(data, { env: { ...admin, CABINET_SUPERUSER_API_TOKEN: '' } })
  const { json } = await ask(server.base, 'GET', '/api/dcim/sites/?fields=slug')
  await server.end('SIGTERM')
  const [site] = json.results as { slug: string }[]
  assert.equal(json.count, 1)
  assert.deepEqual(namesIn(join(data, 'uploads')), [`${site!.slug}.txt`])
  return site!.slug
}

test('a restore that is killed leaves what was there, or goes on with the next start', {
  skip: process.env.CABINET_TEST_EXECUTABLE !== undefined, // takes no --import
}, async () => {
  const seen: string[] = []
  for (const at of [1, 2, 5, 7, 8, 10, Infinity]) {
    const data = join(folder, `at-${at}`)
    cpSync(before, data, { recursive: true })
    const hook = join(import.meta.dirname, '../support/kill-at-rename.mjs')
    const env = { NODE_OPTIONS: `--import=${hook}`, CABINET_TEST_RENAME: String(at) }
    const { code, stderr } = await run(['restore', file, '--data', data, '--force'], { env })
    assert.equal(code, at === Infinity ? 0 : null, stderr)
    seen.push(await held(data, at % 2 === 0))
    assert.deepEqual(
      namesIn(data).filter((name) => name.startsWith('.re')),
      [],
    )
    assert.ok(existsSync(join(data, 'peppers.json')))
  }
  const first = seen.indexOf('new')
  assert.equal(first, 1, String(seen)) // decided by the first rename
  assert.deepEqual(new Set(seen.slice(first)), new Set(['new']))
})
