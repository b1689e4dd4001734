import { existsSync, readFileSync } from 'node:fs'

/** What a systemd unit says of the server that it runs. */
interface Unit {
  /** The words of its command. */
  words: string[]
  /** The variables that it gives it. */
  env: Record<string, string>
}

/** Reads a unit, with the files of variables that it names; of none that is there, there are no words. */
export function unitIn(file: string): Unit {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const all = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const files = all('EnvironmentFile').map((path) => path.replace(/^-/, ''))
  return {
    words: wordsOf(all('ExecStart')[0] ?? ''),
    env: Object.fromEntries([
      ...all('Environment').flatMap(wordsOf).flatMap(assigned),
      ...files.filter(existsSync).flatMap((path) => readFileSync(path, 'utf8').split('\n').flatMap(assigned)),
    ]),
  }
}

/** The words of a line, as unquoted as systemd has them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted?.replace(/\\(.)/g, '$1') ?? plain!).replaceAll('%%', '%').replaceAll('$$', '$'),
  )

/** The variable that a line sets, with its value; none in a comment. */
function assigned(line: string): [string, string][] {
  const [, name, value = ''] = /^\s*([A-Za-z_]\w*)=(.*?)\s*$/.exec(line) ?? []
  return name === undefined ? [] : [[name, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value]]
}
