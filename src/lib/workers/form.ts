// Reads large forms: to find the ends of files takes a while.
import { parentPort } from 'node:worker_threads'
import { type FormPart, partsOf } from '../form-parts.ts'

export interface FormJob {
  bytes: Uint8Array
  type: string
}
/** Undefined for bytes that do not match their content type. */
export interface FormAnswer {
  parts: FormPart[] | undefined
}

parentPort!.on('message', ({ bytes, type }: FormJob) => {
  void partsOf(bytes, type).then((parts) => {
    const files = (parts ?? []).flatMap((part) => ('file' in part ? [part.bytes.buffer] : []))
    parentPort!.postMessage({ parts } satisfies FormAnswer, files)
  })
})
