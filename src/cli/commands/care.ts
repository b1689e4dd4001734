import type { Command } from '../command.ts'

/** Commands that look after a data folder. */
export const care: Readonly<Record<string, Command>> = {
  backup: {
    summary: 'write database, secrets and uploads to one file, also while a server runs',
    operands: ['FILE'],
    options: {
      verify: { help: 'open what was written, and look through its database' },
      at: { value: 'MOMENT', help: 'the database as it was: 2026-11-01T12:00:00Z, --at=-7d, or the id of a request' },
    },
    details:
      'The exit code is 4 where --verify finds that uploaded files which rows name are missing; FILE is written.',
    run: async (input) => (await import('../backup.ts')).backup(input),
  },
  restore: {
    summary: 'fill an empty data folder from a backup',
    operands: ['FILE'],
    options: { force: { help: 'replace what the folder holds' } },
    run: async (input) => (await import('../restore.ts')).restore(input),
  },
  check: {
    summary: 'look for damage: integrity, references, and all that is worked out from other data',
    options: {
      repair: { help: 'set right what can be worked out' },
      quick: { help: 'look at the pages of the file alone' },
      'take-back': { help: 'and take back references to what is not there; rows that cannot be without go' },
    },
    details:
      'The exit code is 0 when nothing is wrong or all was repaired, 3 where --quick finds damage, else 1. ' +
      'Uploaded files that are missing are a warning.',
    run: async (input) => (await import('../check.ts')).check(input),
  },
  config: {
    summary: 'print the configuration in force, without secrets',
    details:
      'What cannot be used of it is named, and then the exit code is 2; permissions that allow nothing are warnings.',
    run: async (input) => (await import('../config.ts')).printConfig(input),
  },
}
