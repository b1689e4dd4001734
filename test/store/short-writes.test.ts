import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const uploads = new URL('../../src/store/uploads.ts', import.meta.url).href
const upload = new URL('../../src/lib/upload.ts', import.meta.url).href

/** Keeps a file of 200 kB where files may have 64 kB, as on a disk that has so much left. */
const Program = `
  import { keep } from ${JSON.stringify(uploads)}
  import { Upload } from ${JSON.stringify(upload)}
  try {
    keep(process.argv[1], 'images', new Upload('a.png', Buffer.alloc(200_000, 1)))
    console.log('kept')
  } catch (error) {
    console.log(error.code)
  }`

test('a file of which the disk takes a part alone is refused, and leaves nothing', {
  skip: process.platform !== 'linux' && 'needs the bounds of Linux',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-short-'))
  try {
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', Program, folder],
      { encoding: 'utf8' },
    )
    assert.equal(stdout.trim(), 'EFBIG', stderr)
    assert.deepEqual(readdirSync(join(folder, 'images')), [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
