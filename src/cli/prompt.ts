import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { NotText } from '../lib/utf8.ts'

/**
 * A secret from the named variable, typed on a terminal (twice, unless it is known), or else the first line of standard
 * input.
 */
export async function readSecret(question: string, variable: string, isKnown = false): Promise<string> {
  const ask = isKnown ? unseen : typed
  const given = process.env[variable] ?? (process.stdin.isTTY ? await ask(question) : firstLine(isKnown))
  if (given === '') throw new Error(`no password: give it in ${variable} or on standard input`)
  return given
}

/** Of standard input. What is known already may have been read from other bytes, and is read in the same way again. */
function firstLine(isKnown: boolean): string {
  const bytes = readFileSync(0)
  if (!isKnown && !isUtf8(bytes)) throw new NotText()
  return bytes.toString('utf8').split(/\r?\n/)[0]!
}

async function typed(question: string): Promise<string> {
  const first = await unseen(question)
  if (first !== (await unseen('Once more: '))) throw new Error('the two passwords differ')
  return first
}

/** Asks on the terminal without showing what is typed. */
async function unseen(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('SIGINT', () => reject(new Error('interrupted')))
      terminal.question('').then(resolve, reject)
    })
  } finally {
    process.stderr.write('\n')
    terminal.close()
  }
}
