// The thread that renders templates: nothing in it reaches files, the network or the database.
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import * as glue from 'minijinja-js/dist/bundler/minijinja_js_bg.js'
import { addFilters } from './jinja-filters.ts'
import type { Job, Outcome } from './jinja.ts'

/** The engine's types come with the browser's, which this project does without. */
interface Engine {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: object }
  RuntimeError: new () => Error
}
const { Module, Instance, RuntimeError } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

const MaxMemoryPages = 4096 // of 64 KiB

/** Whether the engine is as it was before: a trap (memory, stack) leaves it unusable. */
const isTrap = (error: unknown): boolean => error instanceof RuntimeError || error instanceof RangeError

function load(bytes: Uint8Array): void {
  setFlagsFromString(`--wasm-max-mem-pages=${MaxMemoryPages}`)
  const instance = new Instance(new Module(bytes), { './minijinja_js_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
}

function render({ source, context, params }: Job): string {
  const environment = new glue.Environment()
  environment.enablePyCompat()
  environment.trimBlocks = params.trim_blocks === true
  environment.lstripBlocks = params.lstrip_blocks === true
  environment.keepTrailingNewline = params.keep_trailing_newline === true
  environment.undefinedBehavior = undefinedOf(params.undefined)
  const failure = addFilters(environment)
  const text = environment.renderNamedStr(params.autoescape === true ? 'template.html' : 'template', source, JSON.parse(context))
  environment.free()
  if (failure.message !== undefined) throw new Error(failure.message)
  return typeof params.newline_sequence === 'string' ? text.replaceAll('\n', params.newline_sequence) : text
}

const undefinedOf = (name: unknown) => ({ Undefined: 'lenient', DebugUndefined: 'lenient', ChainableUndefined: 'chainable' } as const)[String(name).split('.').at(-1)!] ?? 'strict'

load(workerData.wasm)
parentPort!.on('message', (job: Job) => {
  let outcome: Outcome
  try {
    outcome = { text: render(job) }
  } catch (error) {
    outcome = isTrap(error) ? { error: 'the template needs too much memory', broken: true } : { error: String((error as Error).message ?? error) }
  }
  parentPort!.postMessage(outcome)
})
