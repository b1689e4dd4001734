import { type Context, createContext, Script } from 'node:vm'

let made: { sandbox: Context; script: Script } | undefined

/** Work was cut off because it took too long. */
export class TooSlow extends Error {
  constructor() {
    super('it takes too long')
  }
}

/** Runs `work`, which calls only JavaScript, and cuts it off after some milliseconds. Throws `TooSlow` then. */
export function within<T>(milliseconds: number, work: () => T): T {
  made ??= { sandbox: createContext({ work: () => {} }), script: new Script('work()') }
  const { sandbox, script } = made
  let result: T
  sandbox.work = () => {
    result = work()
  }
  try {
    script.runInContext(sandbox, { timeout: milliseconds })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TooSlow() : error
  }
  return result!
}
