import { type Command, type Input, optionsOf, UsageError, usageOf } from './command.ts'
import { Version } from '../lib/version.ts'
import { addTo } from '../lib/lists.ts'

type Commands = Readonly<Record<string, Command>>

/** What may follow a command: its options, those that take a value, and what its operands are. */
interface Words {
  name: string
  summary: string
  options: { flag: string; help: string; value: string | undefined }[]
  /** Whether an operand is a file or folder, or the name of a model. */
  takes: { files: boolean; models: boolean }
}

const wordsOf = (commands: Commands): Words[] =>
  Object.entries(commands).map(([name, command]) => {
    const operands = [...(command.operands ?? []), ...(command.optional ?? [])]
    return {
      name,
      summary: command.summary,
      options: Object.entries(optionsOf(command)).map(([option, { help, value }]) => ({
        flag: `--${option}`,
        help,
        value,
      })),
      takes: { files: operands.some((each) => /^(?:FILE|DIR)$/.test(each)), models: operands.includes('MODEL') },
    }
  })

/** A text in single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const quotedFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
const isPath = (value: string | undefined): boolean => value === 'FILE' || value === 'DIR'

/** First words, and second words by first word where a command has two. */
function starts(all: readonly Words[]): { first: string[]; second: Map<string, string[]> } {
  const second = new Map<string, string[]>()
  for (const { name } of all) {
    const [one, two] = name.split(' ') as [string, string?]
    addTo(second, one, ...(two ? [two] : []))
  }
  return { first: [...second.keys()], second }
}

function bash(all: readonly Words[], models: readonly string[]): string {
  const { first, second } = starts(all)
  const pairs = [...second].filter(([, words]) => words.length > 0)
  const paths = new Set(
    all.flatMap(({ options }) => options.flatMap(({ flag, value }) => (isPath(value) ? [flag] : []))),
  )
  const values = new Set(all.flatMap(({ options }) => options.flatMap(({ flag, value }) => (value ? [flag] : []))))
  return `# cabinet completion bash > /etc/bash_completion.d/cabinet
_cabinet() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} name=\${COMP_WORDS[1]} files= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${first.join(' ')} --help --version`)} -- "$cur"))
    return
  fi
  case $name in
${pairs
  .map(
    ([word, next]) => `    ${word})
      if [ "$COMP_CWORD" -eq 2 ]; then words=${quoted(next.join(' '))}; fi
      case " ${next.join(' ')} " in
        *" \${COMP_WORDS[2]} "*) if [ "$COMP_CWORD" -gt 2 ]; then name="$name \${COMP_WORDS[2]}"; fi;;
      esac;;`,
  )
  .join('\n')}
  esac
  case $prev in
    ${[...paths].join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return;;
    ${[...values].filter((flag) => !paths.has(flag)).join('|')}) return;;
  esac
  case $name in
${all
  .map(({ name, options, takes }) => {
    const offered = [...options.map(({ flag }) => flag), ...(takes.models ? models : [])].join(' ')
    return `    ${quoted(name)}) words="$words "${quoted(offered)}${takes.files ? '; files=1' : ''};;`
  })
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ -n "$files" ]; then case $cur in -*) ;; *) COMPREPLY+=($(compgen -f -- "$cur"));; esac; fi
}
complete -o filenames -F _cabinet cabinet
`
}

/** That of bash, which zsh runs by its own means. */
const zsh = (all: readonly Words[], models: readonly string[]): string => `#compdef cabinet
# cabinet completion zsh > "\${fpath[1]}/_cabinet"
autoload -U +X bashcompinit && bashcompinit
${bash(all, models).split('\n').slice(1).join('\n')}`

function fish(all: readonly Words[], models: readonly string[]): string {
  const { first, second } = starts(all)
  const summaryOf = (name: string) => all.find((each) => each.name === name)?.summary ?? ''
  const lines = ['# cabinet completion fish > ~/.config/fish/completions/cabinet.fish', 'complete -c cabinet -f']
  const add = (when: string, rest: string) => lines.push(`complete -c cabinet -n ${quotedFish(when)} ${rest}`)
  for (const word of first) add('__fish_use_subcommand', `-a ${word} -d ${quotedFish(summaryOf(word))}`)
  for (const [word, next] of second)
    for (const two of next)
      add(
        `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${next.join(' ')}`,
        `-a ${two} -d ${quotedFish(summaryOf(`${word} ${two}`))}`,
      )
  for (const { name, options, takes } of all) {
    const when = name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')
    for (const { flag, help, value } of options)
      add(when, `-l ${flag.slice(2)}${value ? (isPath(value) ? ' -r -F' : ' -x') : ''} -d ${quotedFish(help)}`)
    if (takes.models) add(when, `-a ${quotedFish(models.join(' '))}`)
    if (takes.files) add(when, '-F')
  }
  return `${lines.join('\n')}\n`
}

const Shells: Readonly<Record<string, typeof bash>> = { bash, zsh, fish }

/** `cabinet completion SHELL`: prints what has a shell complete commands, options, files and models. */
export async function printCompletion(input: Input, commands: Commands): Promise<number> {
  const [shell] = input.operands as [string]
  const write = Object.hasOwn(Shells, shell) ? Shells[shell] : undefined
  if (!write) throw new UsageError(`${shell} is none of ${Object.keys(Shells).join(', ')}`)
  const { allModels } = await import('../engine/catalog.ts')
  const models = allModels.filter((m) => !m.internal).map(({ name }) => name)
  process.stdout.write(write(wordsOf(commands), models))
  return 0
}

/** A text as roff has it. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)

/** The manual page of all commands, for `man`. */
export function manualOf(commands: Commands): string {
  const all = wordsOf(commands)
  const common = new Set(['--config', '--data', '--help'])
  const optionLines = (options: Words['options']): string[] =>
    options.flatMap(({ flag, help, value }) => [
      '.TP',
      `\\fB${roff(flag)}\\fR${value ? ` \\fI${roff(value)}\\fR` : ''}`,
      roff(help),
    ])
  const sections = all.flatMap(({ name, summary, options }) => [
    `.SS "${roff(usageOf(name, commands[name]!))}"`,
    `${roff(summary.charAt(0).toUpperCase() + summary.slice(1))}.`,
    ...(commands[name]!.details
      ? ['.PP', roff(commands[name]!.details!.replaceAll('\n\n', '\n.PP\n')).replaceAll('\\&.PP', '.PP')]
      : []),
    ...optionLines(options.filter(({ flag }) => !common.has(flag))),
  ])
  return `${[
    `.TH CABINET 1 "" "Cabinet ${roff(Version)}" "Cabinet"`,
    '.SH NAME',
    roff('cabinet - infrastructure inventory from one file'),
    '.SH SYNOPSIS',
    '\\fBcabinet\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]',
    '.SH OPTIONS OF ALL COMMANDS',
    ...optionLines(all[0]!.options.filter(({ flag }) => common.has(flag))),
    '.SH COMMANDS',
    ...sections,
    '.SH ENVIRONMENT',
    roff('CABINET_CONFIG names the configuration file. Every key of it can be set as CABINET_<KEY>.'),
    '.SH EXIT STATUS',
    '0 done, 1 failed, 2 called wrongly or wrongly configured.',
  ].join('\n')}\n`
}
