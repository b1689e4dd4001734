import { checks } from '../domain/checks.ts'
import { openShared } from '../server.ts'
import { configFrom, parse } from './options.ts'

/** `cabinet check`: 0 when nothing is wrong (or all was repaired), 1 otherwise. */
export function check(args: readonly string[]): number {
  const { values } = parse(args, [], ['repair'])
  const store = openShared(configFrom(values))
  try {
    let left = 0
    for (const { name, run } of checks) {
      const { problems, repaired } = store.commit.now(() => run(store, values.repair === true))
      process.stdout.write(`${name}: ${problems.length === 0 ? 'ok' : `${problems.length} problems, ${repaired} repaired`}\n`)
      for (const problem of problems.slice(0, 20)) process.stdout.write(`  ${problem}\n`)
      left += problems.length - repaired
    }
    return left > 0 ? 1 : 0
  } finally {
    store.close()
  }
}
