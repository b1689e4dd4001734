import { join } from 'node:path'

/** The program as the tests start it: the bundle of all its sources that `npm test` has just made, else the sources. */
export const main = process.env.CABINET_TEST_MAIN ?? join(import.meta.dirname, '../../src/main.ts')
