import { Version } from '../lib/version.ts'
import { type Command, wrapped } from './command.ts'
import { accounts } from './commands/accounts.ts'
import { care } from './commands/care.ts'
import { exchange } from './commands/exchange.ts'
import { kits } from './commands/kits.ts'
import { programs } from './commands/programs.ts'
import { serving } from './commands/serving.ts'

/** Commands about all commands. */
const about: Readonly<Record<string, Command>> = {
  completion: {
    summary: 'print what has a shell complete commands, options, files and models',
    operands: ['SHELL'],
    details: 'SHELL is bash, zsh or fish; the first lines of what is printed say where it goes.',
    run: async (input) => (await import('./shells.ts')).printCompletion(input, commands),
  },
  manual: {
    summary: 'print the manual page, for man',
    details: 'cabinet manual > /usr/local/share/man/man1/cabinet.1',
    run: async () => print((await import('./shells.ts')).manualOf(commands).trimEnd()),
  },
  version: { summary: 'print the version', run: () => print(Version) },
}

/** Commands by what they are about, in the order of the overview. */
const groups: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  'Run a server': serving,
  'Users and tokens': accounts,
  'Care for the data': care,
  'Bring data in, take them out': exchange,
  'Work without a network': kits,
  'For programs and shells': { ...programs, ...about },
}

/** Every command by its words. What it does is imported when it runs, so that the others start at once. */
export const commands: Readonly<Record<string, Command>> = Object.assign({}, ...Object.values(groups))

function print(line: string): number {
  process.stdout.write(`${line}\n`)
  return 0
}

/** What `cabinet --help` prints: all commands, or those that begin with a word. */
export function overview(word?: string): string {
  const shown = Object.entries(groups)
    .map(([title, group]) => ({
      title,
      rows: Object.entries(group)
        .filter(([name]) => word === undefined || name.startsWith(`${word} `))
        .map(([name, { operands = [], optional = [], summary }]) => ({
          form: ['cabinet', name, ...operands, ...optional.map((each) => `[${each}]`)].join(' '),
          summary,
        })),
    }))
    .filter(({ rows }) => rows.length > 0)
  const width = Math.max(...shown.flatMap(({ rows }) => rows.map(({ form }) => form.length)))
  const parts = shown.map(({ title, rows }) =>
    [title, ...rows.map(({ form, summary }) => `  ${form.padEnd(width)}  ${summary}`)].join('\n'),
  )
  return [
    `Cabinet ${Version}: infrastructure inventory from one file.`,
    ...parts,
    wrapped('Each command has --help. Exit codes: 0 done, 1 failed, 2 called wrongly or wrongly configured.'),
  ]
    .join('\n\n')
    .concat('\n')
}
