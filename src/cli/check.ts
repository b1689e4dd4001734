import { openBeside } from '../data-folder.ts'
import { checks } from '../domain/checks.ts'
import type { Input } from './command.ts'

/** Problems of one check that are printed; the rest is counted. */
const Shown = 20

/** `cabinet check`: 0 when nothing is wrong or all was repaired, 1 otherwise. */
export async function check(input: Input): Promise<number> {
  const store = openBeside(await input.config())
  const repair = input.flag('repair')
  let left = 0
  try {
    for (const { name, run } of checks) {
      if (process.stdout.isTTY) process.stdout.write(`${name} …\r`) // a check holds the process until it is done
      const { problems, repaired } = repair ? store.commit.now(() => run(store, true)) : run(store, false)
      process.stdout.write(
        `${name}: ${problems.length === 0 ? 'ok' : `${problems.length} wrong${repaired ? `, ${repaired} repaired` : ''}`}\n`,
      )
      for (const problem of problems.slice(0, Shown)) process.stdout.write(`  ${problem}\n`)
      if (problems.length > Shown) process.stdout.write(`  … and ${problems.length - Shown} more\n`)
      left += problems.length - repaired
    }
    return left > 0 ? 1 : 0
  } finally {
    store.close()
  }
}
