import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openToAdd } from '../store/data-folder.ts'
import { Kinds } from '../exchange/device-library/files.ts'
import { loadLibrary } from '../exchange/device-library/load.ts'
import type { Input } from './command.ts'
import { Progress } from './progress.ts'

/** `cabinet import devicetypes DIR`: 0 when every file was taken or is there already. */
export async function importDeviceTypes(input: Input): Promise<number> {
  const [library] = input.operands as [string]
  if (!Kinds.some((kind) => existsSync(join(library, kind))))
    throw new Error(`${library} holds none of the folders ${Kinds.join(', ')}`)
  const store = openToAdd(await input.config())
  const progress = new Progress('import')
  const warn = (text: string) => {
    progress.end()
    process.stderr.write(`${text}\n`)
  }
  try {
    const tallies = loadLibrary({ store, library, warn, progress: (done, total) => progress.at(done, total) })
    progress.end()
    for (const kind of Kinds) {
      const { taken, known, bad } = tallies[kind]
      process.stdout.write(`${kind}: ${taken} new, ${known} there already, ${bad} not taken\n`)
    }
    return Kinds.some((kind) => tallies[kind].bad > 0) ? 1 : 0
  } finally {
    progress.end()
    store.close()
  }
}
