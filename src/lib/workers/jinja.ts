// The thread that renders templates: nothing in it reaches files, the network or the database.
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import * as glue from 'minijinja-js/dist/bundler/minijinja_js_bg.js'
import { inOurDialect } from './dialect.ts'
import { addFilters, Printed } from './jinja-filters.ts'
import type { Job, Outcome } from '../jinja.ts'

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

/** A choice as the API has it. */
function isChoice(value: unknown): value is { value: unknown; label: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length === 2 && keys[0] === 'value' && keys[1] === 'label'
}

/**
 * An object of the API as templates see it: a choice is its value, custom fields have their short names too, and it is
 * printed as what it is called.
 */
function seen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(seen)
  if (typeof value !== 'object' || value === null) return value
  if (isChoice(value)) return value.value
  const {
    custom_fields: own,
    config_context: context,
    local_context_data: local,
    ...rest
  } = value as Record<string, unknown>
  const kept = Object.entries({ custom_fields: own, config_context: context, local_context_data: local }).filter(
    ([, data]) => data !== undefined,
  )
  const labels = Object.entries(rest).flatMap(([key, inner]) => (isChoice(inner) ? [[key, inner.label] as const] : []))
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, seen(inner)])),
    ...Object.fromEntries(kept),
    ...(own === undefined ? {} : { cf: own, custom_field_data: own }),
    ...(rest.display === undefined ? {} : { [Printed]: rest.display }),
    ...(labels.length ? { __labels__: Object.fromEntries(labels) } : {}),
  }
}

function render({ source, context, objects, params }: Job): string {
  const environment = new glue.Environment()
  environment.enablePyCompat()
  environment.trimBlocks = params.trim_blocks === true
  environment.lstripBlocks = params.lstrip_blocks === true
  environment.keepTrailingNewline = params.keep_trailing_newline === true
  environment.undefinedBehavior = undefinedOf(params.undefined)
  const variables = JSON.parse(context) as Record<string, unknown>
  for (const name of objects ?? []) variables[name] = seen(variables[name])
  const failure = addFilters(environment, environment.undefinedBehavior === 'strict')
  const name = params.autoescape === true ? 'template.html' : 'template'
  let text = ''
  try {
    text = environment.renderNamedStr(name, inOurDialect(source), variables)
  } catch (error) {
    if (failure.message === undefined || isTrap(error)) throw error
  }
  environment.free()
  if (failure.message !== undefined) throw new Error(failure.message)
  return typeof params.newline_sequence === 'string' ? text.replaceAll('\n', params.newline_sequence) : text
}

const undefinedOf = (name: unknown) =>
  (({ Undefined: 'lenient', DebugUndefined: 'lenient', ChainableUndefined: 'chainable' }) as const)[
    String(name).split('.').at(-1)!
  ] ?? 'strict'

load(workerData.wasm)
parentPort!.on('message', (job: Job) => {
  let outcome: Outcome
  try {
    outcome = { text: render(job) }
  } catch (error) {
    outcome = isTrap(error)
      ? { error: 'the template needs too much memory', broken: true }
      : { error: String((error as Error).message ?? error) }
  }
  parentPort!.postMessage(outcome)
})
