/** Buffers that can be freed as soon as they were sent. */
const transient = new WeakSet<ArrayBufferLike>()

/**
 * Bytes for one answer alone, to be freed by `free` once that was sent: left to the garbage collector, some hundred of
 * such answers have it look through everything.
 */
export function transientBytes(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  transient.add(bytes.buffer)
  return bytes
}

/** Whether these are bytes of `transientBytes`, all of them. */
export const isTransient = (bytes: unknown): bytes is Uint8Array<ArrayBuffer> =>
  bytes instanceof Uint8Array && transient.has(bytes.buffer)

/** Frees the memory of bytes that nobody looks at any more, where it was not given away. */
export function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached) buffer.transfer(0)
}
