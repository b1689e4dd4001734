import { after } from 'node:test'

type Step = () => unknown
const [ofFile, ofProcess]: [Step[], Step[]] = [[], []]

/** Does something after the tests of every file that uses a module; files may share it, and their process. */
export const afterFile = (step: Step): void => void ofFile.push(step)
/** Does something after the last file of the process. */
export const afterAll = (step: Step): void => void ofProcess.push(step)

/** Ends what a file used; called after each of those that share a process. */
export async function endFile(): Promise<void> {
  for (const step of ofFile) await step()
}

after(async () => {
  await endFile()
  for (const step of ofProcess) await step()
})
