// The part of minijinja-js that takes its WebAssembly from its caller; it has no types of its own.
declare module 'minijinja-js/dist/bundler/minijinja_js_bg.js' {
  export { Environment } from 'minijinja-js'
  export function __wbg_set_wasm(exports: object): void
}
