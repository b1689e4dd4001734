import { Broken, type Litestream } from './litestream.ts'

/** So many epochs in a row may be missing: a source goes on with the next one where all of one was lost. */
const MostMissing = 3

/**
 * The epochs that a place knows of, from one on; while one is looked at, `file` holds its heartbeats, or `fault` says
 * why they cannot be read. Rejects where the place cannot be asked.
 */
export async function* epochsFrom(
  litestream: Litestream,
  first: number,
  file: string,
  mostMissing = MostMissing,
): AsyncGenerator<{ epoch: number; fault: string | undefined }> {
  for (let epoch = first, missing = 0; missing < mostMissing; epoch++) {
    let fault: string | undefined
    try {
      missing = (await litestream.restore('pulse', epoch, file)) ? 0 : missing + 1
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      fault = error.message
      missing = 0
    }
    if (missing === 0) yield { epoch, fault }
  }
}
