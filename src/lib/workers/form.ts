// Reads large forms: to find the ends of files takes a while.
import { parentPort } from 'node:worker_threads'
import { type FormPart, partsOf } from '../form-parts.ts'

export interface FormJob {
  bytes: Uint8Array
  type: string
}
export interface FormAnswer {
  /** A text says what is wrong with the form. */
  parts: FormPart[] | string
}

parentPort!.on('message', ({ bytes, type }: FormJob) => {
  void partsOf(bytes, type).then((parts) => {
    const files = typeof parts === 'string' ? [] : parts.flatMap((part) => ('file' in part ? [part.bytes.buffer] : []))
    parentPort!.postMessage({ parts } satisfies FormAnswer, files)
  })
})
