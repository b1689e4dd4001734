// Random histories of field kits, one seed after the other, with pushes that are killed.
//   node test/history/kit-long.mjs MINUTES
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const end = Date.now() + (Number(process.argv[2]) || 10) * 60_000
const file = join(import.meta.dirname, 'kit-property.test.ts')
let [runs, failed] = [0, 0]
while (Date.now() < end) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const env = {
    CABINET_TEST_ROUNDS: '8',
    CABINET_TEST_SIZE: '100',
    ...process.env,
    CABINET_TEST_SEED: String(seed),
    CABINET_TEST_KILLS: '1',
  }
  const { status, stdout } = spawnSync(process.execPath, ['--test', file], { env, encoding: 'utf8' })
  runs++
  if (status !== 0) failed++
  process.stdout.write(
    status === 0 ? `${stdout.split('\n').find((line) => line.includes('seed ')) ?? seed}\n` : `${stdout}\n`,
  )
  for (const line of stdout.split('\n')) if (line.includes('conflicts')) process.stdout.write(`${line}\n`)
}
process.stdout.write(`${runs} runs, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
